"""How two ratios differ."""

import random

import pytest

from ullage.stats.ratio import Share, ratio, ratio_difference


def shares(*pairs: tuple[float, float]) -> list[Share]:
    return [Share(part=part, of=of) for part, of in pairs]


def test_a_ratio_is_of_sums_and_of_nothing_where_there_is_nothing() -> None:
    assert ratio(shares((1, 10), (9, 10))) == 0.5
    assert ratio(shares((0, 0))) is None


def test_pairs_differ_together_so_that_their_common_level_falls_out() -> None:
    before = shares(*[(n, 10) for n in range(10)])
    after = shares(*[(n + 1, 10) for n in range(10)])
    paired = ratio_difference(before, after, paired=True)
    apart = ratio_difference(before, after)

    assert paired.estimate == pytest.approx(0.1)
    assert paired.low == pytest.approx(0.1)
    assert apart.low < 0 < apart.high


def test_the_interval_holds_no_difference_about_as_often_as_it_says() -> None:
    rng = random.Random(3)
    held = 0
    for _ in range(100):
        sides = [shares(*[(rng.gauss(5, 2), 10) for _ in range(25)]) for _ in range(2)]
        found = ratio_difference(*sides)
        held += found.low <= 0 <= found.high

    assert 0.86 <= held / 100 <= 0.99


def test_two_units_a_side_say_next_to_nothing() -> None:
    before, after = shares((5, 10), (6, 10)), shares((7, 10), (8, 10))
    for paired in (True, False):
        found = ratio_difference(before, [after[0], shares((9, 10))[0]], paired=paired)
        assert found.high - found.low > 0.4


def test_too_little_is_refused_with_the_reason() -> None:
    with pytest.raises(ValueError, match="2 units or more on each side, got 1"):
        ratio_difference(shares((1, 2)), shares((1, 2), (1, 2)))
    with pytest.raises(ValueError, match="as many on both sides"):
        ratio_difference(shares((1, 2)), shares(), paired=True)
    with pytest.raises(ValueError, match="something on both sides"):
        ratio_difference(shares((0, 0)) * 2, shares((1, 2)) * 2)
