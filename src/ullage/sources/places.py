"""Where in a JSON file its rows begin: the lines that findings name.

A parser does not tell places. This goes over the bytes once more without building values, which
costs less than parsing them; a file of one line needs nothing of it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

BETWEEN = re.compile(rb"[\s,]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A value of a document: where it begins, and its bytes."""

    start: int
    data: bytes


@dataclass(slots=True)
class Places:
    """Finds lines in a file that holds one JSON document."""

    data: bytes
    lines: bool = field(init=False)
    last: tuple[int, int] = (0, 1)

    def __post_init__(self) -> None:
        """See whether there are lines at all."""
        self.lines = b"\n" in self.data.strip()

    def root(self) -> Span | None:
        """Return the whole document; None where all of it stands in one line."""
        return Span(start=0, data=self.data) if self.lines else None

    def line(self, span: Span | None) -> int | None:
        """Return the line in which a value begins, the first one where there is no other."""
        if not self.lines:
            return 1
        if span is None:
            return None
        start, line = self.last if self.last[0] <= span.start else (0, 1)
        line += self.data.count(b"\n", start, span.start)
        self.last = (span.start, line)
        return line


def items(span: Span | None) -> Sequence[Span]:
    """Return the values of a list; none where it is no list."""
    if span is None:
        return ()
    try:
        found = msgspec.json.decode(span.data, type=list[msgspec.Raw])
    except (ValueError, RecursionError):
        return ()
    spans, at = [], span.data.find(b"[") + 1
    for raw in found:
        gap = BETWEEN.match(span.data, at)
        begin = gap.end() if gap else at
        held = bytes(raw)
        spans.append(Span(start=span.start + begin, data=held))
        at = begin + len(held)
    return spans


def member(span: Span | None, name: str) -> Span | None:
    """Return a member of an object, where its name stands in it as such."""
    if span is None:
        return None
    try:
        found = msgspec.json.decode(span.data, type=dict[str, msgspec.Raw])
    except (ValueError, RecursionError):
        return None
    if name not in found:
        return None
    held = bytes(found[name])
    for key in re.finditer(rb'"' + re.escape(name.encode()) + rb'"\s*:\s*', span.data):
        if span.data.startswith(held, key.end()):
            return Span(start=span.start + key.end(), data=held)
    return None
