"""The demo, on the real framework."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ullage import arrival, chars, cut

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "examples" / "demo"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"demo_{name}", DEMO / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


make_listing = load("containers").make_listing


@pytest.mark.parametrize("seed", range(20))
def test_the_listing_has_the_published_shape(seed: int) -> None:
    text = make_listing(seed).text
    value = json.loads(text)

    assert len(text) == 33_370
    assert {name: len(rows) for name, rows in value.items()} == {
        "early_list": 118,
        "late_list": 128,
    }


@pytest.mark.parametrize("seed", range(20))
def test_the_culprit_differs_in_one_number_and_stands_in_the_middle(seed: int) -> None:
    listing = make_listing(seed)
    late = json.loads(listing.text)["late_list"]
    (place,) = [at for at, row in enumerate(late) if row["id"] == listing.culprit]

    assert 0.1 * len(late) <= place + 1 <= 0.9 * len(late)
    assert {tuple(map(type, row.values())) for row in late} == {(str, float, str)}
    assert len({len(json.dumps(row, separators=(",", ":"))) for row in late[2:]}) == 1


@pytest.mark.parametrize("seed", range(20))
def test_the_slice_loses_the_culprit_and_the_cut_keeps_it(seed: int) -> None:
    listing = make_listing(seed)

    done = cut(listing.text, chars(6_000))

    assert listing.culprit not in listing.text[:6_000]
    kept = json.loads(done.text)
    assert listing.culprit in {row["id"] for row in kept["late_list"]}
    assert 0 < len(kept["early_list"]) < 118


def test_a_slice_of_the_listing_delivers_what_was_published() -> None:
    text = make_listing(0).text

    found = arrival(text, text[:6_000])

    assert [(part.path, part.delivered) for part in found.parts] == [
        ("$.early_list", 30),
        ("$.late_list", 0),
    ]
    assert found.valid is False


@pytest.mark.slow
def test_the_demo_prints_what_each_of_the_four_ways_delivered(tmp_path: Path) -> None:
    pytest.importorskip("smolagents", reason="the demo's framework is not installed")
    done = subprocess.run(
        [sys.executable, str(DEMO / "demo.py"), "--seed", "3"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=110,
        env=None,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    rows = {
        cells[0]: cells[1:]
        for line in done.stdout.split("\n")
        if len(cells := re.split(r"\s{2,}", line.strip())) == 5
    }
    assert rows["produced"] == ["33370 chars"] * 4
    assert rows["early records"][:3] == ["30 of 118", "50 of 118", "118 of 118"]
    assert rows["late records"][:3] == ["0 of 128", "128 of 128", "128 of 128"]
    assert rows["JSON"] == ["broken", "broken", "valid", "valid"]
    assert rows["the culprit"] == ["lost", "arrived", "arrived", "arrived"]
    assert rows["boundary"] == ["budget", "budget", "nothing lost", "budget"]
    assert rows["notice"][:3] == ["none", "cut", "none"]
    assert "model: scripted" in done.stdout


@pytest.mark.slow
def test_the_page_on_recording_shows_the_report_as_it_is(tmp_path: Path) -> None:
    pytest.importorskip("smolagents", reason="the demo's framework is not installed")
    page = (ROOT / "docs" / "record-your-agent.md").read_text(encoding="utf-8")
    (sample,) = re.findall(r"```text\n(The produced side.*?)```", page, re.DOTALL)
    plan = tmp_path / "plan.json"
    steps = ("list_containers()", "final_answer('done')")
    turns = [{"text": f"Thought: next.\n<code>\n{step}\n</code>"} for step in steps]
    plan.write_text(json.dumps({"turns": turns}), encoding="utf-8")
    server = subprocess.Popen(
        [sys.executable, "-m", "ullage", "probe", "serve", "--plan", str(plan)],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stderr is not None
    try:
        base_url = server.stderr.readline().split(" listening on ")[1].split()[0]
        words = [sys.executable, "-m", "ullage", "run", "--upstream", base_url, "--run", "first"]
        done = subprocess.run(
            [*words, "--", sys.executable, str(DEMO / "plain_agent.py")],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=100,
            env={**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONWARNINGS": "ignore"},
        )
    finally:
        server.terminate()
        server.wait(10)
        server.stderr.close()

    assert done.stderr.endswith("\n\n" + sample), done.stderr
