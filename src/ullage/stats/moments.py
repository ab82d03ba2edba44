"""Sums over clusters from which a ratio and its error follow: they can be merged in any order."""

import math
from dataclasses import dataclass

from ullage.stats.interval import Interval
from ullage.stats.student import t_quantile


@dataclass(slots=True, kw_only=True)
class Moments:
    """Clusters, each with so much (`x`) of so much (`y`): their number, their sums and products.

    Whole numbers, so that the result does not depend on the order in which shards are merged.
    """

    n: int = 0
    x: int = 0
    y: int = 0
    xx: int = 0
    xy: int = 0
    yy: int = 0

    def add(self, x: int, y: int) -> None:
        """Add one cluster; one of nothing says nothing."""
        if y == 0:
            return
        self.n += 1
        self.x += x
        self.y += y
        self.xx += x * x
        self.xy += x * y
        self.yy += y * y

    def merge(self, other: "Moments") -> None:
        """Add the clusters of another one."""
        self.n += other.n
        self.x += other.x
        self.y += other.y
        self.xx += other.xx
        self.xy += other.xy
        self.yy += other.yy

    def to_list(self) -> list[int]:
        """Return the figures, in the order of the fields."""
        return [self.n, self.x, self.y, self.xx, self.xy, self.yy]

    @classmethod
    def of(cls, figures: list[int]) -> "Moments":
        """Return what `to_list` wrote."""
        n, x, y, xx, xy, yy = figures
        return cls(n=n, x=x, y=y, xx=xx, xy=xy, yy=yy)


def ratio_interval(
    moments: Moments, *, level: float = 0.95, unit: str = "sessions"
) -> Interval | None:
    """Estimate the ratio of all x to all y; None for fewer than two clusters.

    Linearised, with Student's t over whole clusters: Cochran, Sampling Techniques (1977), 2.11.
    Where x may be negative, as a difference of two ratios with one denominator is, so may the
    ratio.
    """
    if moments.n < 2:
        return None
    ratio = moments.x / moments.y
    # The sum of (x - ratio * y) ** 2 in whole numbers, so that no digit is lost before the root.
    squares = (
        moments.xx * moments.y**2
        - 2 * moments.x * moments.y * moments.xy
        + moments.x**2 * moments.yy
    )
    error = math.sqrt(moments.n / (moments.n - 1) * squares) / moments.y**2
    reach = t_quantile(level, moments.n - 1) * error
    return Interval(
        estimate=ratio, low=ratio - reach, high=ratio + reach, level=level, n=moments.n, unit=unit
    )
