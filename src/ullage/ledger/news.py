"""What has been written into a ledger since the last look, by run: a few reads of new rows only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ullage.ledger.connection import Session
from ullage.ledger.opening import check_file

# NOT INDEXED: the rows after a number are asked for, which is the order they lie in. By its index
# over runs SQLite would go through all of them.
_NEWS: Mapping[str, str] = {
    "exchange": "SELECT run, max(number) FROM exchange NOT INDEXED WHERE number > ? GROUP BY run",
    "result": "SELECT run, max(number) FROM result NOT INDEXED WHERE number > ? GROUP BY run",
    "step": "SELECT run, max(number) FROM step NOT INDEXED WHERE number > ? GROUP BY run",
    "fault": "SELECT run, max(number) FROM fault NOT INDEXED WHERE number > ? GROUP BY run",
    "lost": "SELECT run, max(number) FROM lost NOT INDEXED WHERE number > ? GROUP BY run",
    "figures": "SELECT run, max(number) FROM figures NOT INDEXED WHERE number > ? GROUP BY run",
    "pruned": "SELECT run, max(number) FROM pruned NOT INDEXED WHERE number > ? GROUP BY run",
}
_HANDED_ON = """SELECT result.run, handed_on.number, result.number
    FROM handed_on NOT INDEXED JOIN result ON result.number = handed_on.result
    WHERE handed_on.number > ? ORDER BY handed_on.number"""
_LAST: Mapping[str, str] = {
    "exchange": "SELECT coalesce(max(number), 0) FROM exchange",
    "result": "SELECT coalesce(max(number), 0) FROM result",
    "step": "SELECT coalesce(max(number), 0) FROM step",
    "fault": "SELECT coalesce(max(number), 0) FROM fault",
    "lost": "SELECT coalesce(max(number), 0) FROM lost",
    "figures": "SELECT coalesce(max(number), 0) FROM figures",
    "pruned": "SELECT coalesce(max(number), 0) FROM pruned",
    "handed_on": "SELECT coalesce(max(number), 0) FROM handed_on",
}
# From one run to the next by the index: rows are many, runs are few.
_RUNS = """WITH RECURSIVE
    of_exchange(run) AS (SELECT min(run) FROM exchange UNION ALL
        SELECT (SELECT min(run) FROM exchange WHERE run > of_exchange.run) FROM of_exchange
        WHERE of_exchange.run IS NOT NULL),
    of_result(run) AS (SELECT min(run) FROM result UNION ALL
        SELECT (SELECT min(run) FROM result WHERE run > of_result.run) FROM of_result
        WHERE of_result.run IS NOT NULL),
    of_step(run) AS (SELECT min(run) FROM step UNION ALL
        SELECT (SELECT min(run) FROM step WHERE run > of_step.run) FROM of_step
        WHERE of_step.run IS NOT NULL),
    of_fault(run) AS (SELECT min(run) FROM fault UNION ALL
        SELECT (SELECT min(run) FROM fault WHERE run > of_fault.run) FROM of_fault
        WHERE of_fault.run IS NOT NULL),
    of_lost(run) AS (SELECT min(run) FROM lost UNION ALL
        SELECT (SELECT min(run) FROM lost WHERE run > of_lost.run) FROM of_lost
        WHERE of_lost.run IS NOT NULL)
    SELECT run FROM (
        SELECT run FROM of_exchange
        UNION SELECT run FROM of_result
        UNION SELECT run FROM of_step
        UNION SELECT run FROM of_fault
        UNION SELECT run FROM of_lost) AS found
    WHERE run IS NOT NULL ORDER BY
        (SELECT max(number) FROM exchange WHERE exchange.run = found.run) DESC, run"""
_NEWEST_RUN = """SELECT run FROM (SELECT run, ended AS at FROM exchange
    WHERE number = (SELECT max(number) FROM exchange)
    UNION ALL SELECT run, at FROM result WHERE number = (SELECT max(number) FROM result)
    UNION ALL SELECT run, at FROM fault WHERE number = (SELECT max(number) FROM fault)
    UNION ALL SELECT run, at FROM lost WHERE number = (SELECT max(number) FROM lost))
    ORDER BY at DESC LIMIT 1"""
# By number, as for exchanges: there is no index over times.
_RECENT = """SELECT run FROM result
    WHERE number > (SELECT max(number) FROM result) - 20000 AND at >= ?1
    UNION SELECT run FROM fault
    WHERE number > (SELECT max(number) FROM fault) - 20000 AND at >= ?1
    UNION SELECT run FROM lost
    WHERE number > (SELECT max(number) FROM lost) - 20000 AND at >= ?1"""
_WAITING = "SELECT count(*) FROM exchange WHERE run = ? AND number > ?"
_REASON = """SELECT at, what FROM (SELECT what, at FROM fault WHERE run = ?1
    UNION ALL SELECT what, at FROM lost WHERE run = ?1) ORDER BY at DESC, what DESC LIMIT 1"""

Marks = Mapping[str, int]
"""By table, the number of the last row that was seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What is new: the `runs` that have new rows, and of some of these which.

    `handed` are results, by run, of which it was said after them what their maker handed on.
    `gone` are runs that were taken out.
    """

    marks: Marks
    runs: frozenset[str]
    handed: Mapping[str, Sequence[int]] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Reason:
    """Why a record could not be kept, and when (seconds since the epoch)."""

    at: float
    what: str


def news(session: Session, since: Marks) -> News:
    """Return what was written after the rows that `since` names, in one state of the file.

    Raises LedgerError where a newer version has changed the file's schema meanwhile.
    """
    marks = dict(since)
    found: dict[str, set[str]] = {}
    handed: dict[str, list[int]] = {}
    with session.reading() as db:
        check_file(session.path, db)
        db.execute("BEGIN")
        try:
            for table, statement in _NEWS.items():
                for run, last in db.execute(statement, (since.get(table, 0),)):
                    marks[table] = max(marks.get(table, 0), last)
                    found.setdefault(table, set()).add(run)
            for run, number, result in db.execute(_HANDED_ON, (since.get("handed_on", 0),)):
                marks["handed_on"] = number
                handed.setdefault(run, []).append(result)
        finally:
            db.execute("ROLLBACK")
    gone = found.pop("pruned", set())
    return News(
        marks=marks,
        runs=frozenset().union(*found.values(), handed),
        handed=handed,
        gone=frozenset(gone),
    )


def last_rows(session: Session) -> Marks:
    """Return the number of each table's last row, in one state of the file."""
    with session.reading() as db:
        db.execute("BEGIN")
        try:
            return {name: db.execute(one).fetchone()[0] for name, one in _LAST.items()}
        finally:
            db.execute("ROLLBACK")


def runs_there(session: Session) -> list[str]:
    """Return every run, the one that asked last first."""
    with session.reading() as db:
        return [row[0] for row in db.execute(_RUNS)]


def newest_run(session: Session) -> str | None:
    """Return the run that was written to last; None where there is none."""
    with session.reading() as db:
        row = db.execute(_NEWEST_RUN).fetchone()
    return None if row is None else str(row[0])


def recent_beside(session: Session, since: float) -> list[str]:
    """Return the runs that made results since then, or could not keep records.

    Of the last 20,000 of each; `since` in seconds since the epoch.
    """
    with session.reading() as db:
        return [row[0] for row in db.execute(_RECENT, (since,))]


def waiting(session: Session, run: str, after: int) -> int:
    """Count the exchanges of a run after a number."""
    with session.reading() as db:
        return int(db.execute(_WAITING, (run, after)).fetchone()[0])


def last_reason(session: Session, run: str) -> Reason | None:
    """Return why a record of a run could not be kept, the last time; None where all were."""
    with session.reading() as db:
        row = db.execute(_REASON, (run,)).fetchone()
    return None if row is None else Reason(at=row[0], what=row[1])
