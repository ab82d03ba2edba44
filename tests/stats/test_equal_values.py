"""Values that more things share than chance gives."""

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from ullage.stats.equal_values import clusters, tail


def test_a_cap_among_scattered_lengths_is_no_chance() -> None:
    draw = random.Random(1)
    counts = Counter(draw.randrange(200, 9000) for _ in range(700)) + Counter({10_000: 5})

    first = next(iter(clusters(counts)))

    assert (first.high, first.size, first.above) == (10_000, 5, 0)
    assert first.chance < 1e-5


def test_equal_lengths_among_many_short_texts_are_chance() -> None:
    draw = random.Random(2)
    counts = Counter(int(draw.expovariate(1 / 120)) + 20 for _ in range(800))

    assert all(one.chance > 1e-3 for one in clusters(counts))


def test_random_lengths_rarely_make_a_cluster() -> None:
    draw = random.Random(3)
    found = 0
    for _ in range(300):
        counts = Counter(round(draw.lognormvariate(6.5, 1.2)) + 1 for _ in range(200))
        found += any(one.chance < 1e-3 and one.high >= 300 for one in clusters(counts))

    assert found <= 3


def test_neighbouring_sizes_count_as_one_where_a_unit_is_not_exact() -> None:
    counts = {500: 1, 9_997: 2, 9_999: 1, 10_000: 2}

    assert [(one.low, one.high, one.size) for one in clusters(counts, spread=4)] == [
        (9_997, 10_000, 5)
    ]
    assert list(clusters(counts)) == []


@given(st.dictionaries(st.integers(1, 5000), st.integers(1, 9)), st.integers(1, 5))
def test_no_thing_is_counted_in_two_clusters(counts: dict[int, int], spread: int) -> None:
    found = list(clusters(counts, spread=spread))

    inside = [size for one in found for size in range(one.low, one.high + 1)]
    assert len(inside) == len(set(inside))
    assert sum(one.size for one in found) <= sum(counts.values())
    assert all(0 <= one.chance <= 1 for one in found)


def test_the_tail_is_poissons() -> None:
    assert abs(tail(3, 2.0) - 0.3233235838) < 1e-9
    assert abs(tail(1, 0.5) - 0.3934693403) < 1e-9
    assert tail(2, 5.0) == 1.0
