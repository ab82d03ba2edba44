"""Reading a ledger: its records in the order of writing, and its figures."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from ullage.errors import LedgerError
from ullage.ledger import blobs
from ullage.ledger.connection import Session
from ullage.ledger.records import Bodies, StoredExchange, StoredResult, StoredStep
from ullage.ledger.redact import decode
from ullage.ledger.scrub import RunScrubber, Scrubber

# Rows are read a page at a time: a reader never keeps the file's history from being tidied up, and
# whoever stops early has not waited for the rest.
PAGE = 16
_EXCHANGES = """SELECT * FROM exchange
    WHERE number > :after AND (:run IS NULL OR run = :run) ORDER BY number LIMIT :page"""
_RESULTS = """SELECT result.*, handed_on.text AS handed_on, handed_on.text_hash AS handed_hash,
    handed_on.text_chars AS handed_chars
    FROM result LEFT JOIN handed_on ON handed_on.number =
        (SELECT max(number) FROM handed_on WHERE result = result.number)
    WHERE result.number > :after AND (:run IS NULL OR run = :run)
    ORDER BY result.number LIMIT :page"""
_STEPS = """SELECT * FROM step
    WHERE number > :after AND (:run IS NULL OR run = :run) ORDER BY number LIMIT :page"""
_RUNS = """SELECT run FROM (SELECT run, started AS at FROM exchange UNION ALL
    SELECT run, at FROM result UNION ALL SELECT run, at FROM step UNION ALL
    SELECT run, at FROM fault UNION ALL SELECT run, at FROM lost UNION ALL
    SELECT run, at FROM compaction UNION ALL SELECT run, at FROM kept UNION ALL
    SELECT run, at FROM worker UNION ALL SELECT run, at FROM finding)
    GROUP BY run ORDER BY min(at), run"""
_FAULTS = """SELECT (SELECT count(*) FROM fault WHERE ?1 IS NULL OR run = ?1)
    + (SELECT coalesce(sum(records), 0) FROM lost WHERE ?1 IS NULL OR run = ?1)"""
# By number, not by time: there is no index over times, and a file may hold millions.
_RECENT = """SELECT run, count(*) FROM exchange
    WHERE number > (SELECT max(number) FROM exchange) - 20000 AND started >= :since
    GROUP BY run ORDER BY max(number) DESC LIMIT :most"""

Stored = TypeVar("Stored")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRange:
    """Where the results of a run stand: the first number, the last, and how many they are."""

    run: str
    first: int
    last: int
    results: int


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


def exchanges(
    session: Session, scrubber: Scrubber, run: str | None, bodies: Bodies, after: int = 0
) -> Iterator[StoredExchange]:
    """Give the exchanges in the order of writing, those behind the number `after`."""
    wanted = ("request_body", "response_body") if bodies == "both" else ("request_body",)
    return _read(session, _rows(session, scrubber, _EXCHANGES, run, wanted, after), _exchange)


def results(
    session: Session, scrubber: Scrubber, run: str | None, after: int = 0
) -> Iterator[StoredResult]:
    """Give the produced results in the order of writing, those behind the number `after`."""
    wanted = ("arguments", "text", "handed_on")
    return _read(session, _rows(session, scrubber, _RESULTS, run, wanted, after), _result)


def result(session: Session, scrubber: Scrubber, number: int) -> StoredResult | None:
    """Give one produced result; None where there is none of that number."""
    wanted = ("arguments", "text", "handed_on")
    rows = _rows(session, scrubber, _RESULTS, None, wanted, number - 1)
    found = next(_read(session, rows, _result), None)
    return found if found is not None and found.number == number else None


def steps(
    session: Session, scrubber: Scrubber, run: str | None, after: int = 0
) -> Iterator[StoredStep]:
    """Give the declared steps in the order of writing, those behind the number `after`."""
    return _read(session, _rows(session, scrubber, _STEPS, run, ("dropped",), after), _step)


def runs(session: Session) -> list[str]:
    """Return the tags of all runs, the oldest first."""
    with session.reading() as db:
        return [row[0] for row in db.execute(_RUNS)]


def recent_runs(session: Session, since: float, most: int) -> list[tuple[str, int]]:
    """Return the runs that asked since then, the latest first, and how often each of them did."""
    with session.reading() as db:
        return list(db.execute(_RECENT, {"since": since, "most": most}))


def run_ranges(session: Session) -> list[RunRange]:
    """Return where the results of each run stand, in the order of their first ones."""
    with session.reading() as db:
        rows = db.execute(
            "SELECT run, min(number), max(number), count(*) FROM result GROUP BY run"
            " ORDER BY min(number)"
        ).fetchall()
    return [RunRange(run=run, first=a, last=b, results=number) for run, a, b, number in rows]


def runs_that_asked(session: Session) -> list[str]:
    """Return the tags of the runs that have exchanges, in the order of their first ones."""
    with session.reading() as db:
        rows = db.execute("SELECT run FROM exchange GROUP BY run ORDER BY min(number)")
        return [row[0] for row in rows]


def faults(session: Session, run: str | None) -> int:
    """Return how many records could not be kept."""
    with session.reading() as db:
        return int(db.execute(_FAULTS, (run,)).fetchone()[0])


def last_result(session: Session) -> int:
    """Return the number of the last result that is there; 0 where there is none."""
    with session.reading() as db:
        return int(db.execute("SELECT coalesce(max(number), 0) FROM result").fetchone()[0])


def stats(session: Session) -> Stats:
    """Return how much the ledger holds."""
    with session.reading() as db:
        row = db.execute(
            "SELECT (SELECT count(*) FROM exchange), (SELECT count(*) FROM result),"
            " (SELECT count(*) FROM blob)"
        ).fetchone()
        not_recorded = db.execute(_FAULTS, (None,)).fetchone()[0]
    # Not the -shm file: it is made by whoever looks, and holds nothing.
    files = [session.path, session.path.with_name(session.path.name + "-wal")]
    return Stats(
        exchanges=row[0],
        tool_results=row[1],
        blobs=row[2],
        bytes=sum(file.stat().st_size for file in files if file.exists()),
        not_recorded=int(not_recorded),
    )


def _read(
    session: Session, rows: Iterator["_Row"], make: Callable[["_Row"], Stored]
) -> Iterator[Stored]:
    while True:
        try:
            row = next(rows, None)
            record = None if row is None else make(row)
        except (blobs.DamagedBlobError, UnicodeDecodeError, msgspec.DecodeError) as error:
            raise LedgerError(
                f"{session.path} is damaged: {error}: `ullage ledger verify` says where"
            ) from error
        if record is None:
            return
        yield record


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A row, and the contents that it refers to, by column."""

    values: sqlite3.Row
    contents: Mapping[str, bytes]


def _rows(
    session: Session,
    scrubber: Scrubber,
    statement: str,
    run: str | None,
    wanted: Sequence[str],
    after: int = 0,
) -> Iterator[_Row]:
    """Give rows with their contents, of which no more than one row's are held."""
    scrubs: dict[str, RunScrubber] = {}
    for values in _pages(session, statement, run, after):
        scrub = scrubs.get(values["run"]) or scrubber.of(values["run"])
        scrubs[values["run"]] = scrub
        blob_of = {name: values[name] for name in wanted if values[name] is not None}
        with session.reading() as db:
            held = {name: content(db, blob) for name, blob in blob_of.items()}
        yield _Row(
            values=values,
            contents={name: scrub.stored(one) for name, one in held.items()},
        )


def _pages(session: Session, statement: str, run: str | None, after: int) -> Iterator[sqlite3.Row]:
    while True:
        with session.reading() as db:
            cursor = db.cursor()
            cursor.row_factory = sqlite3.Row
            rows = cursor.execute(statement, {"after": after, "run": run, "page": PAGE}).fetchall()
        yield from rows
        if len(rows) < PAGE:
            return
        after = rows[-1]["number"]


def _exchange(found: _Row) -> StoredExchange:
    row = found.values
    return StoredExchange(
        number=row["number"],
        run=row["run"],
        method=row["method"],
        path=row["path"],
        upstream=row["upstream"],
        request_headers=msgspec.json.decode(row["request_headers"], type=dict[str, str]),
        request_body=found.contents["request_body"],
        status=row["status"],
        response_headers=msgspec.json.decode(row["response_headers"], type=dict[str, str]),
        response_body=found.contents.get("response_body"),
        started=row["started"],
        first_byte=row["first_byte"],
        ended=row["ended"],
        error=row["error"],
        cohort=row["cohort"],
        agent=row["agent"],
        keep=row["keep"] or "full",
        request_bytes=row["request_bytes"],
        response_bytes=row["response_bytes"],
    )


def _result(found: _Row) -> StoredResult:
    row, contents = found.values, found.contents
    handed_on = contents.get("handed_on")
    text = contents["text"]
    if handed_on is not None and row["handed_hash"] == row["text_hash"]:
        text = handed_on  # one and the same, whatever was known when each of them was written
    return StoredResult(
        number=row["number"],
        run=row["run"],
        tool=row["tool"],
        kind=row["kind"],
        arguments=decode(contents["arguments"]),
        text=decode(text),
        chars=row["text_chars"],
        handed_on=None if handed_on is None else decode(handed_on),
        at=row["at"],
        key=row["key"],
        agent=row["agent"],
        call_id=row["call_id"],
        keep=row["keep"] or "full",
        handed_chars=row["handed_chars"],
    )


def _step(found: _Row) -> StoredStep:
    row = found.values
    return StoredStep(
        number=row["number"],
        run=row["run"],
        name=row["name"],
        taken_in=row["taken_in"],
        handed_out=row["handed_out"],
        dropped=msgspec.json.decode(found.contents["dropped"], type=tuple[str, ...]),
        reason=row["reason"],
        at=row["at"],
    )


def content(db: sqlite3.Connection, blob: object) -> bytes:
    """Return the content of a blob; DamagedBlobError says in which way it is not there."""
    row = db.execute("SELECT data, form, length, digest FROM blob WHERE id = ?", (blob,)).fetchone()
    if row is None:
        raise blobs.DamagedBlobError(f"refers to blob number {blob}, which is not there")
    data, form, length, digest = row
    return blobs.unpack(data, form=form, length=length, digest=digest)
