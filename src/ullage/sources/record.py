"""What a file gives, one record at a time."""

from dataclasses import dataclass

from ullage.transcript.transcript import Transcript
from ullage.wire.exchange import Exchange
from ullage.wire.members import Object


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """A record that holds nothing of an exchange with a model."""

    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Damaged:
    """A line that cannot be read whole: why, its characters, and the records saved out of it."""

    line: int
    why: str
    chars: int
    saved: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbered:
    """A JSON object of a file of lines, with its line."""

    line: int
    value: Object


Record = Exchange | Transcript | Plain | Damaged
