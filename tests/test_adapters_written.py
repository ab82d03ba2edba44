"""The page of the adapters: its tables are of what was measured, and what was not is said."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from benchmarks.adapters import written
from benchmarks.adapters.adapters import adapted, outcome

ROOT = Path(__file__).parents[1]


def case(kind: str, delivered: int, grade: str, **members: Any) -> dict[str, Any]:
    return {
        "kind": kind,
        "rows_delivered": delivered,
        "rows_produced": 100,
        "valid": True,
        "format": "json",
        "notice": {"grade": grade},
        **members,
    }


def document(delivered: int, grade: str) -> dict[str, Any]:
    return {
        "cases": [
            case("result", delivered, grade, size=size, returns=returns)
            for size in (33_000, 200_000)
            for returns in ("text", "object")
        ]
    }


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Write the page of some results; return it."""
    monkeypatch.setattr(written, "PAGE", tmp_path / "adapters.md")

    def write(**results: Any) -> str:
        for name, members in results.items():
            (tmp_path / f"{name}.json").write_text(json.dumps(members), encoding="utf-8")
        return written.write(adapted(), tmp_path).read_text(encoding="utf-8")

    return write


def measured(**members: Any) -> dict[str, Any]:
    before, after = document(100, "none"), document(40, "counted")
    found = {"default": before, "ullage": after, "tests": "9 passed", "at": "2026-01-02"}
    return {**found, "version": "1.2.3", **members}


def rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("|")]


def test_a_page_without_results_has_one_table_of_what_is_missing(page: Any) -> None:
    text = page()

    assert rows(text)[0] == "| adapter | why |"
    assert len(rows(text)) == 2 + len(adapted())
    assert "Measured" not in text


def test_what_arrives_and_what_is_told_stands_before_and_after(page: Any) -> None:
    text = page(langchain=measured())

    row = next(line for line in rows(text) if "100 of 100" in line)
    assert "| 100 of 100 → 40 of 100 |" in row
    assert "| nothing → how much |" in row
    assert sum("LangChain" in line for line in rows(text)) == 3


def test_a_case_that_is_missing_is_a_dash_and_a_failure_is_no_row_of_figures(page: Any) -> None:
    text = page(langchain=measured(ullage={"cases": []}), **{"pydantic-ai": {"why": "no wheel"}})

    assert "| 100 of 100 → - |" in text
    assert [line for line in rows(text) if "Pydantic" in line] == ["| Pydantic AI | no wheel |"]


def test_a_skipped_test_is_said_with_those_that_pass() -> None:
    assert outcome("....s\n4 passed, 1 skipped in 2.31s\n") == "4 passed, 1 skipped"
    assert outcome("nothing here\n") == "no test was run"


def test_the_tests_of_other_adapters_are_not_counted() -> None:
    assert outcome("...\n4 passed, 20 deselected in 2.31s\n") == "4 passed"


def test_an_adapter_that_sees_no_history_has_no_row_about_one(page: Any) -> None:
    text = page(fastmcp=measured())

    assert sum("FastMCP" in line for line in rows(text)) == 2


def test_the_table_of_the_readme_is_of_the_page() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    text = written.PAGE.read_text(encoding="utf-8")
    shown = re.search(r"(?:^\|.*\n)+(?=\n.*reference/adapters\.md)", readme, re.MULTILINE)

    assert shown
    for row in shown[0].splitlines()[2:]:
        name, *cells = (cell.strip() for cell in row.strip("|").split("|"))
        of_it = " | ".join(line for line in rows(text) if name in line.replace("\\", ""))
        assert [cell for cell in cells if f"| {cell} |" not in of_it] == []
