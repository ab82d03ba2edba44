"""Which records to keep when not all of them fit."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from ullage.cutter.share import level
from ullage.cutter.standout import Standout

# What stands out may use up to this share of a part, so that a noisy column cannot push out the
# even sample that shows what is normal.
STANDOUT_SHARE = 0.5
# A record is shortened only when it is larger than this share of its list's budget; all others are
# whole or absent.
OUTSIZED = 4
# Nor is a record shortened that is this small, as long as it fits at all: what is left of it would
# say nothing.
SMALL = 200
# Up to one in so many are put in order one by one; where there are more, the first ones are soon
# all that is asked for.
FEW = 16


def capped(sizes: Sequence[int], budget: int, least: Callable[[int], int]) -> list[int]:
    """Return what each record may take: its size, or, where it is outsized, what is left of it.

    `least` says how small the record at an index can get.
    """
    cap = max(budget // OUTSIZED, min(SMALL, budget))
    if max(sizes, default=0) <= cap:
        return list(sizes)
    cap = max(cap, level(sizes, budget))
    return [
        size if size <= cap else min(size, max(cap, least(index)))
        for index, size in enumerate(sizes)
    ]


def choose(
    costs: Sequence[int],
    budget: int,
    *,
    wanted: Sequence[int],
    unusual: Sequence[Standout],
    standout_share: float = STANDOUT_SHARE,
) -> dict[int, str]:
    """Return the index of each record to keep, and why; the sum of their costs is within `budget`.

    The order of preference is: what the caller wants, the first and the last, what stands out
    (strongest first), an even sample, then whatever still fits. So nothing left out would fit.
    """
    chosen: dict[int, str] = {}
    left = budget
    smallest = min(costs, default=0)

    def take(order: Iterable[tuple[int, str]], reserve: int = 0) -> None:
        nonlocal left
        for index, why in order:
            if left - reserve < smallest:
                return
            if index not in chosen and costs[index] <= left - reserve:
                chosen[index] = why
                left -= costs[index]

    last = len(costs) - 1
    take((index, "keep") for index in wanted)
    take(iter([(0, "first"), (last, "last")]) if costs else iter(()))
    # The strongest has no share to keep: it says more than any sample.
    take((one.record, one.why) for one in unusual[:1])
    take(
        ((one.record, one.why) for one in unusual[1:]),
        reserve=round(left * (1 - standout_share)),
    )
    rest = [index for index in range(len(costs)) if index not in chosen] if left >= smallest else []
    average = (sum(costs) - sum(costs[index] for index in chosen)) / len(rest) if rest else 1
    take((rest[at], "sample") for at in spread(len(rest), int(left / average)))
    small = [at for at, index in enumerate(rest) if costs[index] <= left]
    take((rest[at], "sample") for at in halving(small, len(rest)))
    return chosen


def spread(count: int, picks: int) -> Iterator[int]:
    """Yield `picks` indices below `count`, evenly spaced, with half a gap at each end."""
    picks = min(picks, count)
    for pick in range(picks):
        yield (2 * pick + 1) * count // (2 * picks)


def halving(indices: Sequence[int], count: int) -> Iterator[int]:
    """Yield indices below `count`, each in the middle of a gap of all below it (van der Corput)."""
    bits = max(count - 1, 1).bit_length()

    def mirrored(number: int) -> int:
        return int(f"{number:0{bits}b}"[::-1], 2)

    if len(indices) * FEW < count:
        yield from sorted(indices, key=mirrored)
        return
    wanted = set(indices)
    yield from (index for index in map(mirrored, range(1 << bits)) if index in wanted)
