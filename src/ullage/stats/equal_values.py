"""Values that more things share than chance would give: the mark of a cap."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

REACH = 0.25
"""The density around a value is taken this far from it, as a share of the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Things at one value: `low` to `high`, where a unit is not counted to the last one.

    `expected` are those that the density of the values near by would give there, `chance` bounds
    the probability that any value of the whole set has so many. `above` counts things over it.
    """

    low: int
    high: int
    size: int
    expected: float
    chance: float
    above: int


def clusters(counts: Mapping[int, int], *, spread: int = 1, least: int = 3) -> Iterator[Cluster]:
    """Yield the clusters of `least` things or more, the highest value first.

    `counts` has the number of distinct things at each positive value; `spread` neighbouring values
    count as one. Lengths near by are taken as a Poisson process whose density is the larger of
    those below and around; the chance is multiplied by the number of values (Bonferroni), but for
    the highest, which is only one.
    """
    values = sorted(counts)
    sums = [0, *accumulate(counts[one] for one in values)]

    def between(low: float, high: float) -> int:
        return sums[bisect_right(values, high)] - sums[bisect_left(values, low)]

    below: float = math.inf
    for high in reversed(values):
        low = high - spread + 1
        if high >= below:  # inside the last one
            continue
        size = between(low, high)
        if size < least:
            continue
        reach = max(1.0, REACH * high)
        under = between(low - reach, low - 1)
        over = between(high + 1, high + reach)
        density = max((under + 1) / reach, (under + over + 1) / (2 * reach))
        expected = density * spread
        above = sums[-1] - sums[bisect_right(values, high)]
        chance = min(1.0, (len(values) if above else 1) * tail(size, expected))
        below = low
        yield Cluster(low=low, high=high, size=size, expected=expected, chance=chance, above=above)


def tail(least: int, expected: float) -> float:
    """Return the probability of `least` events or more where `expected` are, by Poisson."""
    if least <= expected:
        return 1.0
    term = math.exp(least * math.log(expected) - expected - math.lgamma(least + 1))
    total, number = 0.0, least
    while term > total * 1e-12:  # each term is smaller than the last by expected / number < 1
        total += term
        number += 1
        term *= expected / number
    return min(1.0, total)
