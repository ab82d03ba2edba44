"""Ratios of sums over sessions or tasks, and how two of them differ."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ullage.stats.cluster import variance
from ullage.stats.interval import Interval
from ullage.stats.student import t_quantile


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What one unit adds to a ratio: so much of so much. For a mean per unit `of` is 1."""

    part: float
    of: float


def ratio(shares: Sequence[Share]) -> float | None:
    """Return the parts over what they are of, summed; None where that is nothing."""
    of = sum(one.of for one in shares)
    return sum(one.part for one in shares) / of if of else None


def ratio_difference(
    before: Sequence[Share],
    after: Sequence[Share],
    *,
    paired: bool = False,
    level: float = 0.95,
    unit: str = "sessions",
) -> Interval:
    """Estimate the ratio after less the ratio before (linearised, Student's t over whole units).

    `paired`: the n-th of both are the same task, and differ together; else each side has its own
    error, with Welch's degrees of freedom. `n` of the interval is the number of pairs, or of units
    on the smaller side. Raises ValueError for fewer than two units on a side, where pairs do not
    match, and where a side's ratio is of nothing. Cochran, Sampling Techniques (1977), 2.11
    and 6.3; Welch, Biometrika 34 (1947).
    """
    if paired and len(before) != len(after):
        raise ValueError(f"pairs need as many on both sides, got {len(before)} and {len(after)}")
    least = min(len(before), len(after))
    if least < 2:
        raise ValueError(f"a difference needs 2 units or more on each side, got {least}")
    old, new = ratio(before), ratio(after)
    if old is None or new is None:
        raise ValueError("a difference needs something on both sides that the ratio is of")
    sides = away(before, old), away(after, new)
    error, freedom = together(*sides) if paired else apart(*sides)
    reach = t_quantile(level, freedom) * math.sqrt(error)
    found = new - old
    return Interval(
        estimate=found, low=found - reach, high=found + reach, level=level, n=least, unit=unit
    )


def away(shares: Sequence[Share], found: float) -> list[float]:
    """Return by how much each unit moves a ratio."""
    of = sum(one.of for one in shares)
    return [(one.part - found * one.of) / of for one in shares]


def together(before: Sequence[float], after: Sequence[float]) -> tuple[float, int]:
    """Return the variance of the difference of pairs, and its degrees of freedom."""
    return variance([new - old for old, new in zip(before, after, strict=True)]), len(before) - 1


def apart(before: Sequence[float], after: Sequence[float]) -> tuple[float, int]:
    """Return the variance of the difference of two sides, and its degrees of freedom."""
    old, new = variance(before), variance(after)
    below = old * old / (len(before) - 1) + new * new / (len(after) - 1)
    least = min(len(before), len(after)) - 1
    return old + new, max(least, int((old + new) ** 2 / below)) if below else least
