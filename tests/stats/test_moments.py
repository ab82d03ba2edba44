"""Sums over clusters that are merged give what the raw data give."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.stats.cluster import cluster_mean
from ullage.stats.interval import Interval
from ullage.stats.moments import Moments, ratio_interval
from ullage.stats.ratio import Share, ratio, ratio_difference

CLUSTERS = st.lists(st.lists(st.integers(0, 1), min_size=1, max_size=9), min_size=2, max_size=12)
PAIRS = st.lists(
    st.integers(1, 50).flatmap(
        lambda y: st.tuples(st.integers(0, y), st.integers(0, y), st.just(y))
    ),
    min_size=2,
    max_size=12,
)


def moments(clusters: list[tuple[int, int]]) -> Moments:
    """Add whole clusters."""
    found = Moments()
    for x, y in clusters:
        found.add(x, y)
    return found


def bounds(one: Interval | None) -> list[float]:
    """Return an interval's figures."""
    assert one is not None
    return [one.estimate, one.low, one.high, one.n]


@given(CLUSTERS)
def test_the_interval_is_that_of_the_raw_values(clusters: list[list[int]]) -> None:
    found = ratio_interval(moments([(sum(one), len(one)) for one in clusters]))
    assert bounds(found) == pytest.approx(bounds(cluster_mean(clusters)), abs=1e-9)


@given(PAIRS)
def test_a_difference_of_two_ratios_is_that_of_the_raw_pairs(
    pairs: list[tuple[int, int, int]],
) -> None:
    found = ratio_interval(moments([(after - before, y) for before, after, y in pairs]))
    raw = ratio_difference(
        [Share(part=before, of=y) for before, _, y in pairs],
        [Share(part=after, of=y) for _, after, y in pairs],
        paired=True,
    )
    assert bounds(found) == pytest.approx(bounds(raw), abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1), st.data())
def test_any_order_and_any_split_give_the_same_sums(
    clusters: list[tuple[int, int]], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(clusters))
    at = data.draw(st.integers(0, len(clusters)))
    merged = moments(shuffled[:at])
    merged.merge(Moments.from_list(moments(shuffled[at:]).to_list()))
    assert merged == moments(clusters)
    assert merged.ratio == ratio([Share(part=x, of=y) for x, y in clusters])


def test_fewer_than_two_clusters_have_no_interval() -> None:
    assert ratio_interval(Moments()) is None
    assert ratio_interval(moments([(3, 7), (0, 0)])) is None
    assert ratio_interval(moments([(1, 0), (2, 0)])) is None
    assert Moments().ratio is None


def test_equal_ratios_of_huge_clusters_have_an_interval_without_width() -> None:
    found = ratio_interval(moments([(10**15, 3 * 10**15), (7 * 10**15, 21 * 10**15)]), unit="runs")
    assert bounds(found) == [1 / 3, 1 / 3, 1 / 3, 2]
    assert found is not None
    assert (found.level, found.unit) == (0.95, "runs")


@pytest.mark.parametrize("sums", [[], [1, 2, 3], [2, 1.0, 1, 1, 1, 1], [-1, 0, 0, 0, 0, 0]])
def test_what_is_no_list_of_six_sums_is_refused(sums: list[int]) -> None:
    with pytest.raises(ValueError, match="six integers"):
        Moments.from_list(sums)


def test_the_interval_covers_the_true_ratio_as_often_as_it_says() -> None:
    draws = random.Random(7)
    covered = sum(covers(draws, 0.3) for _ in range(600))
    assert 0.92 <= covered / 600 <= 0.98


def covers(draws: random.Random, true: float) -> bool:
    """Whether the interval of 30 sessions of unlike size, each with its own rate, covers."""
    found = Moments()
    for _ in range(30):
        y = draws.randint(5, 40)
        rate = draws.betavariate(6 * true, 6 * (1 - true))
        found.add(sum(draws.random() < rate for _ in range(y)), y)
    one = ratio_interval(found)
    return one is not None and one.low <= true <= one.high
