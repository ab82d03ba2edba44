"""Stretches of calls without a compaction, to hold those against that had one: by how full it was.

There may be thousands of sessions with hundreds of compactions each: a place is measured once, and
places that are as full are found without a look at the others.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from ullage.checks.steps import Again, Step, again

STRETCH = 20
"""So many calls before and after a compaction are looked at."""
BACK = 2
"""What was done in so many stretches before one counts as done before."""
ALIKE = 0.15
"""Fills within this share of each other are the same."""
MOST_MATCHES = 20
NOTHING = -(1 << 63)
"""Stands for a figure that is not known."""
MOST = 1 << 62
"""No more tokens than this are kept: a number in somebody's file may be of any size."""


class Packed(Sequence[Step]):
    """Steps in 40 bytes each: those of all sessions are kept to the end."""

    __slots__ = ("figures",)

    def __init__(self, figures: "array[int]") -> None:
        self.figures = figures

    @classmethod
    def of(cls, steps: Iterable[Step]) -> "Packed":
        """Pack steps."""
        figures = array("q")
        for one in steps:
            tokens = NOTHING if one.tokens is None else max(-MOST, min(one.tokens, MOST))
            figures.extend((one.entry, tokens, *map(packed, (one.file, one.command, one.error))))
        return cls(figures)

    def __len__(self) -> int:
        return len(self.figures) // FIELDS

    @overload
    def __getitem__(self, at: int) -> Step: ...
    @overload
    def __getitem__(self, at: slice) -> list[Step]: ...
    def __getitem__(self, at: int | slice) -> Step | list[Step]:
        """Return steps as they were."""
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        begin = range(len(self))[at] * FIELDS
        entry, tokens, *marks = self.figures[begin : begin + FIELDS]
        file, command, error = map(unpacked, marks)
        return Step(
            entry=entry,
            tokens=None if tokens == NOTHING else tokens,
            file=file,
            command=command,
            error=error,
        )


FIELDS = 5


def packed(mark: int | None) -> int:
    """Return a mark, a number of 64 bits, as one with a sign; the least of them stands for none."""
    return NOTHING if mark is None else max(mark, 1) + NOTHING


def unpacked(figure: int) -> int | None:
    """Return the mark that was packed."""
    return None if figure == NOTHING else figure - NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """The calls of one session as figures, and where its compactions stand among them, in order."""

    session: str
    agent: str | None
    steps: Sequence[Step]
    places: Sequence[int]


class Pool:
    """The changes at places that are far from a compaction, with the fill of each."""

    def __init__(self, found: Sequence[tuple[int | None, float]]) -> None:
        self.all = [change for _, change in found]
        full = sorted((fill, at) for at, (fill, _) in enumerate(found) if fill is not None)
        self.fills = [fill for fill, _ in full]
        self.changes = [self.all[at] for _, at in full]

    def like(self, fill: int | None) -> Sequence[float]:
        """Return the changes at some of the places that are as full, evenly spread over them.

        They are never many more than `MOST_MATCHES`; where a fill is not known, any place will do.
        """
        if fill is None:
            begin, end, changes = 0, len(self.all), self.all
        else:
            within = int(ALIKE * fill)
            begin = bisect_left(self.fills, fill - within)
            end = bisect_right(self.fills, fill + within)
            changes = self.changes
        return changes[begin : end : max(1, (end - begin) // MOST_MATCHES)]


class Pools:
    """The pools of sessions and of agents, made when they are first asked for."""

    def __init__(self, trails: Sequence[Trail]) -> None:
        self.trails = trails
        self.by_agent: dict[tuple[str | None, int], Pool] = {}
        self.own: tuple[Trail, int, Pool] | None = None

    def matches(self, trail: Trail, place: int) -> Sequence[float]:
        """Return the changes at like places: of the same session, else of the same agent's."""
        length = length_at(trail.steps, place)
        fill = fill_at(trail, place)
        return self.of(trail, length).like(fill) or self.of_agent(trail.agent, length).like(fill)

    def of(self, trail: Trail, length: int) -> Pool:
        """Return the pool of a session; rows come session by session, so the last one is kept."""
        if self.own is None or self.own[0] is not trail or self.own[1] != length:
            self.own = (trail, length, Pool(list(changes(trail, length))))
        return self.own[2]

    def of_agent(self, agent: str | None, length: int) -> Pool:
        """Return the pool of all sessions of an agent."""
        key = (agent, length)
        if key not in self.by_agent:
            trails = (one for one in self.trails if one.agent == agent)
            found = [change for one in trails for change in changes(one, length)]
            self.by_agent[key] = Pool(found)
        return self.by_agent[key]


def changes(trail: Trail, length: int) -> Iterator[tuple[int | None, float]]:
    """Give the fills and changes of a session's places that are far from a compaction."""
    steps = trail.steps[:]
    for place in range((BACK + 1) * length, len(steps) - length + 1):
        if not near(place, trail.places, length):
            before, after = sides(steps, place, length)
            yield fill_at(trail, place), float(after.all - before.all)


def near(place: int, compactions: Sequence[int], length: int) -> bool:
    """Whether a compaction falls into the stretches around a place, or right before them."""
    first = bisect_right(compactions, place - (BACK + 1) * length)
    return first < len(compactions) and compactions[first] < place + length


def length_at(walked: Sequence[Step], place: int) -> int:
    """Return how many calls before and after a place can be held against each other."""
    return min(STRETCH, place // (BACK + 1), len(walked) - place)


def sides(walked: Sequence[Step], place: int, length: int) -> tuple[Again, Again]:
    """Return what was done again in the stretch before a place, and in the one after it.

    Each is held against as many calls before it, so that a session's length makes no difference.
    """
    begin, back = place - length, BACK * length
    before = again(walked[begin - back : begin], walked[begin:place])
    return before, again(walked[place - back : place], walked[place : place + length])


def fill_at(trail: Trail, place: int) -> int | None:
    """Return the tokens of the context at the last call before a place."""
    return trail.steps[place - 1].tokens if place else None
