"""Data as whole records that can be written again a few at a time, each in the bytes it came in.

A chunk keeps the syntax of the whole: JSON of the same root, the header of a table above each of
its chunks. Where a format does not give back all of the text, the records are its lines.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ullage.cutter import events, spans
from ullage.cutter.blocks import Block, Layout
from ullage.cutter.formats import READERS, read
from ullage.cutter.layers import as_it_is, peel
from ullage.cutter.values import Format
from ullage.history import leaves

SPACE = re.compile(r"\s+")
NO_REPLACEMENT: Mapping[int, str] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Some records as a text, and where in it each of them stands: position to start and end."""

    text: str
    places: Mapping[int, tuple[int, int]]


Piece = tuple[str, int | None]
"""A stretch of a text, and the position of the record that it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The records of a text. `values` are what they say, where their format tells; else empty.

    `pieces` writes the records at some positions; `instead` is the text of `lines` that says why
    the text is not read in its own format, None where it is.
    """

    form: str
    records: Sequence[str]
    values: Callable[[], Sequence[object]]
    pieces: Callable[[Sequence[int]], Iterator[Piece]]
    instead: str | None = None

    def write(
        self, positions: Sequence[int], changed: Mapping[int, str] = NO_REPLACEMENT
    ) -> Written:
        """Write the records at these positions; a changed one has another text."""
        parts: list[str] = []
        places: dict[int, tuple[int, int]] = {}
        at = 0
        for text, position in self.pieces(sorted(positions)):
            said = text if position is None else changed.get(position, text)
            if position is not None:
                places[position] = (at, at + len(said))
            parts.append(said)
            at += len(said)
        return Written(text="".join(parts), places=places)


def sheet_of(text: str, form: Format | None = None) -> Sheet:
    """Read a text as records: of the format that is named if it is one, else of what it is."""
    if form in (None, "json"):
        layer = peel(text)
        if layer is not None and layer.write is as_it_is:
            return wrapped(sheet_of(layer.inner), layer.before, layer.after)
        if spans.is_json(text):
            return json_sheet(text)
    layout = read(text, form if form in READERS else None)
    if layout is None:
        return lines_sheet(text, None)
    if layout.format in ("log", "test-report"):
        return joined([one.text for one in events.split(text.split("\n"))], "log")
    made = layout_sheet(layout)
    whole = made.write(range(len(made.records)))
    if SPACE.sub("", whole.text) != SPACE.sub("", text):
        return lines_sheet(text, f"{layout.format} does not give back all of the text")
    return made


def wrapped(inner: Sheet, before: str, after: str) -> Sheet:
    """Return records whose every chunk has what stood around the whole."""

    def pieces(positions: Sequence[int]) -> Iterator[Piece]:
        yield before, None
        yield from inner.pieces(positions)
        yield after, None

    return Sheet(
        form=inner.form,
        records=inner.records,
        values=inner.values,
        pieces=pieces,
        instead=inner.instead,
    )


def json_sheet(text: str) -> Sheet:
    """Return the items of the lists of a JSON text; other members are a record each."""
    found = leaves.leaves_of(text.strip(spans.WHITE))
    texts = [one.text for one in found]
    return Sheet(
        form="json",
        records=texts,
        values=lambda: spans.values(texts),
        pieces=lambda positions: leaves.pieces(found, positions),
    )


def lines_sheet(text: str, instead: str | None) -> Sheet:
    """Return the lines of a text that are not blank."""
    return joined([line for line in text.split("\n") if line.strip()], "lines", instead)


def joined(records: Sequence[str], form: str, instead: str | None = None) -> Sheet:
    """Return records that stand on lines of their own."""

    def pieces(positions: Sequence[int]) -> Iterator[Piece]:
        for at, position in enumerate(positions):
            if at:
                yield "\n", None
            yield records[position], position

    return Sheet(
        form=form, records=records, values=lambda: list(records), pieces=pieces, instead=instead
    )


def layout_sheet(layout: Layout) -> Sheet:
    """Return the records of a text that the cutter reads as blocks, each with its head."""
    starts: list[int] = []
    records: list[str] = []
    blocks = [one for one in layout.blocks if one.records or one.head is not None]
    for block in blocks:
        starts.append(len(records))
        records += block.records or [block.head or ""]  # a heading with nothing below it
    ends = [*starts[1:], len(records)]

    def values() -> list[object]:
        return [
            value
            for block in blocks
            for value in (block.decoded() if block.decoded else block.records or [""])
        ]

    def pieces(positions: Sequence[int]) -> Iterator[Piece]:
        yield layout.before, None
        first = True
        for block, start, end in zip(blocks, starts, ends, strict=True):
            here = [one for one in positions if start <= one < end]
            for piece in of_block(block, records, here) if here else ():
                if not first:
                    yield layout.join, None
                yield piece
                first = False
        yield layout.after, None

    return Sheet(form=layout.format, records=records, values=values, pieces=pieces)


def of_block(block: Block, records: Sequence[str], positions: Sequence[int]) -> Iterator[Piece]:
    """Yield a block with the records at these positions."""
    if block.records and block.head is not None:
        yield block.head, None
    yield from ((records[one], one) for one in positions)
    if block.records and block.tail is not None:
        yield block.tail, None
