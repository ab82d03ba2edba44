"""Results in a file of lines: one JSON object a line, made by whoever recorded them.

    {"session": "s1", "tool": "list_orders", "produced": "…", "call_id": "c1"}

`delivered` stands in the place of `produced` where only that is known.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ullage.errors import LoadError
from ullage.policies.recorded import Recorded
from ullage.policies.shard import Items, Shard


class Head(msgspec.Struct):
    """What a line must have to be planned: the rest is passed over unread."""

    session: str
    tool: str


class Line(msgspec.Struct):
    """A line as it is replayed."""

    session: str
    tool: str
    produced: str | None = None
    delivered: str | None = None
    call_id: str | None = None


HEAD = msgspec.json.Decoder(Head)
LINE = msgspec.json.Decoder(Line)


def fits(path: Path) -> bool:
    """Whether the first line of a file has the members of a recorded result, right or wrong."""
    with path.open("rb") as file:
        first = next(filter(bytes.strip, file), b"")
    try:
        found = json.loads(first)
    except (ValueError, RecursionError):
        return False
    if not isinstance(found, dict):
        return False
    return {"session", "tool"} <= found.keys() and not {"produced", "delivered"}.isdisjoint(found)


def plan(path: Path, source: int, most: int, *, whole: bool) -> Iterator[Shard]:
    """Split a file of lines by offsets; `whole` never splits a session that stands together.

    Raises LoadError for a line that is no recorded result.
    """
    seen: dict[str, tuple[int, int]] = {}
    cuts: list[tuple[int, int, int]] = []
    start = size = offset = 0
    last_session = None
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                session = head_of(path, number, line).session
                if size >= most and (not whole or session != last_session):
                    cuts.append((start, offset, size))
                    start, size = offset, 0
                first = seen.get(session, (offset, offset))[0]
                seen[session] = (first, offset)
                last_session, size = session, size + 1
            offset += len(line)
    if size:
        cuts.append((start, offset, size))
    crossing = crossing_of(seen, cuts)
    for (begin, end, count), split in zip(cuts, crossing, strict=True):
        yield Shard(
            number=0,
            source=source,
            kind="lines",
            paths=(str(path),),
            first=begin,
            last=end,
            split=split,
            size=count,
        )


def crossing_of(
    seen: dict[str, tuple[int, int]], cuts: list[tuple[int, int, int]]
) -> list[tuple[str, ...]]:
    """Return, for each range, the sessions that also stand outside of it."""
    found: list[list[str]] = [[] for _ in cuts]
    for session, (first, last) in seen.items():
        inside = [at for at, (begin, end, _) in enumerate(cuts) if first < end and last >= begin]
        if len(inside) > 1:
            for at in inside:
                found[at].append(session)
    return [tuple(sorted(one)) for one in found]


def head_of(path: Path, number: int, line: bytes) -> Head:
    """Return what a line is planned by. Raises LoadError."""
    try:
        return HEAD.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise LoadError(
            f"{path}:{number}: no recorded result: {error}; a line is an object with session, tool "
            "and produced (or delivered), all texts"
        ) from error


def read(shard: Shard) -> Items:
    """Give the results of a range. Raises LoadError for a line that is no recorded result."""
    with shard.path.open("rb") as file:
        file.seek(shard.first)
        offset = shard.first
        while offset < shard.last:
            line = file.readline()
            if line.strip():
                yield recorded(shard.path, offset, line)
            offset += len(line)


def recorded(path: Path, offset: int, line: bytes) -> Recorded:
    """Return the result of a line."""
    try:
        found = LINE.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise LoadError(f"{path}, byte {offset}: no recorded result: {error}") from error
    text = found.produced if found.produced is not None else found.delivered
    if text is None:
        raise LoadError(f"{path}, byte {offset}: neither `produced` nor `delivered` is there")
    return Recorded(
        session=found.session,
        tool=found.tool,
        text=text,
        known=found.produced is not None,
        place=f"{path} byte {offset}",
        number=offset,
        call_id=found.call_id,
    )
