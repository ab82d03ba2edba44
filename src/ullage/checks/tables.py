"""Tables in a text: CSV of any delimiter, and Markdown, as records by column."""

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from ullage.arrivals.parts import Part
from ullage.arrivals.values import Json

DELIMITERS = (",", ";", "\t", "|")
LEAST = 5
"""Fewer rows than these are no table that anybody misses."""
NAME = re.compile(r"[^\W\d][\w()/%#-]{0,40}(?:[ .][\w()/%#-]{1,40}){0,2}")
"""The name of a column: some letters, three words at most."""
RULER = re.compile(r"[\s|:-]*-[\s|:-]*")
"""The line below the header of a Markdown table."""


def tables(text: str) -> list[Part]:
    """Return the tables of a text: a header of distinct names, and rows with as many cells.

    A cell that is quoted may hold delimiters, and no line ends. Prose has no such lines one after
    the other; a log has no header.
    """
    if text.count("\n") < LEAST:
        return []
    lines = text.split("\n")
    return [found for mark in DELIMITERS if mark in text for found in of_delimiter(lines, mark)]


def of_delimiter(lines: Sequence[str], mark: str) -> Iterator[Part]:
    """Give the tables whose cells one delimiter parts."""
    rows = [cells(line, mark) for line in lines if not RULER.fullmatch(line)]
    for width, run in groupby(rows, key=len):
        block = list(run)
        if width > 1 and len(block) > LEAST and is_header(block[0]):
            yield Part(keys=(), records=tuple(record(block[0], row) for row in block[1:]))


def cells(line: str, mark: str) -> list[str]:
    """Return the cells of one line; one where it is no row."""
    inner = line.strip()
    if mark == "|":
        return [one.strip() for one in inner.strip("|").split("|")]
    if mark not in inner or inner[0] in "{[<":
        return [inner]
    try:
        return [one.strip() for one in next(csv.reader([inner], delimiter=mark), [inner])]
    except csv.Error:
        return [inner]


def record(names: Sequence[str], row: Sequence[str]) -> Json:
    """Return a row by the names of its columns."""
    return {name: cell for name, cell in zip(names, row, strict=True)}


def is_header(row: Sequence[str]) -> bool:
    """Whether a row has the names of columns: words, all distinct."""
    return len(set(row)) == len(row) and all(NAME.fullmatch(one) for one in row)
