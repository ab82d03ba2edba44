"""A text without records small enough for a chunk, in pieces: all of it is read, nothing is cut."""

from collections.abc import Callable, Iterator, Sequence

from ullage.cutter import grapheme
from ullage.history.sheet import Piece, Sheet

TEXTS = frozenset({"lines", "log", "text"})
"""What is made of words and lines: a part of a record is as readable as the whole."""
ENDS = ("\n\n", "\n", ". ", "。", "; ", ", ", " ")
"""Where a text is best parted, the best first."""


def split_large(sheet: Sheet, measure: Callable[[str], int], limit: int) -> tuple[Sheet, list[str]]:
    """Return records none of which is over `limit`, as far as they are text; and what was done."""
    if sheet.form not in TEXTS:
        return sheet, []
    parts: list[str] = []
    starts: set[int] = set()
    large = 0
    for record in sheet.records:
        starts.add(len(parts))
        pieces = list(pieces_of(record, measure, limit))
        large += len(pieces) > 1
        parts += pieces
    if not large:
        return sheet, []
    note = (
        f"{large} of {len(sheet.records)} records are larger than a chunk and are read in pieces: "
        f"{len(parts)} in all, which are what is counted as records"
    )

    def written(positions: Sequence[int]) -> Iterator[Piece]:
        before = None
        for position in positions:
            if before is not None and (position in starts or position != before + 1):
                yield "\n", None
            yield parts[position], position
            before = position

    made = Sheet(
        form=sheet.form,
        records=parts,
        values=lambda: list(parts),
        pieces=written,
        instead=sheet.instead,
    )
    return made, [note]


def pieces_of(text: str, measure: Callable[[str], int], limit: int) -> Iterator[str]:
    """Yield a text in pieces within `limit`; together they are the text."""
    if measure(text) <= limit or len(text) < 2:
        yield text
        return
    at = parting(text)
    yield from pieces_of(text[:at], measure, limit)
    yield from pieces_of(text[at:], measure, limit)


def parting(text: str) -> int:
    """Return where a text is parted: near its middle, where a line or a sentence ends."""
    low, high = len(text) // 4, len(text) // 2
    for end in ENDS:
        at = text.rfind(end, low, high)
        if at >= 0:
            return at + len(end)
    return max(grapheme.boundary(text, high), 1)
