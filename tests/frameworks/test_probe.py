"""Real frameworks under `ullage probe run`, by the recipes that readers find in examples/probe."""

import ast
import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

RECIPES = Path(__file__).parents[2] / "examples" / "probe"
QUIET = {
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "LANGSMITH_TRACING": "false",
    "HF_HUB_OFFLINE": "1",
    "DO_NOT_TRACK": "1",
}

IMPORTS = {
    "langchain_agent.py": "langchain_openai",
    "openai_agents_agent.py": "agents",
    "smolagents_agent.py": "smolagents",
}


def probed(recipe: str, folder: Path, *options: str) -> dict[str, Any]:
    """Probe a recipe in this environment; return the document."""
    if find_spec(IMPORTS[recipe]) is None:
        pytest.skip(f"{IMPORTS[recipe]} is not installed here: make frameworks")
    document = folder / "probe.json"
    words = [sys.executable, "-m", "ullage", "probe", "run", "--seed", "test", *options]
    words += ["--format", "json", "--output", str(document)]
    done = subprocess.run(
        [*words, "--", sys.executable, str(RECIPES / recipe)],
        capture_output=True,
        text=True,
        env={**os.environ, **QUIET},
        timeout=110,
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(document.read_text(encoding="utf-8"))
    return found


def checks(document: dict[str, Any]) -> list[str]:
    return [found["check"] for case in document["cases"] for found in case["findings"]]


def constant(module: str, name: str) -> int:
    """Read a number from a framework's source, which is not imported."""
    spec = find_spec(module)
    assert spec
    assert spec.origin
    for node in ast.walk(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in node.targets
        ):
            value = ast.literal_eval(node.value)
            assert isinstance(value, int)
            return value
    raise AssertionError(f"{module} has no {name}")


def test_langchain_loses_no_record_and_no_turn(tmp_path: Path) -> None:
    document = probed("langchain_agent.py", tmp_path, "--sizes", "33k,200k", "--turns", "12")

    assert all(one["rows_delivered"] == one["rows_produced"] for one in document["cases"])
    assert checks(document) == []


def test_langchains_summariser_is_shown_none_of_the_records_that_leave(tmp_path: Path) -> None:
    options = ("--what", "history", "--turns", "12", "--history-sizes", "33k")
    (case,) = probed("langchain_agent.py", tmp_path, *options, "--variant", "summarization")[
        "cases"
    ]

    assert case["summariser_rows"] == 0
    assert case["auxiliary"]
    assert "summariser-starved" in [one["check"] for one in case["findings"]]


def test_openai_agents_writes_a_returned_object_as_python(tmp_path: Path) -> None:
    options = ("--what", "result", "--sizes", "33k", "--returns", "object")
    document = probed("openai_agents_agent.py", tmp_path, *options)

    (case,) = document["cases"]
    assert case["rows_delivered"] == case["rows_produced"]
    assert case["syntax"] == "python-repr"
    assert "python-repr" in checks(document)


def test_the_limit_that_is_searched_is_the_constant_of_smolagents(tmp_path: Path) -> None:
    options = ("--what", "result", "--sizes", "16k,33k", "--style", "code", "--variant", "code")
    document = probed("smolagents_agent.py", tmp_path, *options, "--bisect")

    (found,) = document["thresholds"]
    assert found["kept"] == constant("smolagents.utils", "MAX_LENGTH_TRUNCATE_CONTENT")
    assert found["lost"] == found["kept"] + 1
    assert "characters" in [one["unit"] for one in found["limits"]]
