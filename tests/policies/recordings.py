"""Recorded results, made: two lists, a log, a small one; in lines and in a ledger."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ullage import Ledger
from ullage.ledger.records import ProducedRecord


class Row(NamedTuple):
    """One result: whose it is, what made it, what it is."""

    session: str
    tool: str
    text: str


def listing(seed: int, early: int = 118, late: int = 128) -> str:
    """Two lists, the second one behind what a prefix of 6,000 characters keeps."""
    first = [
        {"pid": 1000 + n, "name": f"proc-{(n * 7 + seed) % 97}", "note": "n" * 120}
        for n in range(early)
    ]
    second = [{"pid": 70_000 + n, "share": (n * 13 + seed) % 101} for n in range(late)]
    return json.dumps({"early_list": first, "late_list": second}, separators=(",", ":"))


def rows(sessions: int = 4, each: int = 3) -> Iterator[Row]:
    """Yield the results of some sessions, in turns, so that no session stands together."""
    for number in range(sessions * each):
        session = f"s{number % sessions}"
        yield Row(session, "listing", listing(number))
        yield Row(session, "log", "\n".join(f"line {n} of {number}" for n in range(500)))
        yield Row(session, "small", f'{{"ok": true, "number": {number}}}')


def in_lines(path: Path, found: Iterator[Row], known: str = "produced") -> Path:
    """Write results as lines."""
    with path.open("w", encoding="utf-8") as file:
        for row in found:
            line = {"session": row.session, "tool": row.tool, known: row.text}
            print(json.dumps(line), file=file)
    return path


def in_ledger(path: Path, found: Iterator[Row]) -> Path:
    """Record results in a ledger."""
    with Ledger(path) as ledger:
        for at, row in enumerate(found):
            ledger.record(
                ProducedRecord(
                    run=row.session,
                    tool=row.tool,
                    kind="tool",
                    arguments="{}",
                    text=row.text,
                    at=1_790_000_000.0 + at,
                )
            )
    return path
