"""An estimate with its interval."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An estimate between its bounds at a level (0.95), from `n` units of which kind it says."""

    estimate: float
    low: float
    high: float
    level: float
    n: int
    unit: str
