"""Findings of a sub-agent, as they are written and as they arrive."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.arrivals.child_findings import Child, child_of, finding_arrivals

FINDINGS = (
    "db/pool.py line 30: the lock is taken twice; severity high",
    "cache/lru.py line 9: never evicts, its size is 0",
    "The README is out of date",
)


def arrived(delivered: str) -> tuple[int, int, int]:
    """Delivered, in part, missing."""
    found = finding_arrivals(FINDINGS, delivered)
    return found.delivered, len(found.partial), len(found.missing)


def test_findings_are_read_from_lines_with_what_is_indented_below() -> None:
    text = "Working.\nFinding 1: a b\n  and c\n- **Finding 2:** d\nFinding 1: a b\n  and c\nDone."

    assert child_of(text) == Child(findings=("a b and c", "d"), errors=())


def test_findings_and_errors_are_read_from_json_lines() -> None:
    lines = [{"step": 0, "finding": "x"}, {"finding": ""}, {"finding": {"k": 1}}, {"error": "e"}]

    child = child_of("\n".join(map(json.dumps, lines)) + "\n{torn")

    assert child == Child(findings=("x", '{"k": 1}'), errors=("e",))


@pytest.mark.parametrize("text", ["", "no findings here", '{"step": 1}', "Findings follow."])
def test_a_text_without_findings_is_no_child(text: str) -> None:
    assert child_of(text) is None


def test_findings_arrive_as_they_are() -> None:
    assert arrived("\n".join(FINDINGS)) == (3, 0, 0)


def test_findings_arrive_inside_a_json_string() -> None:
    assert arrived(json.dumps({"report": f"1. {FINDINGS[0]}\n2. {FINDINGS[1]}"})) == (2, 0, 1)


def test_findings_arrive_in_other_words_with_what_identifies_them() -> None:
    said = (
        "db/pool.py line 30 takes its lock twice (high). cache/lru.py line 9: no eviction, size 0."
    )

    assert arrived(said + " And the README is outdated, out of date.") == (3, 0, 0)


def test_an_index_line_is_arrival_in_part() -> None:
    assert arrived("Problems in db/pool.py and cache/lru.py") == (0, 2, 1)


@pytest.mark.parametrize(
    "stub", ["", "3 findings were recorded.", "(no summary)", "See report 30."]
)
def test_a_count_or_a_pointer_delivers_nothing(stub: str) -> None:
    assert arrived(stub) == (0, 0, 3)


@given(st.lists(st.text(min_size=1, max_size=40), max_size=6), st.text(max_size=80))
def test_every_finding_is_delivered_partial_or_missing(texts: list[str], delivered: str) -> None:
    found = finding_arrivals(texts, delivered)

    assert found.delivered + len(found.partial) + len(found.missing) == found.produced
