"""Reading what is imported: JSON objects, one a line or in one document, or the events of a stream.

Of a damaged line what is whole is saved; each is told.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import IO

import click

from ullage.errors import LoadError
from ullage.sources.files import MARKS, as_utf8
from ullage.sources.lines import SPACE, read_line
from ullage.wire.events import is_stream

SQLITE = b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One object, as it stood in its file, and where."""

    value: Mapping[str, object]
    text: str
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Events:
    """A file that is one streamed reply."""

    data: bytes
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A line that cannot be read whole: why, and how many objects were saved out of it."""

    where: str
    why: str
    saved: int


def objects(path: Path) -> Iterator[Found | Events | Broken]:
    """Give what a file holds, `-` for stdin. Raises LoadError where it is of another kind."""
    try:
        with click.open_file(str(path), "rb") as file:
            yield from of_file(file, str(path))
    except OSError as error:
        raise LoadError(f"cannot read {path}: {error.strerror or error}") from error


def of_file(file: IO[bytes], name: str) -> Iterator[Found | Events | Broken]:
    """Give what an open file holds; of lines, one at a time is held."""
    first = file.readline()
    if first.startswith(tuple(MARKS)):
        file = BytesIO(as_utf8(first + file.read()))
        first = file.readline()
    if first.startswith(SQLITE):
        raise LoadError(f"{name} is a SQLite file: ullage ledger merge takes ledgers, not import")
    if is_object(first):
        yield from lines(chain([first], file), name)
        return
    whole = first + file.read()
    if not whole.strip():
        raise LoadError(f"{name} is empty: there is nothing to import")
    if is_stream(whole):
        yield Events(data=whole, where=name)
        return
    value = parsed(whole)
    if value is None:
        yield from damaged_file(whole, name)
        return
    for number, one in enumerate(value if isinstance(value, list) else [value], start=1):
        if not isinstance(one, dict):
            raise LoadError(f"{name}: item {number} is {type(one).__name__}, not an object")
        yield Found(value=one, text=compact(one), where=f"{name}: item {number}")


def damaged_file(whole: bytes, name: str) -> Iterator[Found | Events | Broken]:
    """Give the lines of a file whose first line is damaged, if another one is an object."""
    rows = whole.split(b"\n")
    if not any(is_object(row) for row in rows):
        raise LoadError(
            f"{name} is not JSON: give one JSON object a line, one JSON document, or the events of "
            "one streamed reply, in UTF-8"
        )
    yield from lines(iter(rows), name)


def lines(rows: Iterator[bytes], name: str) -> Iterator[Found | Events | Broken]:
    """Give the objects of lines."""
    for number, row in enumerate(rows, start=1):
        raw = row.decode("utf-8", "replace").strip(SPACE)
        if not raw:
            continue
        where = f"{name}: line {number}"
        line = read_line(raw, number)
        if line.fault is not None:
            yield Broken(where=where, why=line.fault, saved=len(line.values))
        for value in line.values:
            if not isinstance(value, dict):
                raise LoadError(f"{where} is {type(value).__name__}, not a JSON object")
            text = raw if line.fault is None else compact(value)
            yield Found(value=value, text=text, where=where)


def is_object(line: bytes) -> bool:
    """Whether a line is a whole JSON object."""
    return isinstance(parsed(line), dict)


def parsed(data: bytes) -> object:
    """Parse JSON; None where it is none, which an import has no use for either."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def compact(value: Mapping[str, object]) -> str:
    """Write an object again that has no line of its own."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
