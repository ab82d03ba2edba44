"""A tally as JSON and back: the same figures give the same bytes, whatever the order they came in.

Shards are kept in this form, so that a run that was stopped goes on.
"""

from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

import msgspec

from ullage.arrivals.rates import Tally as CallTally
from ullage.policies.tally import NAMES, Apart, Cell, Counts, Example, Group, Key, Tally
from ullage.stats.moments import Moments

VERSION = 3


def written(tally: Tally) -> bytes:
    """Return a tally as JSON, its members and rows sorted."""
    document = {
        "version": VERSION,
        "sessions": tally.sessions,
        "skipped": sorted(tally.skipped.items()),
        "counts": rows({key: list(astuple(one)) for key, one in tally.counts.items()}),
        "cells": rows({key: cell_row(one) for key, one in tally.cells.items()}),
        "examples": [
            [*kind, [list(astuple(one)) for one in found]]
            for kind, found in sorted(tally.examples.items())
        ],
        "losing": rows({key: list(astuple(one)) for key, one in tally.losing.items()}),
        "apart": [
            [list(key), [*astuple(tally.apart[key, more])]]
            for key, more in sorted(tally.apart, key=lambda one: (order(one[0]), one[1]))
        ],
        "open": [[session, rows(sum_rows(sums))] for session, sums in sorted(tally.open.items())],
    }
    return msgspec.json.encode(document)


def read(data: bytes) -> Tally:
    """Return the tally of what `written` wrote. Raises ValueError for another version."""
    document: dict[str, Any] = msgspec.json.decode(data)
    if document.get("version") != VERSION:
        raise ValueError(f"a tally of version {document.get('version')!r}, not {VERSION}")
    return Tally(
        sessions=document["sessions"],
        skipped=dict(document["skipped"]),
        counts={
            Group(*key): Counts(**dict(zip(NAMES, row, strict=True)))
            for key, row in document["counts"]
        },
        cells={key_of(key): cell_of(row) for key, row in document["cells"]},
        examples={
            (policy, kind): [Example(*one) for one in found]
            for policy, kind, found in document["examples"]
        },
        losing={key_of(key): Example(*row) for key, row in document["losing"]},
        apart=dict(apart_of(key_of(key), *row) for key, row in document["apart"]),
        open={
            session: {key_of(key): CallTally(*row) for key, row in sums}
            for session, sums in document["open"]
        },
    )


def rows(found: Mapping[Any, object]) -> list[list[object]]:
    """Return keys and values as rows, sorted by key."""
    return [[list(key), found[key]] for key in sorted(found, key=order)]


def order(key: Group | Key) -> tuple[object, ...]:
    """Return what sorts a key: a part stands before its tenths, these before its fields."""
    if isinstance(key, Key):
        tenth = -1 if key.tenth is None else key.tenth
        return (*key.group, key.path, key.field is not None, key.field or "", tenth)
    return key


def key_of(row: list[Any]) -> Key:
    """Return a key of its row."""
    group, *rest = row
    return Key(Group(*group), *rest)


def apart_of(key: Key, example: list[Any], *figures: int) -> tuple[tuple[Key, bool], Apart]:
    """Return a result that differs, and what it is named by."""
    one = Apart(Example(*example), *figures)
    return (key, one.other > one.first), one


def sum_rows(sums: Mapping[Key, CallTally]) -> dict[Key, list[int]]:
    """Return sums as rows."""
    return {key: list(astuple(one)) for key, one in sums.items()}


def cell_row(cell: Cell) -> list[list[int]]:
    """Return a cell as rows."""
    moments = [cell.by_call, cell.by_record, cell.against]
    return [list(astuple(cell.sums)), *(one.to_list() for one in moments)]


def cell_of(row: list[list[int]]) -> Cell:
    """Return the cell of its rows."""
    sums, by_call, by_record, against = row
    return Cell(
        sums=CallTally(*sums),
        by_call=Moments.from_list(by_call),
        by_record=Moments.from_list(by_record),
        against=Moments.from_list(against),
    )
