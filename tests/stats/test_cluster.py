"""The interval of a mean of clustered values."""

import random

import pytest

from ullage.stats.cluster import cluster_mean

TRIES = 100


def test_the_interval_holds_the_true_mean_about_as_often_as_it_says() -> None:
    rng = random.Random(7)
    held = 0
    for _ in range(TRIES):
        clusters = []
        for _ in range(30):
            level = rng.gauss(1, 1)
            clusters.append([rng.gauss(level, 1) for _ in range(rng.randint(1, 5))])
        found = cluster_mean(clusters, rng=rng, resamples=200)
        held += found.low <= 1 <= found.high

    assert 0.85 <= held / TRIES <= 0.99


def test_values_of_one_cluster_do_not_count_as_many() -> None:
    spread = [[float(n)] * 100 for n in range(6)]
    found = cluster_mean(spread, rng=random.Random(1))

    assert found.n == 6
    assert found.high - found.low > 1


def test_one_cluster_gives_no_interval() -> None:
    with pytest.raises(ValueError, match="2 clusters or more, got 1"):
        cluster_mean([[1.0, 2.0], []], rng=random.Random(1))
