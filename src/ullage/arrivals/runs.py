"""Stretches of a delivered text that are the produced text's own, found by content."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

SEED = 16
"""A stretch is found when it holds a whole block of this length: surely from 31 characters on."""

SURE = 96
"""A stretch of this length is the right one: what records have in common is shorter."""

SHORTEST = 4
"""Less than this in common says nothing; a shorter produced text is found whole or not at all."""

CANDIDATES = 8
"""Places of one block that are tried; in a text that repeats itself one is as good as another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """`delivered[start:end]` equals the produced text from `at` on."""

    start: int
    end: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """A produced text with its blocks, made once where many texts are held against it."""

    text: str
    size: int
    places: Mapping[str, Sequence[int]]


def blocks(produced: str, *, seed: int = SEED) -> Blocks:
    """Index a produced text."""
    size = min(seed, max(SHORTEST, len(produced) // 4))
    return Blocks(text=produced, size=size, places=block_index(produced, size))


def runs(produced: str, delivered: str, *, seed: int = SEED) -> tuple[Run, ...]:
    """Find the stretches of `delivered`, in its order, that stand in `produced`."""
    if not produced or not delivered:
        return ()
    if produced in delivered:
        return whole_run(produced, delivered)
    return runs_of(blocks(produced, seed=seed), delivered)


def whole_run(produced: str, delivered: str) -> tuple[Run, ...]:
    """Return the one stretch in which a text stands as a whole."""
    start = delivered.index(produced)
    return (Run(start=start, end=start + len(produced), at=0),)


def runs_of(known: Blocks, delivered: str) -> tuple[Run, ...]:
    """Find the same in a text whose blocks are known."""
    produced = known.text
    if not produced or not delivered:
        return ()
    if produced in delivered:
        return whole_run(produced, delivered)
    return tuple(find_runs(produced, delivered, known.places, known.size))


def block_index(text: str, size: int) -> dict[str, list[int]]:
    """Index every block of `size` characters, side by side, by its text."""
    places: dict[str, list[int]] = {}
    for at in range(0, len(text) - size + 1, size):
        known = places.setdefault(text[at : at + size], [])
        if len(known) < CANDIDATES:
            known.append(at)
    return places


def find_runs(
    produced: str, delivered: str, places: Mapping[str, Sequence[int]], size: int
) -> list[Run]:
    """Walk over `delivered`; at a known block take the longest stretch around it.

    A short stretch may belong elsewhere, where records are alike: it waits, and gives way to a long
    one that reaches back over it.
    """
    found: list[Run] = []
    waiting: list[Run] = []
    position, free = 0, 0
    while position + size <= len(delivered):
        known = places.get(delivered[position : position + size])
        if known is None:
            position += 1
            continue
        run = longest(produced, delivered, position, known, free, follows=found)
        if run.end - run.start >= SURE:
            found += [*until(waiting, run.start, size), run]
            waiting.clear()
            position = free = run.end
            continue
        begin = max(run.start, waiting[-1].end if waiting else free)
        if run.end - begin >= size:
            waiting.append(Run(start=begin, end=run.end, at=run.at + begin - run.start))
        # Long stretches have known blocks all over: one is met behind this one, too.
        position = max(position, run.end - size) + 1
    return [*found, *waiting]


def until(waiting: Sequence[Run], start: int, size: int) -> Iterator[Run]:
    """Yield what a surer stretch, from `start` on, leaves of those that waited."""
    for run in waiting:
        end = min(run.end, start)
        if end - run.start >= size:
            yield Run(start=run.start, end=end, at=run.at)


def longest(
    produced: str,
    delivered: str,
    position: int,
    known: Sequence[int],
    free: int,
    *,
    follows: Sequence[Run],
) -> Run:
    """Return the longest stretch around `position`, back to `free`; the next in order if equal."""
    last = follows[-1].at if follows else -1
    stretches = []
    for at in known:
        after = same_ahead(produced, at, delivered, position)
        before = same_behind(produced, at, delivered, position, limit=position - free)
        stretches.append(Run(start=position - before, end=position + after, at=at - before))
    return max(stretches, key=lambda run: (run.end - run.start, run.at > last, -run.at))


def same_ahead(produced: str, at: int, delivered: str, position: int) -> int:
    """Count the equal characters from two places on, in doubling steps."""
    limit = min(len(produced) - at, len(delivered) - position)
    same, step = 0, 32
    while same < limit and step:
        step = min(step, limit - same)
        if produced.startswith(delivered[position + same : position + same + step], at + same):
            same += step
            step *= 2
        else:
            step //= 2
    return same


def same_behind(produced: str, at: int, delivered: str, position: int, *, limit: int) -> int:
    """Count the equal characters before two places, at most `limit`."""
    same, limit = 0, min(limit, at)
    while same < limit and produced[at - same - 1] == delivered[position - same - 1]:
        same += 1
    return same


def kept(found: Sequence[Run]) -> int:
    """Return how many characters of the produced text the stretches hold, each once."""
    total, reached = 0, 0
    for run in sorted(found, key=lambda run: run.at):
        end = run.at + run.end - run.start
        total += max(0, end - max(run.at, reached))
        reached = max(reached, end)
    return total
