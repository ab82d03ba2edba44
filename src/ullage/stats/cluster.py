"""The mean of values that come in clusters: sessions, recordings, tasks."""

import random
from collections.abc import Sequence
from statistics import fmean

from ullage.stats.interval import Interval


def cluster_mean(
    clusters: Sequence[Sequence[float]],
    *,
    rng: random.Random,
    level: float = 0.95,
    resamples: int = 2_000,
    unit: str = "clusters",
) -> Interval:
    """Estimate the mean of all values, resampling whole clusters (percentile bootstrap).

    Values of one session are not independent, so the unit that counts is the session. Raises
    ValueError for fewer than two clusters that hold a value. Few clusters (under ten or so) make
    such an interval too narrow: say n beside it. Efron and Tibshirani, An Introduction to the
    Bootstrap (1993), chapter 13; resampling clusters: Davison and Hinkley (1997), section 3.8.
    """
    filled = [list(one) for one in clusters if one]
    if len(filled) < 2:
        raise ValueError(f"an interval needs 2 clusters or more, got {len(filled)}")
    means = []
    for _ in range(resamples):
        drawn = rng.choices(filled, k=len(filled))
        means.append(fmean(value for one in drawn for value in one))
    means.sort()
    tail = round((1 - level) / 2 * resamples)
    return Interval(
        estimate=fmean(value for one in filled for value in one),
        low=means[tail],
        high=means[-tail - 1],
        level=level,
        n=len(filled),
        unit=unit,
    )
