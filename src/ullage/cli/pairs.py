"""Reading pairs of texts from files, for `ullage arrival`."""

import json
from dataclasses import dataclass
from typing import BinaryIO

from ullage.errors import LoadError
from ullage.transcript.finding import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class PairLine:
    """One line of a pairs file, and where it stands."""

    number: object
    produced: str
    delivered: str
    source: Source


def text_of(file: BinaryIO) -> str:
    """Read a file as UTF-8, line ends as they are."""
    try:
        return file.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise LoadError(
            f"{file.name}: not UTF-8 text at byte {error.start}; convert it to UTF-8 first"
        ) from error


def read_pairs(file: BinaryIO) -> list[PairLine]:
    """Read every line of a pairs file that is not blank."""
    numbered = enumerate(text_of(file).split("\n"), start=1)
    return [pair_line(line, Source(path=file.name, line=n)) for n, line in numbered if line.strip()]


def pair_line(line: str, source: Source) -> PairLine:
    """Parse one pair."""
    where = f"{source.path}: line {source.line}"
    expected = 'expected {"id", "produced", "delivered"}, the last two as text'
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LoadError(f"{where} is not JSON; {expected}") from error
    if not isinstance(value, dict):
        raise LoadError(f"{where} is {type(value).__name__}, not an object; {expected}")
    for member in ("id", "produced", "delivered"):
        if member not in value:
            raise LoadError(f"{where} has no {member!r}; {expected}")
    for member in ("produced", "delivered"):
        if not isinstance(value[member], str):
            raise LoadError(
                f"{where}: {member!r} is {type(value[member]).__name__}, not text; {expected}"
            )
    return PairLine(
        number=value["id"],
        produced=value["produced"],
        delivered=value["delivered"],
        source=source,
    )
