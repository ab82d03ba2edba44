"""Sums over clusters that can be merged, and the interval of the ratio that they make."""

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass

from ullage.stats.interval import Interval
from ullage.stats.student import t_quantile


@dataclass(slots=True, kw_only=True)
class Moments:
    """Integer sums over clusters, each of which adds `x` of `y`: so much of so much.

    Integers only, so that any order of adding and merging gives the same sums, and the interval is
    free of cancellation. For two ratios with one denominator in the same clusters (two policies
    over the same records) add the difference: `add(after - before, y)`; the interval is then that
    of the ratio after less the ratio before, paired by cluster.
    """

    n: int = 0
    x: int = 0
    y: int = 0
    xx: int = 0
    xy: int = 0
    yy: int = 0

    def add(self, x: int, y: int) -> None:
        """Add one whole cluster; one with nothing on either side is none."""
        if x == 0 and y == 0:
            return
        self.n += 1
        self.x += x
        self.y += y
        self.xx += x * x
        self.xy += x * y
        self.yy += y * y

    def merge(self, other: "Moments") -> None:
        """Add the clusters of another sum; no cluster may be in both."""
        self.n += other.n
        self.x += other.x
        self.y += other.y
        self.xx += other.xx
        self.xy += other.xy
        self.yy += other.yy

    @property
    def ratio(self) -> float | None:
        """All x over all y; None where y is nothing."""
        return self.x / self.y if self.y else None

    def to_list(self) -> list[int]:
        """Return the sums in the order n, x, y, xx, xy, yy."""
        return list(astuple(self))

    @classmethod
    def from_list(cls, sums: Sequence[int]) -> "Moments":
        """Return what `to_list` wrote; raises ValueError for anything else."""
        if len(sums) != 6 or not all(type(one) is int for one in sums) or sums[0] < 0:
            raise ValueError(f"expected the six integers n, x, y, xx, xy, yy, got {list(sums)!r}")
        n, x, y, xx, xy, yy = sums
        return cls(n=n, x=x, y=y, xx=xx, xy=xy, yy=yy)


def ratio_interval(
    moments: Moments, level: float = 0.95, unit: str = "sessions"
) -> Interval | None:
    """Estimate x / y with the error that whole clusters show (linearised, Student's t).

    The variance is that of the sums of x - ratio * y by cluster, with n - 1 degrees of freedom.
    None for fewer than two clusters, and where y is nothing. Few clusters, or clusters of very
    unlike size, give intervals that are somewhat too narrow. Cochran, Sampling Techniques (1977),
    2.11.
    """
    n, x, y = moments.n, moments.x, moments.y
    if n < 2 or y == 0:
        return None
    # The sum of (x - ratio * y) squared, times y squared: exact, and so never below nothing.
    away = moments.xx * y * y - 2 * moments.xy * x * y + moments.yy * x * x
    reach = t_quantile(level, n - 1) * math.sqrt(n * away / ((n - 1) * y**4))
    found = x / y
    return Interval(
        estimate=found, low=found - reach, high=found + reach, level=level, n=n, unit=unit
    )
