"""In what form a payload arrived, judged against the produced root."""

from collections.abc import Callable, Mapping
from typing import Literal

from ullage.arrivals.arrival import Arrival
from ullage.arrivals.lines import lines_of
from ullage.arrivals.read import Reading
from ullage.probe.canary import Payload
from ullage.probe.case import Format
from ullage.probe.forms import COLUMNS, TABLE_HEAD
from ullage.probe.verdict.records import Records, texts_of

Syntax = Literal[
    "valid", "partial", "wrapped", "double-encoded", "python-repr", "broken", "nothing"
]
"""`valid`: all of it, and it decodes. `partial`: it decodes as the produced root, with fewer
records; a payload of lines has whole lines only. `wrapped`: all of it, with other words or an
envelope around. `double-encoded`: it stands in a string. `python-repr`: Python's spelling.
`broken`: it does not decode. `nothing`: no record, and nothing like the root."""

DECODES: frozenset[Syntax] = frozenset({"valid", "partial", "wrapped"})


def syntax(
    produced: Payload, delivered: str, got: Reading, found: Records, seen: Arrival
) -> Syntax:
    """Judge the form of a delivered text; `seen` is its arrival, `found` are the records in it."""
    if not found.whole and not found.partial and not found.cut and not seen.valid:
        return "nothing"
    if produced.format == "json":
        return of_json(produced, got, found, seen)
    return of_lines(produced, delivered, got, found)


def of_json(produced: Payload, got: Reading, found: Records, seen: Arrival) -> Syntax:
    """Judge a JSON document."""
    if seen.form == "python-repr":
        return "python-repr"
    if seen.form == "double-encoded":
        return "double-encoded"
    if not seen.valid:
        return "broken"
    if found.whole < len(found.states):
        return "partial"
    is_root = isinstance(got.value, dict) and got.value.keys() == produced.value.keys()
    return "valid" if seen.form == "json" and is_root else "wrapped"


def of_lines(produced: Payload, delivered: str, got: Reading, found: Records) -> Syntax:
    """Judge a payload whose records are lines."""
    if found.cut or found.partial or not HEADS[produced.format](produced, found):
        return "broken"
    if found.surface != delivered:
        in_python = any(piece.style == "python" for piece in got.pieces)
        return "python-repr" if in_python and not got.is_json else "double-encoded"
    if found.whole < len(found.states):
        return "partial"
    return "valid" if delivered.strip() == produced.text.strip() else "wrapped"


def without_head(_produced: Payload, _found: Records) -> bool:
    """Accept a format that has none."""
    return True


def csv_head(_produced: Payload, found: Records) -> bool:
    """Whether the names of the columns arrived."""
    return f"part,{','.join(COLUMNS)}" in lines_of(found.surface)


def table_heads(produced: Payload, found: Records) -> bool:
    """Whether each part of which rows arrived has its head before them."""
    at = 0
    shown = dict[str, str]()
    for (identity, text), one in zip(texts_of(produced).items(), found.states, strict=True):
        if one == "whole":
            shown.setdefault(produced.places[identity].part, text)
    for first in shown.values():
        head, row = found.surface.find(TABLE_HEAD, at), found.surface.find(first, at)
        if not 0 <= head < row:
            return False
        at = row
    return True


HEADS: Mapping[Format, Callable[[Payload, Records], bool]] = {
    "json": without_head,
    "ndjson": without_head,
    "log": without_head,
    "csv": csv_head,
    "markdown": table_heads,
}
