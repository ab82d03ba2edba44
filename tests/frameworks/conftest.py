"""A scripted model server for each test."""

from collections.abc import Iterator

import pytest
from tests.frameworks.harness import Server


@pytest.fixture
def server() -> Iterator[Server]:
    started = Server()
    yield started
    started.stop()
