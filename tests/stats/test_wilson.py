"""Wilson's interval."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.stats.wilson import wilson


def test_it_is_the_published_interval() -> None:
    # Newcombe 1998, Statistics in Medicine 17:857-872, table I, method 3: 81 of 263, 15 of 148.
    found = [wilson(81, 263), wilson(15, 148)]

    assert [(round(one.low, 4), round(one.high, 4)) for one in found] == [
        (0.2553, 0.3662),
        (0.0624, 0.1605),
    ]


@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_it_holds_the_share_and_stays_between_0_and_1(case: tuple[int, int]) -> None:
    found = wilson(*case)

    assert 0 <= found.low <= found.estimate <= found.high <= 1


@given(st.integers(0, 500), st.integers(1, 500))
def test_failures_give_the_mirrored_interval(successes: int, failures: int) -> None:
    n = successes + failures
    one, other = wilson(successes, n), wilson(failures, n)

    assert math.isclose(one.low, 1 - other.high, abs_tol=1e-12)


def test_it_covers_the_truth_about_as_often_as_it_says() -> None:
    draw = random.Random(5)
    covered = 0
    for _ in range(2000):
        truth = draw.uniform(0.05, 0.95)
        found = wilson(sum(draw.random() < truth for _ in range(40)), 40)
        covered += found.low <= truth <= found.high

    assert 0.93 <= covered / 2000 <= 0.97


@pytest.mark.parametrize(("successes", "n", "level"), [(0, 0, 0.95), (3, 2, 0.95), (1, 2, 1.0)])
def test_figures_that_cannot_be_are_refused(successes: int, n: int, level: float) -> None:
    with pytest.raises(ValueError, match=r"\d"):
        wilson(successes, n, level)
