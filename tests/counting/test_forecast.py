"""Growth per turn, and the turn at which the window is passed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.counting.forecast import Growth, forecast


def test_steady_growth_passes_at_the_turn_that_no_longer_fits() -> None:
    ahead = forecast([1000, 1500, 2000], 4000)

    assert ahead.growth == Growth(median=500, low=500, high=500)
    assert ahead.passed_at == 8  # turn 7 is 4000, which fits


def test_the_reserve_is_kept_free() -> None:
    assert forecast([1000, 1500, 2000], 4000, reserve=1000).passed_at == 6


def test_the_soonest_turn_goes_by_the_most_growth() -> None:
    ahead = forecast([1000, 1100, 2100, 2200], 5000)

    assert ahead.growth == Growth(median=100, low=100, high=1000)
    assert (ahead.passed_at, ahead.soonest) == (33, 7)


def test_a_window_already_passed_names_the_first_turn() -> None:
    assert forecast([1000, 9000, 2000], 5000).passed_at == 2


@pytest.mark.parametrize("turns", [[], [1000], [3000, 2000, 1000]])
def test_without_growth_nothing_is_foretold(turns: list[int]) -> None:
    assert forecast(turns, 5000).passed_at is None


def test_an_unknown_window_is_never_passed() -> None:
    assert forecast([1000, 2000], None).passed_at is None


@given(
    start=st.integers(0, 1000),
    step=st.integers(1, 500),
    turns=st.integers(2, 9),
    window=st.integers(1, 10_000),
)
def test_the_turn_is_the_first_that_does_not_fit(
    start: int, step: int, turns: int, window: int
) -> None:
    ahead = forecast([start + step * n for n in range(turns)], window)

    assert ahead.passed_at is not None
    assert start + step * (ahead.passed_at - 1) > window
    assert ahead.passed_at == 1 or start + step * (ahead.passed_at - 2) <= window
