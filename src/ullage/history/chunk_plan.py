"""Which records go into which chunk: whole ones, in order, within the room of a chunk."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from ullage.cutter.budget import Budget
from ullage.cutter.cut import cut
from ullage.errors import HistoryError
from ullage.history.sheet import Sheet, Written

Oversize = Literal["cut", "refuse"]
"""What becomes of a single record that is larger than a chunk."""
MOST_RANGES = 6
"""A label names so many runs of records; of more it says the first and the last, and how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What a chunk may hold of data: `limit` in the unit of `measure`; at most `size` records."""

    limit: int
    measure: Callable[[str], int]
    budget: Callable[[int], Budget]
    size: int | None = None
    oversize: Oversize = "cut"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Some records of the data, whole; `cut` are the positions of those that are not."""

    number: int
    of: int
    positions: tuple[int, ...]
    written: Written
    cut: tuple[int, ...] = ()

    @property
    def label(self) -> str:
        """The chunk by its number and its records, counted from 0."""
        return f"[chunk {self.number} of {self.of}: {ranged(self.positions)}]"


def ranged(positions: Sequence[int]) -> str:
    """Name records by their runs."""
    runs = [
        [position for _, position in run]
        for _, run in groupby(enumerate(positions), key=lambda one: one[1] - one[0])
    ]
    if len(runs) > MOST_RANGES:
        return f"{len(positions)} records between {positions[0]} and {positions[-1]}"
    shown = ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return f"records {shown}" if len(positions) > 1 else f"record {shown}"


def planned(sheet: Sheet, room: Room, by: str | None) -> tuple[list[Chunk], list[str]]:
    """Return the chunks, and in words what of them is not as it was asked for.

    Records of one value of `by` stay together as long as they fit into one chunk. Raises
    HistoryError for a record that is larger than a chunk where that is to be refused.
    """
    sizes = [room.measure(one) + 1 for one in sheet.records]
    groups, notes = grouped(sheet, by)
    chunks: list[Chunk] = []
    for positions in filled(groups, sizes, room, notes):
        chunks += fitting(sheet, positions, room, notes)
    return [
        replace(one, number=number, of=len(chunks)) for number, one in enumerate(chunks, start=1)
    ], notes


Group = tuple[str, list[int]]
"""The value that records have in common, in words, and their positions."""


def grouped(sheet: Sheet, by: str | None) -> tuple[list[Group], list[str]]:
    """Return records that stay together; each alone where nothing is asked for."""
    if by is None:
        return [("", [at]) for at in range(len(sheet.records))], []
    values = sheet.values()
    found: dict[Hashable, list[int]] = {}
    without = 0
    for at in range(len(sheet.records)):
        value = values[at] if at < len(values) else None
        if isinstance(value, Mapping) and by in value:
            found.setdefault(repr(value[by]), []).append(at)
        else:
            without += 1
            found[at] = [at]
    if without == len(sheet.records):
        raise ValueError(f"by={by!r}: no record has that key; look at the names in the data")
    notes = [f"{without} of {len(sheet.records)} records have no {by!r}"] if without else []
    return [(f"{by}={key}", positions) for key, positions in found.items()], notes


def filled(
    groups: Sequence[Group], sizes: Sequence[int], room: Room, notes: list[str]
) -> Iterator[list[int]]:
    """Yield the positions of each chunk: groups in order for as long as they fit."""
    now: list[int] = []
    used = 0
    most = room.size or len(sizes)
    for name, positions in groups:
        cost = sum(sizes[at] for at in positions)
        if now and (used + cost > room.limit or len(now) + len(positions) > most):
            yield now
            now, used = [], 0
        if cost > room.limit and len(positions) > 1:
            notes.append(f"{name}: {len(positions)} records do not fit into one chunk")
            yield from filled([("", [at]) for at in positions], sizes, room, notes)
            continue
        now, used = now + positions, used + cost
    if now:
        yield now


def fitting(
    sheet: Sheet, positions: Sequence[int], room: Room, notes: list[str]
) -> Iterator[Chunk]:
    """Yield one chunk, or halves of it until each is within the room: heads take some of it."""
    written = sheet.write(positions)
    if room.measure(written.text) <= room.limit:
        yield Chunk(number=0, of=0, positions=tuple(sorted(positions)), written=written)
    elif len(positions) > 1:
        half = len(positions) // 2
        yield from fitting(sheet, positions[:half], room, notes)
        yield from fitting(sheet, positions[half:], room, notes)
    else:
        yield oversized(sheet, positions[0], room, notes)


def oversized(sheet: Sheet, position: int, room: Room, notes: list[str]) -> Chunk:
    """Return the chunk of one record that has to be cut, or refuse it."""
    record = sheet.records[position]
    size = room.measure(record)
    if room.oversize == "refuse":
        raise HistoryError(
            f"record {position} takes {size}, and a chunk has room for {room.limit}: raise the "
            'budget or the share, or have it cut with oversize="cut"'
        )
    frame = room.measure(sheet.write([position], {position: ""}).text)
    left = room.limit - frame
    done = None
    while left >= 1:
        done = cut(record, room.budget(left))
        written = sheet.write([position], {position: done.text})
        over = room.measure(written.text) - room.limit
        if over <= 0:
            notes.append(
                f"record {position} is larger than a chunk ({size} of {room.limit}) and was cut: "
                f"{done.notice}"
            )
            return Chunk(number=0, of=0, positions=(position,), written=written, cut=(position,))
        left -= over
    raise HistoryError(
        f"a chunk has room for {room.limit}, and what stands around each record takes {frame} of "
        "it: raise the budget or the share"
    )
