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
        found = cluster_mean(clusters)
        held += found.low <= 1 <= found.high

    assert 0.85 <= held / TRIES <= 0.99


def test_six_clusters_without_an_effect_show_one_no_more_often_than_it_says() -> None:
    rng = random.Random(11)
    tries, above = 1_000, 0
    for _ in range(tries):
        clusters = [[rng.gauss(0, 1) for _ in range(rng.randint(1, 3))] for _ in range(6)]
        above += cluster_mean(clusters).low > 0

    assert above / tries <= 0.04


def test_values_of_one_cluster_do_not_count_as_many() -> None:
    spread = [[float(n)] * 100 for n in range(6)]
    found = cluster_mean(spread)

    assert found.n == 6
    assert found.high - found.low > 1


def test_one_cluster_gives_no_interval() -> None:
    with pytest.raises(ValueError, match="2 clusters or more, got 1"):
        cluster_mean([[1.0, 2.0], []])
