"""Shortening an entry of YAML: its long scalars, each by the rules of its own content."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ullage.cutter.cells import LEAST
from ullage.cutter.in_string import literal, shorten_literal
from ullage.cutter.share import level
from ullage.cutter.yaml_events import events


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar:
    """A value that may be written as a double-quoted one: where it stands, and what it says."""

    start: int
    end: int
    value: str

    @property
    def size(self) -> int:
        """How many characters it takes."""
        return self.end - self.start


def shorten_entry(text: str, room: int) -> str | None:
    """Return an entry within `room`: all its keys, its longest scalars shortened inside quotes."""
    try:
        found = [one for one in scalars(text) if one.size > LEAST]
    except ValueError:
        return None
    sizes = [one.size for one in found]
    fixed = len(text) - sum(sizes)
    cap = level(sizes, room - fixed) if room > fixed else 0
    if cap < LEAST:
        return None
    out: list[str] = []
    at = 0
    for one in found:
        short = text[one.start : one.end]
        if one.size > cap:
            written = shorten_literal(literal(one.value), cap)
            if written is None:
                return None
            short = written
        out += (text[at : one.start], short)
        at = one.end
    done = "".join(out) + text[at:]
    return done if len(done) <= room else None


def scalars(text: str) -> Iterator[Scalar]:
    """Yield the untagged scalars of an entry that are no keys and that nothing refers to."""
    open_: list[int] = []  # of each open container how many nodes it has, or -1 for a list
    for event in events(text + "\n"):  # a block of lines counts the last line end, too
        name = type(event).__name__
        if name in ("SequenceEndEvent", "MappingEndEvent"):
            open_.pop()
        elif name.endswith("StartEvent") or name in ("ScalarEvent", "AliasEvent"):
            is_key = bool(open_) and open_[-1] >= 0 and open_[-1] % 2 == 0
            if open_ and open_[-1] >= 0 and not name.startswith(("Stream", "Document")):
                open_[-1] += 1
            if name == "SequenceStartEvent":
                open_.append(-1)
            elif name == "MappingStartEvent":
                open_.append(0)
            elif name == "ScalarEvent" and not is_key and not (event.anchor or event.tag):
                yield scalar(text, event)


def scalar(text: str, event: Any) -> Scalar:
    """Return a scalar without the line ends after it, which belong to its entry."""
    start, end = event.start_mark.index, event.end_mark.index
    end = start + len(text[start:end].rstrip(" \t\r\n"))
    return Scalar(start=start, end=end, value=event.value)
