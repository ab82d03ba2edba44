"""A real coding CLI, its tool a real MCP server behind `ullage tap`, under `ullage run`."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

EXAMPLE = Path(__file__).parents[1] / "examples" / "coding_cli" / "check.py"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("coding_cli_check", EXAMPLE)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


check = load()


def report(name: str, folder: Path) -> Any:
    command = check.opencode()
    if command is None:
        pytest.skip(
            f"opencode {check.VERSION} is not in {check.cache()}: make cli-check installs it"
        )
    (case,) = [case for case in check.CASES if case.name == name]
    return check.run(case, command, folder)[0]


def test_both_sides_of_a_result_that_fits_are_recorded(tmp_path: Path) -> None:
    found = report("fits", tmp_path)

    (tool,) = found["arrival"]["tools"]
    assert tool["tool"] == "mcp__rows__listing"
    assert found["findings"] == []
    (part,) = tool["parts"]
    assert part["records"] == {"n": 255, "delivered": 255, "rate": 1.0}


def test_both_sides_of_a_result_that_the_cli_cuts_are_recorded(tmp_path: Path) -> None:
    found = report("cut-lines", tmp_path)

    (tool,) = found["arrival"]["tools"]
    (part,) = tool["parts"]
    assert part["records"]["n"] == 3000
    assert 0 < part["records"]["delivered"] < 3000
    assert found["summary"]["by_check"] == {"invalid-syntax": 1}
    assert found["summary"]["by_boundary"] == {"budget": 1}
