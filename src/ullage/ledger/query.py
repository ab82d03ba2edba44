"""Reading a ledger: its records in the order of writing, and its figures."""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from ullage.errors import LedgerError
from ullage.ledger import blobs
from ullage.ledger.connection import Session
from ullage.ledger.records import StoredExchange, StoredResult, StoredStep
from ullage.ledger.redact import decode

# Rows are read a page at a time: a reader never keeps the file's history from being tidied up, and
# whoever stops early has not waited for the rest.
PAGE = 16
_EXCHANGES = """SELECT * FROM exchange
    WHERE number > :after AND (:run IS NULL OR run = :run) ORDER BY number LIMIT :page"""
_RESULTS = """SELECT result.*, (SELECT text FROM handed_on WHERE result = result.number
        ORDER BY handed_on.number DESC LIMIT 1) AS handed_on FROM result
    WHERE number > :after AND (:run IS NULL OR run = :run) ORDER BY number LIMIT :page"""
_STEPS = """SELECT * FROM step
    WHERE number > :after AND (:run IS NULL OR run = :run) ORDER BY number LIMIT :page"""
_RUNS = """SELECT run FROM (SELECT run, started AS at FROM exchange UNION ALL
    SELECT run, at FROM result UNION ALL SELECT run, at FROM step UNION ALL
    SELECT run, at FROM fault) GROUP BY run ORDER BY min(at), run"""

Stored = TypeVar("Stored")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """How much a ledger holds; `bytes` is its size on disk with its write-ahead log."""

    exchanges: int
    tool_results: int
    blobs: int
    bytes: int
    not_recorded: int

    def to_dict(self) -> dict[str, object]:
        """Return the members of `ullage.stats/1`, in their order."""
        return {
            "exchanges": self.exchanges,
            "tool_results": self.tool_results,
            "blobs": self.blobs,
            "bytes": self.bytes,
            "not_recorded": self.not_recorded,
        }


def exchanges(session: Session, run: str | None) -> Iterator[StoredExchange]:
    """Give the exchanges in the order of writing."""
    return _pages(session, _EXCHANGES, run, _exchange)


def results(session: Session, run: str | None) -> Iterator[StoredResult]:
    """Give the produced results in the order of writing."""
    return _pages(session, _RESULTS, run, _result)


def steps(session: Session, run: str | None) -> Iterator[StoredStep]:
    """Give the declared steps in the order of writing."""
    return _pages(session, _STEPS, run, _step)


def runs(session: Session) -> list[str]:
    """Return the tags of all runs, the oldest first."""
    with session.reading() as db:
        return [row[0] for row in db.execute(_RUNS)]


def faults(session: Session, run: str | None) -> int:
    """Return how many records could not be kept."""
    with session.reading() as db:
        found = db.execute("SELECT count(*) FROM fault WHERE ?1 IS NULL OR run = ?1", (run,))
        return int(found.fetchone()[0])


def stats(session: Session) -> Stats:
    """Return how much the ledger holds."""
    with session.reading() as db:
        row = db.execute(
            "SELECT (SELECT count(*) FROM exchange), (SELECT count(*) FROM result),"
            " (SELECT count(*) FROM blob), (SELECT count(*) FROM fault)"
        ).fetchone()
    # Not the -shm file: it is made by whoever looks, and holds nothing.
    files = [session.path, session.path.with_name(session.path.name + "-wal")]
    return Stats(
        exchanges=row[0],
        tool_results=row[1],
        blobs=row[2],
        bytes=sum(file.stat().st_size for file in files if file.exists()),
        not_recorded=row[3],
    )


def _pages(
    session: Session,
    statement: str,
    run: str | None,
    read: Callable[[sqlite3.Connection, sqlite3.Row], Stored],
) -> Iterator[Stored]:
    after = 0
    while True:
        with session.reading() as db:
            cursor = db.cursor()
            cursor.row_factory = sqlite3.Row
            rows = cursor.execute(statement, {"after": after, "run": run, "page": PAGE}).fetchall()
            try:
                page = [read(db, row) for row in rows]
            except (blobs.DamagedBlobError, UnicodeDecodeError, msgspec.DecodeError) as error:
                raise LedgerError(
                    f"{session.path} is damaged: {error}: `ullage ledger verify` says where"
                ) from error
        yield from page
        if len(rows) < PAGE:
            return
        after = rows[-1]["number"]


def _exchange(db: sqlite3.Connection, row: sqlite3.Row) -> StoredExchange:
    return StoredExchange(
        number=row["number"],
        run=row["run"],
        method=row["method"],
        path=row["path"],
        upstream=row["upstream"],
        request_headers=msgspec.json.decode(row["request_headers"], type=dict[str, str]),
        request_body=_content(db, row["request_body"]),
        status=row["status"],
        response_headers=msgspec.json.decode(row["response_headers"], type=dict[str, str]),
        response_body=_content(db, row["response_body"]),
        started=row["started"],
        first_byte=row["first_byte"],
        ended=row["ended"],
        error=row["error"],
        cohort=row["cohort"],
    )


def _result(db: sqlite3.Connection, row: sqlite3.Row) -> StoredResult:
    handed_on = row["handed_on"]
    return StoredResult(
        number=row["number"],
        run=row["run"],
        tool=row["tool"],
        kind=row["kind"],
        arguments=decode(_content(db, row["arguments"])),
        text=decode(_content(db, row["text"])),
        chars=row["text_chars"],
        handed_on=None if handed_on is None else decode(_content(db, handed_on)),
        at=row["at"],
        key=row["key"],
    )


def _step(db: sqlite3.Connection, row: sqlite3.Row) -> StoredStep:
    return StoredStep(
        number=row["number"],
        run=row["run"],
        name=row["name"],
        taken_in=row["taken_in"],
        handed_out=row["handed_out"],
        dropped=msgspec.json.decode(_content(db, row["dropped"]), type=tuple[str, ...]),
        reason=row["reason"],
        at=row["at"],
    )


def _content(db: sqlite3.Connection, blob: int) -> bytes:
    row = db.execute("SELECT data, form, length, digest FROM blob WHERE id = ?", (blob,)).fetchone()
    if row is None:
        raise blobs.DamagedBlobError(f"refers to blob number {blob}, which is not there")
    data, form, length, digest = row
    return blobs.unpack(data, form=form, length=length, digest=digest)
