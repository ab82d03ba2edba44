"""Wilson's interval for a share of successes."""

import math
from dataclasses import dataclass
from statistics import NormalDist


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A share of successes with its interval at a level of confidence."""

    successes: int
    n: int
    low: float
    high: float
    level: float

    @property
    def estimate(self) -> float:
        """The share that was seen."""
        return self.successes / self.n


def wilson(successes: int, n: int, level: float = 0.95) -> Share:
    """Return the score interval of `successes` out of `n` trials (Wilson 1927, JASA 22:209-212).

    Raises ValueError without a trial, and where the figures contradict each other.
    """
    if n < 1:
        raise ValueError(f"an interval needs 1 trial or more, got {n}")
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n} trials cannot be")
    if not 0 < level < 1:
        raise ValueError(f"a level lies between 0 and 1, got {level}")
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share = successes / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == n else min(1.0, middle + half)
    return Share(successes=successes, n=n, low=low, high=high, level=level)
