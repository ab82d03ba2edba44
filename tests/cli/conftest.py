"""What the tests of whole commands share."""

import subprocess
import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module")
def upstream() -> Iterator[str]:
    """The base URL of a scripted model server in a process of its own."""
    server = subprocess.Popen(
        [sys.executable, "-m", "ullage", "probe", "serve"], stderr=subprocess.PIPE, text=True
    )
    assert server.stderr is not None
    line = server.stderr.readline()
    yield line.split(" listening on ")[1].split()[0]
    server.terminate()
    server.wait(10)
    server.stderr.close()
