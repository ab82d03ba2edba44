"""Small inputs after public bug reports, each with the right answer and a machine check.

A case whose command is not built yet is expected to fail; the day it passes, this test says so.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
CASES = sorted(path.name for path in HERE.glob("[0-9][0-9]-*"))
NOT_YET: set[str] = set()


def expected(name: str) -> Any:
    marks = [pytest.mark.xfail(strict=True)] if name[:2] in NOT_YET else []
    return pytest.param(name, marks=marks)


@pytest.mark.slow
@pytest.mark.parametrize("name", [expected(name) for name in CASES])
def test_case(name: str) -> None:
    command = [sys.executable, str(HERE / "check.py"), "--only", name, "--quick", "--json"]
    command += ["--ullage", f"{sys.executable} -m ullage"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=110)

    (case,) = json.loads(done.stdout)["cases"]
    assert case["verdict"] == "PASS", case["reason"]
