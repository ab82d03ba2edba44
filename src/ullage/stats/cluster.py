"""The mean of values that come in clusters: sessions, recordings, tasks."""

import math
from collections.abc import Sequence
from statistics import fmean

from ullage.stats.interval import Interval
from ullage.stats.student import t_quantile


def cluster_mean(
    clusters: Sequence[Sequence[float]], *, level: float = 0.95, unit: str = "clusters"
) -> Interval:
    """Estimate the mean of all values, with the error that whole clusters show (Student's t).

    Values of one session are not independent, so the unit that counts is the session: the error is
    that of the sums by cluster, with clusters - 1 degrees of freedom. Resampling six to ten
    clusters gives intervals that are too narrow. Raises ValueError for fewer than two clusters that
    hold a value. Cameron and Miller, A Practitioner's Guide to Cluster-Robust Inference, Journal of
    Human Resources 50 (2015), sections II and VI.
    """
    filled = [list(one) for one in clusters if one]
    if len(filled) < 2:
        raise ValueError(f"an interval needs 2 clusters or more, got {len(filled)}")
    mean = fmean(value for one in filled for value in one)
    count = sum(map(len, filled))
    away = [sum(value - mean for value in one) / count for one in filled]
    reach = t_quantile(level, len(filled) - 1) * math.sqrt(variance(away))
    return Interval(
        estimate=mean,
        low=mean - reach,
        high=mean + reach,
        level=level,
        n=len(filled),
        unit=unit,
    )


def variance(away: Sequence[float]) -> float:
    """Return the variance of a sum, from how far each of its units is away from none at all."""
    return len(away) / (len(away) - 1) * sum(one * one for one in away)
