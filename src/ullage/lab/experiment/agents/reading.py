"""What an agent reads in a delivered text: its records, and whether the text is whole."""

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

Row = Mapping[str, object]
RECORD = re.compile(r"\{[^{}]*\}")
"""A record that is whole: an object with nothing nested in it."""
MOST = 1e15
"""Beyond that nothing is a count or a time: infinities and the like."""
NOTICE = re.compile(r"_ullage|\bCut to \d+ ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """The records of a text. `parsed`: it is one value; `whole`: and nothing of it was left out."""

    rows: tuple[Row, ...]
    parsed: bool
    whole: bool


@lru_cache(maxsize=1024)
def read(text: str) -> Read:
    """Read a text as JSON, else as a Python literal, else record by record. Never raises on data.

    The same text is read in each turn in which it is delivered.
    """
    for parse in (json.loads, literal):
        value = tried(parse, text)
        if isinstance(value, dict):
            complete = not NOTICE.search(text) and "error" not in value and not gap_in(value)
            return Read(rows=tuple(rows_in(value)), parsed=True, whole=complete)
    return Read(rows=tuple(scanned(text)), parsed=False, whole=False)


def literal(text: str) -> object:
    """Read a Python literal."""
    return ast.literal_eval(text.strip())


def tried(parse: Callable[[str], object], text: str) -> object:
    """Return what a text is parsed as, None where it is no such text."""
    try:
        return parse(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        # literal_eval raises TypeError for a key that cannot be one, and MemoryError for what is
        # nested too deep.
        return None


def rows_in(value: object) -> Iterator[Row]:
    """Yield the records of the lists in a value, at any depth, its parts in the order of keys."""
    if isinstance(value, dict):
        for key in sorted(value, key=str):
            yield from rows_in(value[key])
    elif isinstance(value, list):
        for one in value:
            if isinstance(one, dict) and one:
                yield one
            yield from rows_in(one)


def gap_in(value: object) -> bool:
    """Whether a value has Python's mark for what a shortened repr leaves out."""
    if isinstance(value, dict):
        return any(gap_in(one) for one in value.values())
    if isinstance(value, list):
        return any(gap_in(one) for one in value)
    return value is ...


def scanned(text: str) -> Iterator[Row]:
    """Yield the records that are whole in a broken text."""
    for found in RECORD.finditer(text):
        for parse in (json.loads, literal):
            value = tried(parse, found[0])
            if isinstance(value, dict) and value:
                yield value
                break


def number(row: Row, column: str) -> int:
    """Return a whole number of a record, rounded down; 0 where it has none there."""
    value = row.get(column)
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < MOST:
        return int(value)
    return 0


def word(row: Row, column: str) -> str:
    """Return a text of a record; "" where it has none there."""
    value = row.get(column)
    return value if isinstance(value, str) else ""


def pid_of(row: Row) -> int | None:
    """Return the process that a record is about, None where it does not say."""
    return number(row, "pid") or None
