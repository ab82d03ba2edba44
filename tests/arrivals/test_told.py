"""Whether a text says how many records are missing from it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage import chars, cut
from ullage.arrivals.told import tells_missing


@pytest.mark.parametrize(
    "text",
    [
        "[463 records left out]",
        "kept 37 of 500 records",
        "Showing 37 orders out of 500; the rest was omitted",
        "… 463 more rows",
    ],
)
def test_the_number_that_is_missing_in_words_of_a_cut_is_a_statement(text: str) -> None:
    assert tells_missing(text, 500, 37)


@pytest.mark.parametrize(
    "text",
    [
        "Analyse all 500 orders; none may be skipped",  # the total alone: an instruction
        "[truncated: 12000 characters removed]",
        "463",  # a figure, and no word about a cut
        "limited to 463 records, omitted",  # a limit is not what is missing
        '{"total": 463.0}, partial',
        "",
    ],
)
def test_other_figures_and_words_state_nothing(text: str) -> None:
    assert not tells_missing(text, 500, 37)


def test_a_figure_far_from_the_words_of_a_cut_states_nothing() -> None:
    assert not tells_missing("463" + " x" * 200 + " omitted", 500, 37)


@given(st.integers(min_value=40, max_value=400))
def test_what_our_own_cut_says_is_a_statement(count: int) -> None:
    rows = [{"id": f"R{n:05x}Z", "note": "left at the door"} for n in range(count)]
    done = cut(json.dumps(rows), chars(900))
    kept = sum(row["id"] in done.text for row in rows)

    assert tells_missing(done.text, count, kept)


@given(st.text(), st.integers(0, 10**6), st.integers(0, 10**6))
def test_no_text_raises(text: str, produced: int, delivered: int) -> None:
    assert tells_missing(text, produced, delivered) in (True, False)
