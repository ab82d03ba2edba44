"""The survey of harnesses: what it writes of a document, and of what could not be run."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.survey import jobs, written
from benchmarks.survey.manifest import Harness, harnesses

ROOT = Path(__file__).parents[1]
TOY = ROOT / "tests" / "probe" / "harnesses" / "toy.py"
RECIPES = ROOT / "examples" / "probe"

MANIFEST = """
[toy]
title = "Toy"
package = "toy"
version = "1.2"
recipe = "toy.py"
kind = "cli"

[toy.variants.default]
cases = ["result"]
source = ["toy.py:1 LIMIT = 6000"]

[toy.variants.other]
cases = ["result"]
best = true
how = "Toy(limit=None)"
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Harness]:
    """A manifest of one harness, of which the default was probed and the other was not."""
    manifest = tmp_path / "harnesses.toml"
    manifest.write_text(MANIFEST, encoding="utf-8")
    results = tmp_path / "results"
    results.mkdir()
    monkeypatch.setattr(jobs, "RESULTS", results)
    monkeypatch.setattr(written, "FOLDER", tmp_path / "docs")
    words = [sys.executable, "-m", "ullage", "probe", "run", "--what", "result"]
    words += ["--sizes", "33k,200k", "--format", "json"]
    done = subprocess.run(
        [*words, "--", sys.executable, str(TOY), "prefix"],
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
        env={"PYTHONPATH": str(RECIPES), "PATH": ""},
    )
    document = {**json.loads(done.stdout), "at": "2026-01-02", "version": "1.2"}
    (results / "toy.default.json").write_text(json.dumps(document), encoding="utf-8")
    return harnesses(manifest)


@pytest.mark.slow
def test_the_survey_says_what_arrived_and_what_was_not_run(toy: list[Harness]) -> None:
    document, page = written.write(toy)

    lines = document.read_text(encoding="utf-8").split("\n")
    row = next(
        line for line in lines if line.startswith("| Toy 1.2 · default | ") and "200" not in line
    )
    cells = [cell.strip() for cell in row.split("|")[1:-1]]
    small, large = (cell.split(" of ") for cell in cells[1:3])
    assert int(small[0]) < int(small[1])
    assert small[0] == large[0]
    assert int(small[1]) < int(large[1])
    assert cells[5:8] == ["tail", "nothing", "broken"]
    assert "toy.py:1" in cells[8]
    assert "| Toy · other | not run yet |" in lines
    assert "Toy 1.2 · default" in page.read_text(encoding="utf-8")
