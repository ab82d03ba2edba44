"""What a grid of cases says: the trigger that fits, unequal repeats, the smallest failing case."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from ullage.checks.covered import Cell, Coverage

RECORDS, TURNS, CALLS = (50, 200, 500), (0, 5, 12), (0, 3)


def cell(records: int, turns: int, calls: int, seen: Any, **more: Any) -> Cell:
    each = seen if isinstance(seen, tuple) else (seen,) * 3
    size = 100 + (turns * 3 + calls) % 4 * 20
    return Cell(
        **{
            "records": records,
            "turns": turns,
            "tool_calls": calls,
            "seen": each,
            "told": False,
            "looked_in": "last request",
            "data_chars": records * size,
            "chars": records * size + 40 * (turns + calls),
            "lost_later": False,
            **more,
        }
    )


def grid(seen: Callable[[int, int, int], Any], **more: Any) -> Coverage:
    sizes = itertools.product(RECORDS, TURNS, CALLS)
    return Coverage(cells=tuple(cell(n, t, c, seen(n, t, c), **more) for n, t, c in sizes))


def measure_of(coverage: Coverage) -> str | None:
    return coverage.trigger.measure if coverage.trigger else None


def size_of(turns: int, calls: int) -> int:
    return 100 + (turns * 3 + calls) % 4 * 20


def test_a_grid_in_which_all_was_seen_passes() -> None:
    clean = grid(lambda n, t, c: n)

    clean.assert_all_seen()
    clean.assert_seen_or_told()
    assert (clean.failing, clean.findings, clean.trigger, clean.boundary) == ([], [], None, None)


def test_a_limit_of_records_is_told_from_one_of_characters() -> None:
    rows = grid(lambda n, t, c: min(n, 100))
    characters = grid(lambda n, t, c: min(n, 9000 // size_of(t, c)))

    assert (measure_of(rows), rows.boundary) == ("records", "budget")
    assert (measure_of(characters), characters.boundary) == ("characters of the records", "budget")
    assert rows.trigger is not None
    assert "100 records get through" in rows.trigger.text


def test_a_limit_of_turns_is_named_with_where_it_lies() -> None:
    found = grid(lambda n, t, c: 0 if t > 5 else n).trigger

    assert found is not None
    assert (found.measure, found.passed, found.failed) == ("turns", 5, 12)
    assert found.also == ("messages",)


def test_a_limit_of_messages_is_not_one_of_turns() -> None:
    found = grid(lambda n, t, c: n if 2 * (t + c) < 16 else 0)

    assert measure_of(found) == "messages"
    assert found.boundary == "retain"


def test_tool_calls_that_push_the_data_out_are_named() -> None:
    assert measure_of(grid(lambda n, t, c: 0 if c else n)) == "tool calls"


def test_a_message_that_is_gone_whole_is_a_limit_of_the_history_not_a_cut() -> None:
    gone = grid(lambda n, t, c: 0 if n == 500 else n)

    assert (measure_of(gone), gone.boundary) == ("characters in all", "retain")


def test_records_that_stood_in_an_earlier_request_were_lost_in_the_history() -> None:
    assert grid(lambda n, t, c: min(n, 100), lost_later=True).boundary == "retain"


def test_two_causes_at_once_are_not_given_one_trigger() -> None:
    found = grid(lambda n, t, c: 0 if t > 5 else min(n, 300)).trigger

    assert found is not None
    assert found.measure == "unknown"
    assert "passes with fewer turns" in found.text


def test_the_minimum_of_the_repeats_counts() -> None:
    one = cell(50, 0, 0, (50, 24, 50))

    assert (one.least, one.whole, one.stable) == (24, False, False)


def test_unequal_repeats_are_a_finding_of_their_own_and_have_no_boundary() -> None:
    found = Coverage(cells=(cell(50, 0, 0, (50, 24, 50)),))

    assert [one.check for one in found.findings] == ["coverage-unstable"]
    assert (measure_of(found), found.boundary) == ("unstable", None)


def test_a_loss_that_the_model_is_told_of_passes_the_weaker_question_only() -> None:
    told = grid(lambda n, t, c: min(n, 100), told=True)

    told.assert_seen_or_told()
    with pytest.raises(AssertionError):
        told.assert_all_seen()


def test_a_loss_that_differs_between_repeats_passes_neither_question() -> None:
    with pytest.raises(AssertionError, match="coverage-unstable"):
        Coverage(cells=(cell(50, 0, 0, (50, 24, 50), told=True),)).assert_seen_or_told()


def test_the_message_names_the_smallest_case_the_trigger_the_boundary_and_the_fix() -> None:
    with pytest.raises(AssertionError) as failed:
        grid(lambda n, t, c: min(n, 100)).assert_all_seen()

    words = str(failed.value)
    assert "12 of 18 cells failed" in words
    assert "smallest that failed: 200 records, 0 earlier turns, 0 further tool calls" in words
    assert "100 of 200 in last request (repeats: 100, 100, 100)" in words
    assert "the model was not told how many it did not see" in words
    assert "trigger: records: up to 50 every case passed, from 200 on every case failed" in words
    assert "boundary: budget" in words
    assert "ullage.cut(result, ullage.chars(10000))" in words
    assert "    500     12           3  100 of 500  not told" in words


def test_where_every_case_failed_that_is_said() -> None:
    found = grid(lambda n, t, c: 0).trigger

    assert found is not None
    assert "every case failed" in found.text
