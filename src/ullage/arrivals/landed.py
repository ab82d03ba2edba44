"""What landed of a produced text in a delivered one: `arrival`, as far as a replay needs it.

The same answers for records, parts, fields and validity, and the state of every record by its
place; without the runs of characters and the notice, which take time. What was produced is read
once, however many policies are tried on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ullage.arrivals.arrival import text_made, wanted_of
from ullage.arrivals.fields import FieldArrival, fields_of
from ullage.arrivals.lines import line_states, lines_of
from ullage.arrivals.read import Reading, read
from ullage.arrivals.records import match
from ullage.arrivals.states import PARTIAL, WHOLE
from ullage.arrivals.undressed import undressed, without_colours
from ullage.arrivals.validity import validity
from ullage.arrivals.values import Json
from ullage.arrivals.wanted import AllWanted

LONG = 8
"""A text of so many characters that stands in another is not there by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLanded:
    """One part: what became of each record, a byte each: 0 absent, 1 in part, 2 whole.

    `fields` are those of its records, in the order of first appearance; none where lines are
    counted.
    """

    path: str
    states: bytes
    fields: tuple[FieldArrival, ...] = ()

    @property
    def produced(self) -> int:
        """How many records were produced."""
        return len(self.states)

    @property
    def delivered(self) -> int:
        """How many of them arrived whole."""
        return self.states.count(WHOLE)

    @property
    def partial(self) -> int:
        """How many of them arrived in part."""
        return self.states.count(PARTIAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """What landed: part by part, or line by line where the produced text is no value.

    `valid` is None where the produced text is not JSON.
    """

    valid: bool | None
    by_lines: bool
    parts: tuple[PartLanded, ...]


@dataclass(frozen=True)
class Made:
    """A produced text, read once."""

    text: str

    @cached_property
    def reading(self) -> Reading:
        """What was read in it."""
        return read(without_colours(self.text))

    @cached_property
    def wanted(self) -> AllWanted | None:
        """Its records, as they are looked for; None where it is no value, and counted by lines."""
        return wanted_of(self.reading)

    @cached_property
    def whole(self) -> Landed:
        """What lands where all of it is delivered as it is."""
        return compared(self, read(without_colours(self.text)))

    def records(self, part: int) -> Sequence[Json]:
        """Return the records of a part: the lines, where lines are counted."""
        if self.wanted is None:
            return lines_of(text_made(self.reading))
        return self.wanted.parts[part].part.records


def made(text: str) -> Made:
    """Return a produced text, to compare deliveries with."""
    return Made(text)


def landed(produced: Made, delivered: str) -> Landed:
    """Compare what was produced with what was delivered, as `arrival` does."""
    if delivered == produced.text and len(delivered) >= LONG:
        return produced.whole
    _, got = undressed(produced.text, delivered)
    return compared(produced, read(got))


def compared(produced: Made, got: Reading) -> Landed:
    """Compare a produced text with what was read in a delivered one."""
    valid = validity(produced.reading, got)
    if produced.wanted is None:
        states = line_states(text_made(produced.reading), got)
        return Landed(valid=valid, by_lines=True, parts=(PartLanded(path="$", states=states),))
    matched = match(produced.wanted, got, verbatim=produced.reading.surface.strip())
    return Landed(
        valid=valid,
        by_lines=False,
        parts=tuple(
            PartLanded(
                path=one.wanted.part.path,
                states=bytes(one.states),
                fields=fields_of(one, matched.torn),
            )
            for one in matched.parts
        ),
    )
