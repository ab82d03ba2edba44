"""The measurement of precision and recall runs, and leaves no check out."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ullage.checks.scan import NAMES

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "audit" / "measure.py"


@pytest.mark.slow
def test_each_check_is_measured_on_losses_and_look_alikes(tmp_path: Path) -> None:
    out = tmp_path / "audit.json"
    words = [sys.executable, str(SCRIPT), "--n", "2", "--clean", "2", "--json", str(out)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    measured = {one["check"]: one for one in json.loads(out.read_text())["checks"]}
    assert measured.keys() >= set(NAMES)
    assert all(one["losses"] and one["alike"] for one in measured.values())
