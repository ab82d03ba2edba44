"""What landed of a produced text in a delivered one: `arrival` without what a replay needs not."""

from collections.abc import Sequence
from dataclasses import dataclass

from ullage.arrivals.arrival import match_values
from ullage.arrivals.fields import field_arrivals
from ullage.arrivals.lines import lines_of, texts_in
from ullage.arrivals.parts import parts_of
from ullage.arrivals.read import Reading, read
from ullage.arrivals.validity import validity
from ullage.arrivals.values import Json

STATES = {"absent": 0, "partial": 1, "whole": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldLanded:
    """One field of a part."""

    field: str
    produced: int
    delivered: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLanded:
    """One part: a byte a record, 0 absent, 1 in part, 2 whole."""

    path: str
    states: bytes
    fields: tuple[FieldLanded, ...] = ()

    @property
    def produced(self) -> int:
        """How many records."""
        return len(self.states)

    @property
    def delivered(self) -> int:
        """How many records."""
        return self.states.count(2)

    @property
    def partial(self) -> int:
        """How many records."""
        return self.states.count(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """What landed."""

    valid: bool | None
    by_lines: bool
    parts: tuple[PartLanded, ...]
    slow: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A produced text, read once."""

    text: str
    reading: Reading

    def records(self, part: int) -> Sequence[Json]:
        """Return the records of a part: the lines, where the text holds no value."""
        if not self.reading.is_value or isinstance(self.reading.value, str):
            return lines_of(self.text)
        return parts_of(self.reading.value)[part].records


def made(text: str) -> Made:
    """Read a produced text."""
    return Made(text=text, reading=read(text))


def landed(made: Made, delivered: str) -> Landed:
    """Compare."""
    got = read(delivered)
    matched = match_values(made.reading, got, None)
    if matched is None:
        lines = lines_of(made.text)
        there: dict[str, int] = {}
        for text in texts_in(got):
            for line in lines_of(text):
                there[line] = there.get(line, 0) + 1
        states = bytearray()
        for line in lines:
            if there.get(line, 0) > 0:
                there[line] -= 1
                states.append(2)
            else:
                states.append(0)
        return Landed(
            valid=validity(made.reading, got),
            by_lines=True,
            parts=(PartLanded(path="$", states=bytes(states)),),
        )
    fields: dict[str, list[FieldLanded]] = {}
    for one in field_arrivals(matched):
        fields.setdefault(one.path, []).append(
            FieldLanded(field=one.field, produced=one.produced, delivered=one.delivered)
        )
    return Landed(
        valid=validity(made.reading, got),
        by_lines=False,
        parts=tuple(
            PartLanded(
                path=p.part.path,
                states=bytes(STATES[f.state] for f in p.fates),
                fields=tuple(fields.get(p.part.path, ())),
            )
            for p in matched.parts
        ),
    )
