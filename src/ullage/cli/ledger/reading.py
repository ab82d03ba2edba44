"""Reading JSON objects from a file: one a line, or the whole file as one object or a list."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO

import click

from ullage.errors import LoadError

SQLITE = b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One object, as it stood in its file, and where."""

    value: Mapping[str, object]
    text: str
    where: str


def objects(path: Path) -> Iterator[Found]:
    """Give the objects of a file, `-` for stdin. Raises LoadError where it holds something else."""
    try:
        with click.open_file(str(path), "rb") as file:
            yield from of_file(file, str(path))
    except OSError as error:
        raise LoadError(f"cannot read {path}: {error.strerror or error}") from error


def of_file(file: IO[bytes], name: str) -> Iterator[Found]:
    """Give the objects of an open file; of lines, one at a time is held."""
    first = file.readline()
    if first.startswith(SQLITE):
        raise LoadError(f"{name} is a SQLite file: ullage ledger merge takes ledgers, not import")
    if is_object(first):
        for number, line in enumerate(chain([first], file), start=1):
            if line.strip():
                yield found(line, f"{name}: line {number}")
        return
    whole = first + file.read()
    if not whole.strip():
        raise LoadError(f"{name} is empty: there is nothing to import")
    value = parsed(whole, name)
    for number, one in enumerate(value if isinstance(value, list) else [value], start=1):
        if not isinstance(one, dict):
            raise LoadError(f"{name}: item {number} is {type(one).__name__}, not an object")
        text = json.dumps(one, ensure_ascii=False, separators=(",", ":"))
        yield Found(value=one, text=text, where=f"{name}: item {number}")


def is_object(line: bytes) -> bool:
    """Whether a line is a whole JSON object."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def found(line: bytes, where: str) -> Found:
    """Parse one line."""
    value = parsed(line, where)
    if not isinstance(value, dict):
        raise LoadError(f"{where} is {type(value).__name__}, not a JSON object")
    return Found(value=value, text=line.decode("utf-8").rstrip("\r\n"), where=where)


def parsed(data: bytes, where: str) -> object:
    """Parse JSON; the text itself, which may hold secrets, is not in the message."""
    try:
        return json.loads(data.decode("utf-8"))
    except json.JSONDecodeError as error:
        raise LoadError(
            f"{where} is not JSON ({error.msg} at line {error.lineno} column {error.colno}): "
            "give one JSON object a line, or one JSON document"
        ) from error
    except UnicodeDecodeError as error:
        raise LoadError(f"{where} is not UTF-8 at byte {error.start}: convert it first") from error
    except RecursionError as error:
        raise LoadError(f"{where} is nested too deeply to be read") from error
