"""Taking out the oldest runs, whole, so that a ledger stays within an age and a size."""

import sqlite3
from contextlib import suppress
from dataclasses import dataclass

from ullage.ledger.connection import Session
from ullage.ledger.rows import insert

# What refers to something goes before it.
_DELETE = (
    "DELETE FROM delivery WHERE run = ?1",
    "DELETE FROM figures WHERE run = ?1",
    "DELETE FROM handed_on WHERE result IN (SELECT number FROM result WHERE run = ?1)",
    "DELETE FROM exchange WHERE run = ?1",
    "DELETE FROM result WHERE run = ?1",
    "DELETE FROM step WHERE run = ?1",
    "DELETE FROM fault WHERE run = ?1",
    "DELETE FROM outcome WHERE run = ?1",
    "DELETE FROM secret WHERE run = ?1",
)
_UNUSED = """DELETE FROM blob WHERE id NOT IN (
    SELECT request_body FROM exchange UNION SELECT response_body FROM exchange
    UNION SELECT arguments FROM result UNION SELECT text FROM result
    UNION SELECT text FROM handed_on UNION SELECT dropped FROM step)"""
# Times are those of the end of an exchange, and of the making of everything else.
_RUNS = """SELECT run, max(at) AS last, sum(exchanges) AS exchanges, sum(results) AS results FROM (
    SELECT run, ended AS at, 1 AS exchanges, 0 AS results FROM exchange
    UNION ALL SELECT run, at, 0, 1 FROM result UNION ALL SELECT run, at, 0, 0 FROM step
    UNION ALL SELECT run, at, 0, 0 FROM fault UNION ALL SELECT run, at, 0, 0 FROM outcome)
    GROUP BY run ORDER BY last, run"""
_SIZE = """SELECT (pages.page_count - free.freelist_count) * one.page_size FROM
    pragma_page_count AS pages, pragma_freelist_count AS free, pragma_page_size AS one"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run: the time of its last record (seconds since the epoch), and how much it is."""

    tag: str
    last: float
    exchanges: int
    results: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What may stay: records after `oldest` (seconds since the epoch), so many bytes in all."""

    oldest: float | None = None
    bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """A run that was taken out, and why."""

    run: Run
    why: str


def runs(session: Session) -> list[Run]:
    """Return all runs, the one that was written to longest ago first."""
    with session.reading() as db:
        return [_run(row) for row in db.execute(_RUNS)]


def size(session: Session) -> int:
    """Return the bytes that the file's pages hold, without those that are free."""
    with session.reading() as db:
        return _size(db)


def prune(session: Session, limits: Limits, at: float) -> list[Gone]:
    """Take out whole runs, the oldest first, until the rest is within the limits.

    The run that was written to last stays, whatever its size. Each run that goes leaves a row that
    says so; blobs that nothing refers to any more go too. `at` is now, in seconds since the epoch.
    The room is used again; `compact` gives it back to the disk.
    """
    gone = []
    for run in runs(session):
        with session.writing() as db:
            one = _next(db, run, limits)
            if one is None:
                break
            _take_out(db, session.key, one, at)
        gone.append(one)
    return gone


def would_prune(session: Session, limits: Limits) -> tuple[list[Gone], int]:
    """Return what `prune` would take out, and the size after it: it is tried, and taken back."""
    gone: list[Gone] = []
    left = 0
    found = runs(session)
    with suppress(_TakenBackError), session.writing() as db:
        for run in found:
            one = _next(db, run, limits)
            if one is None:
                break
            _delete(db, run.tag)
            gone.append(one)
        left = _size(db)
        raise _TakenBackError
    return gone, left


def compact(session: Session) -> None:
    """Give the room of what was taken out back to the disk; the file is written anew."""
    with session.reading() as db:
        db.execute("VACUUM")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def remove_run(session: Session, tag: str) -> None:
    """Take out a run without a trace; what it alone refers to goes too."""
    with session.writing() as db:
        _delete(db, tag)


class _TakenBackError(Exception):
    """Ends a transaction that was only a trial."""


def _next(db: sqlite3.Connection, run: Run, limits: Limits) -> Gone | None:
    """Return the oldest run with the reason why it goes; None where the rest may stay."""
    last = [_run(row) for row in db.execute(_RUNS)][-1]
    if limits.oldest is not None and run.last < limits.oldest:
        return Gone(run=run, why="age")
    if limits.bytes is not None and run != last and _size(db) > limits.bytes:
        return Gone(run=run, why="size")
    return None


def _take_out(db: sqlite3.Connection, key: bytes, one: Gone, at: float) -> None:
    _delete(db, one.run.tag)
    row = {
        "run": one.run.tag,
        "exchanges": one.run.exchanges,
        "results": one.run.results,
        "last": one.run.last,
        "why": one.why,
        "at": at,
    }
    insert(db, key, "pruned", row)


def _delete(db: sqlite3.Connection, tag: str) -> None:
    for statement in _DELETE:
        db.execute(statement, (tag,))
    db.execute(_UNUSED)


def _run(row: tuple[str, float, int, int]) -> Run:
    tag, last, exchanges, results = row
    return Run(tag=tag, last=last, exchanges=exchanges, results=results)


def _size(db: sqlite3.Connection) -> int:
    return int(db.execute(_SIZE).fetchone()[0])
