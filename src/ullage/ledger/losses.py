"""Records that were handed over and never written: how many, of which run, and why."""

import sqlite3
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ullage.ledger.connection import Session
from ullage.ledger.journal import Left, left_behind
from ullage.ledger.rows import insert

_SETTLE = """INSERT INTO settled (writer, run, records) VALUES (?, ?, ?)
    ON CONFLICT (writer, run) DO UPDATE SET records = records + excluded.records"""
_SETTLED = "SELECT run, records FROM settled WHERE writer = ?"
_PATIENCE = 1.0
"""Seconds: counting what others lost must keep nobody from starting, or from ending."""

_FORGET = "DELETE FROM settled WHERE writer = ?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """So many records of a run that were not written, for one reason."""

    run: str
    records: int
    what: str


def settle(db: sqlite3.Connection, writer: str, records: Mapping[str, int]) -> None:
    """Say of how many records of a writer, by run, it is known what became of them."""
    db.executemany(_SETTLE, [(writer, run, count) for run, count in records.items()])


def put(db: sqlite3.Connection, key: bytes, losses: Iterable[Loss], at: float) -> None:
    """Count losses in the ledger; `at` in seconds since the epoch."""
    for loss in losses:
        row = {"run": loss.run, "records": loss.records, "what": loss.what, "at": at}
        insert(db, key, "lost", row)


def forget(session: Session, writer: str) -> None:
    """Take out what is kept of a writer that has ended, once its journal is gone."""
    with session.writing(patience=_PATIENCE) as db:
        db.execute(_FORGET, (writer,))


def find(session: Session) -> list[Loss]:
    """Count what processes that have ended had handed over and not written; each only once."""
    found: list[Loss] = []
    for left in left_behind(session.path):
        with session.writing(patience=_PATIENCE) as db:
            losses = _missing(db, left)
            put(db, session.key, losses, time.time())
            # Not deleted yet: should we be killed here, the next one finds that nothing is missing.
            settle(db, left.name, {loss.run: loss.records for loss in losses})
        left.path.unlink(missing_ok=True)
        forget(session, left.name)
        found += losses
    return found


def _missing(db: sqlite3.Connection, left: Left) -> list[Loss]:
    settled = dict(db.execute(_SETTLED, (left.name,)).fetchall())
    missing = {run: handed - settled.get(run, 0) for run, handed in left.handed.items()}
    return [
        Loss(
            run=run,
            records=count,
            what=f"{count} records that process {left.pid} had handed over were lost when it ended",
        )
        for run, count in missing.items()
        if count > 0
    ]
