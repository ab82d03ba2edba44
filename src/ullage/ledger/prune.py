"""Taking out the oldest runs, whole, so that a ledger stays within an age and a size."""

import sqlite3
from collections.abc import Sequence
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
    "DELETE FROM worker WHERE run = ?1",
    "DELETE FROM finding WHERE run = ?1",
    "DELETE FROM fault WHERE run = ?1",
    "DELETE FROM lost WHERE run = ?1",
    "DELETE FROM outcome WHERE run = ?1",
    "DELETE FROM compaction WHERE run = ?1",
    "DELETE FROM kept WHERE run = ?1",
    "DELETE FROM recalled WHERE run = ?1",
    "DELETE FROM secret WHERE run = ?1",
)
_UNUSED = """DELETE FROM blob WHERE id NOT IN (
    SELECT request_body FROM exchange UNION SELECT response_body FROM exchange
    UNION SELECT arguments FROM result UNION SELECT text FROM result
    UNION SELECT text FROM handed_on UNION SELECT dropped FROM step
    UNION SELECT arguments FROM kept UNION SELECT text FROM kept
    UNION SELECT text FROM finding UNION SELECT evidence FROM finding)"""
_CONTENTS = """SELECT count(*), total(length(data)) FROM blob WHERE id IN (
    SELECT request_body FROM exchange WHERE run = ?1
    UNION SELECT response_body FROM exchange WHERE run = ?1
    UNION SELECT arguments FROM result WHERE run = ?1 UNION SELECT text FROM result WHERE run = ?1
    UNION SELECT handed_on.text FROM handed_on JOIN result ON result.number = handed_on.result
    WHERE result.run = ?1 UNION SELECT dropped FROM step WHERE run = ?1
    UNION SELECT arguments FROM kept WHERE run = ?1 UNION SELECT text FROM kept WHERE run = ?1
    UNION SELECT text FROM finding WHERE run = ?1
    UNION SELECT evidence FROM finding WHERE run = ?1)"""
_ROWS = """SELECT (SELECT count(*) FROM exchange WHERE run = ?1)
    + (SELECT count(*) FROM result WHERE run = ?1) + (SELECT count(*) FROM step WHERE run = ?1)
    + (SELECT count(*) FROM worker WHERE run = ?1) + (SELECT count(*) FROM finding WHERE run = ?1)
    + (SELECT count(*) FROM fault WHERE run = ?1)
    + (SELECT count(*) FROM lost WHERE run = ?1)
    + (SELECT count(*) FROM compaction WHERE run = ?1) + (SELECT count(*) FROM kept WHERE run = ?1)
    + (SELECT count(*) FROM recalled WHERE run = ?1) + 1"""
PAGE = 4096
"""Bytes of a page of the file: a content, and a row with what is measured of it, ends in one."""

# Times are those of the end of an exchange, and of the making of everything else.
_RUNS = """SELECT run, max(at) AS last, sum(exchanges) AS exchanges, sum(results) AS results FROM (
    SELECT run, ended AS at, 1 AS exchanges, 0 AS results FROM exchange
    UNION ALL SELECT run, at, 0, 1 FROM result UNION ALL SELECT run, at, 0, 0 FROM step
    UNION ALL SELECT run, at, 0, 0 FROM fault UNION ALL SELECT run, at, 0, 0 FROM lost
    UNION ALL SELECT run, at, 0, 0 FROM outcome UNION ALL SELECT run, at, 0, 0 FROM compaction
    UNION ALL SELECT run, at, 0, 0 FROM kept UNION ALL SELECT run, at, 0, 0 FROM recalled
    UNION ALL SELECT run, at, 0, 0 FROM worker UNION ALL SELECT run, at, 0, 0 FROM finding)
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
    found, gone = runs(session), list[Gone]()
    while True:
        with session.writing() as db:
            batch = _next(db, found[len(gone) :], limits)
            for one in batch:
                _delete(db, one.run.tag)
                insert(db, session.key, "pruned", _row(one, at))
            if not batch:
                return gone
            db.execute(_UNUSED)
        gone += batch


def would_prune(session: Session, limits: Limits) -> tuple[list[Gone], int]:
    """Return what `prune` would take out, and the size after it: it is tried, and taken back."""
    found, gone = runs(session), list[Gone]()
    left = 0
    with suppress(_TakenBackError), session.writing() as db:
        while batch := _next(db, found[len(gone) :], limits):
            for one in batch:
                _delete(db, one.run.tag)
            db.execute(_UNUSED)
            gone += batch
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
        db.execute(_UNUSED)


class _TakenBackError(Exception):
    """Ends a transaction that was only a trial."""


def _next(db: sqlite3.Connection, rest: Sequence[Run], limits: Limits) -> list[Gone]:
    """Return the oldest runs that must go, with the reason; none where the rest may stay.

    Finding what nothing refers to any more reads all of the file, so it is not done for each run.
    By size, all go at once that must, because those before them cannot free enough.
    """
    old = [one for one in rest if limits.oldest is not None and one.last < limits.oldest]
    if old:
        return [Gone(run=one, why="age") for one in old]
    over = 0 if limits.bytes is None else _size(db) - limits.bytes
    going = []
    for one in rest[:-1]:
        if over <= 0:
            break
        going.append(Gone(run=one, why="size"))
        over -= _most(db, one.tag)
    return going


def _most(db: sqlite3.Connection, tag: str) -> int:
    """Return the most bytes that a run can free: what it refers to, if nothing else does."""
    contents, held = db.execute(_CONTENTS, (tag,)).fetchone()
    return int(held + (contents + _run_rows(db, tag)) * PAGE)


def _run_rows(db: sqlite3.Connection, tag: str) -> int:
    return int(db.execute(_ROWS, (tag,)).fetchone()[0])


def _row(one: Gone, at: float) -> dict[str, object]:
    return {
        "run": one.run.tag,
        "exchanges": one.run.exchanges,
        "results": one.run.results,
        "last": one.run.last,
        "why": one.why,
        "at": at,
    }


def _delete(db: sqlite3.Connection, tag: str) -> None:
    for statement in _DELETE:
        db.execute(statement, (tag,))


def _run(row: tuple[str, float, int, int]) -> Run:
    tag, last, exchanges, results = row
    return Run(tag=tag, last=last, exchanges=exchanges, results=results)


def _size(db: sqlite3.Connection) -> int:
    return int(db.execute(_SIZE).fetchone()[0])
