"""Entries: the rows of every table with their contents in place of references to blobs.

What leaves a ledger, goes into one, or moves from one to another does so as entries: an export, an
import, a merge, and what a run kept aside until it was measured.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ullage.errors import LedgerError
from ullage.ledger import blobs, query
from ullage.ledger.connection import Session
from ullage.ledger.scrub import RunScrubber, Scrubber

Row = dict[str, object]

PAGE = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One row of a table, without its seal; the columns of contents hold bytes."""

    table: str
    row: Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """A column that refers to a blob; beside it may stand its original's length and keyed hash."""

    column: str
    length: str | None = None
    hash: str | None = None


CONTENTS: Mapping[str, Sequence[Content]] = {
    "exchange": (
        Content(column="request_body", length="request_bytes", hash="request_hash"),
        Content(column="response_body", length="response_bytes", hash="response_hash"),
    ),
    "result": (
        Content(column="arguments", length="arguments_bytes", hash="arguments_hash"),
        Content(column="text", length="text_bytes", hash="text_hash"),
    ),
    "handed_on": (Content(column="text", length="text_bytes", hash="text_hash"),),
    "step": (Content(column="dropped"),),
    "worker": (),
    "finding": (
        Content(column="text", length="text_bytes", hash="text_hash"),
        Content(column="evidence", length="evidence_bytes", hash="evidence_hash"),
    ),
    "fault": (),
    "lost": (),
    "delivery": (),
    "figures": (),
    "outcome": (),
    "pruned": (),
    "compaction": (),
    "kept": (
        Content(column="arguments", length="arguments_bytes", hash="arguments_hash"),
        Content(column="text", length="text_bytes", hash="text_hash"),
    ),
    "recalled": (),
}
"""Every table of records with its contents, in an order in which references come later."""

REFERENCES: Mapping[str, Sequence[str]] = {
    "handed_on": ("result",),
    "delivery": ("result", "exchange"),
    "figures": ("exchange",),
}
"""The columns of a table that hold the number of a row in the table of that name."""

# The run of what was handed on is that of its result. A result that was handed on as it was made is
# read as what was handed on: the same original, redacted by whom knew more.
_SELECT = {
    "exchange": "SELECT * FROM exchange WHERE number > :after AND (:run IS NULL OR run = :run)"
    " ORDER BY number LIMIT :page",
    "result": "SELECT *, (SELECT handed.text FROM handed_on AS handed WHERE handed.result ="
    " result.number AND handed.text_hash = result.text_hash ORDER BY handed.number DESC LIMIT 1)"
    " AS same FROM result WHERE number > :after AND (:run IS NULL OR run = :run)"
    " ORDER BY number LIMIT :page",
    "handed_on": "SELECT handed_on.*, result.run AS run FROM handed_on JOIN result"
    " ON result.number = handed_on.result WHERE handed_on.number > :after"
    " AND (:run IS NULL OR result.run = :run) ORDER BY handed_on.number LIMIT :page",
    "step": "SELECT * FROM step WHERE number > :after AND (:run IS NULL OR run = :run)"
    " ORDER BY number LIMIT :page",
    "worker": "SELECT * FROM worker WHERE number > :after AND (:run IS NULL OR run = :run)"
    " ORDER BY number LIMIT :page",
    "finding": "SELECT * FROM finding WHERE number > :after AND (:run IS NULL OR run = :run)"
    " ORDER BY number LIMIT :page",
    "fault": "SELECT * FROM fault WHERE number > :after AND (:run IS NULL OR run = :run)"
    " ORDER BY number LIMIT :page",
    "lost": "SELECT * FROM lost WHERE number > :after AND (:run IS NULL OR run = :run)"
    " ORDER BY number LIMIT :page",
    "delivery": "SELECT * FROM delivery WHERE number > :after AND (:run IS NULL OR run = :run)"
    " ORDER BY number LIMIT :page",
    "figures": "SELECT * FROM figures WHERE number > :after AND (:run IS NULL OR run = :run)"
    " ORDER BY number LIMIT :page",
    "outcome": "SELECT * FROM outcome WHERE number > :after AND (:run IS NULL OR run = :run)"
    " ORDER BY number LIMIT :page",
    "pruned": "SELECT * FROM pruned WHERE number > :after AND (:run IS NULL OR run = :run)"
    " ORDER BY number LIMIT :page",
    "compaction": "SELECT * FROM compaction WHERE number > :after AND (:run IS NULL OR run = :run)"
    " ORDER BY number LIMIT :page",
    "kept": "SELECT * FROM kept WHERE number > :after AND (:run IS NULL OR run = :run)"
    " ORDER BY number LIMIT :page",
    "recalled": "SELECT * FROM recalled WHERE number > :after AND (:run IS NULL OR run = :run)"
    " ORDER BY number LIMIT :page",
}


_HOW_MANY = (
    "SELECT count(*) FROM exchange WHERE :run IS NULL OR run = :run",
    "SELECT count(*) FROM result WHERE :run IS NULL OR run = :run",
    "SELECT count(*) FROM handed_on WHERE :run IS NULL"
    " OR result IN (SELECT number FROM result WHERE run = :run)",
    "SELECT count(*) FROM step WHERE :run IS NULL OR run = :run",
    "SELECT count(*) FROM worker WHERE :run IS NULL OR run = :run",
    "SELECT count(*) FROM finding WHERE :run IS NULL OR run = :run",
    "SELECT count(*) FROM fault WHERE :run IS NULL OR run = :run",
    "SELECT count(*) FROM lost WHERE :run IS NULL OR run = :run",
    "SELECT count(*) FROM delivery WHERE :run IS NULL OR run = :run",
    "SELECT count(*) FROM figures WHERE :run IS NULL OR run = :run",
    "SELECT count(*) FROM outcome WHERE :run IS NULL OR run = :run",
    "SELECT count(*) FROM pruned WHERE :run IS NULL OR run = :run",
    "SELECT count(*) FROM compaction WHERE :run IS NULL OR run = :run",
    "SELECT count(*) FROM kept WHERE :run IS NULL OR run = :run",
    "SELECT count(*) FROM recalled WHERE :run IS NULL OR run = :run",
)


def how_many(session: Session, run: str | None = None) -> int:
    """Return how many entries there are, of one run or of all."""
    with session.reading() as db:
        return sum(int(db.execute(one, {"run": run}).fetchone()[0]) for one in _HOW_MANY)


def entries(session: Session, scrubber: Scrubber, run: str | None = None) -> Iterator[Entry]:
    """Give everything that a ledger holds, of one run or of all, table by table.

    What secrets a run has shown since a record was written are taken out here.
    """
    for table in CONTENTS:
        yield from of_table(session, scrubber, table, run)


def of_table(
    session: Session, scrubber: Scrubber, table: str, run: str | None = None
) -> Iterator[Entry]:
    """Give the rows of one table in the order of writing, one at a time."""
    scrubs: dict[str, RunScrubber] = {}
    for values in pages(session, table, run):
        row = dict(values)
        tag = str(row["run"])
        scrub = scrubs.get(tag) or scrubber.of(tag)
        scrubs[tag] = scrub
        same = row.pop("same", None)
        if same is not None:
            row["text"] = same
        for one in CONTENTS[table]:
            row[one.column] = scrub.stored(content_of(session, row[one.column]))
        del row["seal"]
        if table == "handed_on":
            del row["run"]
        yield Entry(table=table, row=row)


def pages(session: Session, table: str, run: str | None) -> Iterator[sqlite3.Row]:
    """Give rows, of which a page at a time is read: no reader keeps the file from being tidied."""
    after: object = 0
    while True:
        with session.reading() as db:
            cursor = db.cursor()
            cursor.row_factory = sqlite3.Row
            bound = {"after": after, "run": run, "page": PAGE}
            rows = cursor.execute(_SELECT[table], bound).fetchall()
        yield from rows
        if len(rows) < PAGE:
            return
        after = rows[-1]["number"]


def content_of(session: Session, blob: object) -> bytes:
    """Return the content of a blob. Raises LedgerError where it is damaged."""
    with session.reading() as db:
        try:
            return query.content(db, blob)
        except blobs.DamagedBlobError as error:
            raise LedgerError(
                f"{session.path} is damaged: {error}: `ullage ledger verify` says where"
            ) from error
