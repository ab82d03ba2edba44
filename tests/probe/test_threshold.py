"""The smallest size at which something is lost, and the unit of the limit behind it."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ullage.counting.count import counter
from ullage.probe.canary import payload
from ullage.probe.case import Case, Format
from ullage.probe.limit import unit
from ullage.probe.threshold import Threshold, find, search
from ullage.probe.verdict.delivery import delivery

SHAPES = [
    Case(tag="s", kind="result", format="json"),
    Case(tag="s", kind="result", format="ndjson"),
    Case(tag="s", kind="result", format="ndjson", lines=390, wide=True),
    Case(tag="s", kind="result", format="log", lines=650),
]
Loses = Callable[[str], bool]


@given(limit=st.integers(1_000, 199_999))
def test_any_limit_is_found_to_the_character(limit: int) -> None:
    found = find(lambda size: size > limit, 1_000, 200_000)

    assert (found.kept, found.lost, found.monotone) == (limit, limit + 1, True)
    assert len(found.tried) <= 20


def test_a_ladder_narrows_the_search() -> None:
    known = {8_000: False, 16_000: False, 33_000: True, 64_000: True}
    found = find(lambda size: size > 20_000, 1_000, 200_000, known=known)

    assert (found.kept, found.lost) == (20_000, 20_001)
    assert set(found.tried) - set(known) == {size for size in found.tried if 16_000 < size < 33_000}


def test_what_is_never_lost_costs_one_case() -> None:
    found = find(lambda size: False, 1_000, 200_000)

    assert (found.lost, found.kept, dict(found.tried)) == (None, 200_000, {200_000: False})
    assert str(found) == "nothing is lost up to 200000 characters"


def test_what_is_lost_at_once_is_said() -> None:
    found = find(lambda size: True, 1_000, 200_000)

    assert (found.lost, found.kept) == (1_000, None)
    assert "at 1000 characters already" in str(found)


def test_more_that_loses_less_is_said() -> None:
    found = find(
        lambda size: 10_000 < size < 20_000,
        1_000,
        200_000,
        known={8_000: False, 16_000: True, 33_000: False},
    )

    assert (found.kept, found.lost, found.monotone) == (10_000, 10_001, False)
    assert str(found).endswith("but nothing is lost at 33000, so this is no simple limit")


def test_a_search_asks_and_is_told() -> None:
    asking = search(10, 20)

    assert next(asking) == 20
    assert asking.send(True) == 10
    assert asking.send(False) == 15


def test_a_bracket_the_wrong_way_round_is_refused() -> None:
    with pytest.raises(ValueError, match="least is 20 and most is 10"):
        next(search(20, 10))


def thresholds(loses: Loses, cases: list[Case] | None = None) -> list[tuple[Case, Threshold]]:
    found = []
    for case in cases or SHAPES:

        def loses_at(size: int, case: Case = case) -> bool:
            return loses(payload(replace(case, size=size), 0).text)

        found.append((case, find(loses_at, 2_000, 60_000)))
    return found


@settings(max_examples=4, deadline=None)
@given(limit=st.integers(6_000, 30_000))
def test_a_limit_in_characters_is_told_from_bytes_lines_and_tokens(limit: int) -> None:
    found = unit(thresholds(lambda text: len(text) > limit))

    assert found.best is not None
    assert (found.best.unit, found.best.number) == ("characters", limit)
    assert {fit.unit for fit in found.fits} <= {
        "characters",
        "quarter-tokens",
        "quarter-tokens-down",
    }


@settings(max_examples=4, deadline=None)
@given(limit=st.integers(6_000, 30_000))
def test_a_limit_in_bytes_is_found(limit: int) -> None:
    found = unit(thresholds(lambda text: len(text.encode()) > limit))

    assert found.best is not None
    assert found.best.unit == "bytes"
    assert found.best.low <= limit <= found.best.high
    assert found.sure


@settings(max_examples=4, deadline=None)
@given(limit=st.integers(5, 60))
def test_a_limit_in_lines_is_found(limit: int) -> None:
    by_line = [case for case in SHAPES if case.format != "json"]
    found = unit(thresholds(lambda text: text.count("\n") + 1 > limit, by_line))

    assert found.best is not None
    assert (found.best.unit, found.best.number) == ("lines", limit)
    assert {fit.unit for fit in found.fits} == {"lines", "records"}


@settings(max_examples=3, deadline=None)
@given(limit=st.integers(3_000, 9_000))
def test_a_limit_in_tokens_is_found(limit: int) -> None:
    count = counter()
    found = unit(thresholds(lambda text: count(text) > limit))

    assert found.best is not None
    assert (found.best.unit, found.best.number, found.sure) == ("tokens", limit, True)


@pytest.mark.parametrize("rounded", [lambda size: -(-size // 4), lambda size: size // 4])
def test_a_limit_in_quarters_of_characters_is_among_what_fits(
    rounded: Callable[[int], int],
) -> None:
    found = unit(thresholds(lambda text: rounded(len(text)) > 3_000))

    assert any(fit.unit.startswith("quarter-tokens") and fit.number == 3_000 for fit in found.fits)
    assert not found.sure


def test_a_limit_with_a_wrapping_is_found_with_and_without_it() -> None:
    head = "Output:\n"
    found = unit(thresholds(lambda text: len(head + text) > 10_000), extra=len(head))

    assert found.best is not None
    assert found.best.number == 9_992
    assert "or 10000 with what stands around it" in str(found)


def test_a_limit_on_a_text_that_is_encoded_again_is_found() -> None:
    found = unit(thresholds(lambda text: len(json.dumps(text)) > 12_000))

    assert found.best is not None
    assert found.best.spelling == "JSON string in ASCII"
    assert found.best.number == 12_000


def test_what_no_unit_explains_is_said() -> None:
    found = unit(
        [
            (SHAPES[0], find(lambda size: size > 10_000, 2_000, 60_000)),
            (SHAPES[1], find(lambda size: size > 40_000, 2_000, 60_000)),
            (SHAPES[3], find(lambda size: size > 5_000, 2_000, 60_000)),
        ]
    )

    assert found.best is None
    assert "no unit is the same" in str(found)


def test_thresholds_that_say_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="measure larger ones"):
        unit([(SHAPES[0], find(lambda size: False, 2_000, 9_000))])


@pytest.mark.parametrize("format", ["json", "ndjson", "csv", "markdown", "log"])
@settings(max_examples=3, deadline=None)
@given(limit=st.integers(3_000, 9_000))
def test_a_hidden_cut_is_found_by_the_verdict_alone(format: Format, limit: int) -> None:
    case = Case(tag="b", kind="result", format=format)

    def loses(size: int) -> bool:
        made = payload(replace(case, size=size), 0)
        text = made.text
        cut = text if len(text) <= limit else f"{text[: limit - 20]}\n[cut]"
        return delivery(made, cut).lost

    found = find(loses, 2_000, 12_000)
    assert (found.kept, found.lost) == (limit, limit + 1)
