"""Student's t: how many standard errors an interval from few units reaches."""

import math

FARTHEST = 1e4
STEPS = 60


def t_quantile(level: float, freedom: int) -> float:
    """Return how far the middle `level` (0.95) of Student's t with so many degrees of freedom goes.

    Found by halving where the distribution function is exact: Abramowitz and Stegun, Handbook of
    Mathematical Functions (1964), 26.7.3 and 26.7.4. Raises ValueError below one degree.
    """
    if freedom < 1:
        raise ValueError(f"Student's t needs 1 degree of freedom or more, got {freedom}")
    low, high = 0.0, FARTHEST
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle, freedom) < level else (low, middle)
    return high


def within(t: float, freedom: int) -> float:
    """Return the chance to be within `t` of 0, on either side."""
    angle = math.atan(t / math.sqrt(freedom))
    odd = freedom % 2
    cosine = math.cos(angle)
    term = cosine if odd else 1.0
    total = term if freedom > 1 else 0.0
    for one in range(2 + odd, freedom - 1, 2):
        term *= cosine * cosine * (one - 1) / one
        total += term
    if odd:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total
