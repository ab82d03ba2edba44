"""What a reader of recordings made of its lines: events, and everything else by kind."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ullage.cutter.excerpt import excerpt
from ullage.errors import LoadError

LONGEST = 160


@dataclass(slots=True, kw_only=True)
class Reading:
    """The place that is read (for messages), and how many lines of each kind stood there.

    `counts` has `event` and whatever was no event: `comment`, `blank`, `stack`, `lost`. Every line
    is in exactly one of them, so that they add up to the lines of the file. `notes` are sentences
    on what the source could not say.
    """

    place: str
    counts: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    lost: int = 0
    """Events that the tracer itself said it had lost before they were written."""


def bad_line(reading: Reading, number: int, line: str, *, expected: str) -> LoadError:
    """Return the error for a line that is no event, with its place and what one looks like."""
    return LoadError(
        f"{reading.place}:{number}: no event: {excerpt(line.strip(), LONGEST)!r}; expected "
        f"{expected}; take the line out, or say what wrote the file"
    )


def numbered(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield lines without their ends, counted from 1."""
    for number, line in enumerate(lines, 1):
        yield number, line.rstrip("\r\n")
