"""Ratios of sums over sessions or tasks, and how two of them differ."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ullage.stats.interval import Interval


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
    rng: random.Random,
    paired: bool = False,
    level: float = 0.95,
    resamples: int = 2_000,
    unit: str = "sessions",
) -> Interval:
    """Estimate the ratio after less the ratio before (percentile bootstrap over whole units).

    `paired`: the n-th of both are the same task, and are drawn together; else both sides are drawn
    by themselves. `n` of the interval is the number of pairs, or of units on the smaller side.
    Raises ValueError for fewer than two units on a side, where pairs do not match, and where a
    side's ratio is of nothing.
    """
    if paired and len(before) != len(after):
        raise ValueError(f"pairs need as many on both sides, got {len(before)} and {len(after)}")
    least = min(len(before), len(after))
    if least < 2:
        raise ValueError(f"a difference needs 2 units or more on each side, got {least}")
    old, new = ratio(before), ratio(after)
    if old is None or new is None:
        raise ValueError("a difference needs something on both sides that the ratio is of")
    draw = drawn_together if paired else drawn_apart
    found = sorted(differences(before, after, draw, rng, resamples))
    tail = round((1 - level) / 2 * len(found))
    return Interval(
        estimate=new - old, low=found[tail], high=found[-tail - 1], level=level, n=least, unit=unit
    )


Draw = Callable[
    [Sequence[Share], Sequence[Share], random.Random], tuple[Sequence[Share], Sequence[Share]]
]


def differences(
    before: Sequence[Share],
    after: Sequence[Share],
    draw: Draw,
    rng: random.Random,
    resamples: int,
) -> list[float]:
    """Return the differences of resamples; one whose ratio is of nothing is drawn again."""
    found: list[float] = []
    while len(found) < resamples:
        old, new = map(ratio, draw(before, after, rng))
        if old is not None and new is not None:
            found.append(new - old)
    return found


def drawn_together(
    before: Sequence[Share], after: Sequence[Share], rng: random.Random
) -> tuple[Sequence[Share], Sequence[Share]]:
    """Draw pairs."""
    places = rng.choices(range(len(before)), k=len(before))
    return [before[one] for one in places], [after[one] for one in places]


def drawn_apart(
    before: Sequence[Share], after: Sequence[Share], rng: random.Random
) -> tuple[Sequence[Share], Sequence[Share]]:
    """Draw each side by itself."""
    return rng.choices(before, k=len(before)), rng.choices(after, k=len(after))
