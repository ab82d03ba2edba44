"""What was measured of recorded results and requests, and outcomes: rows beside the records."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from ullage.ledger.connection import Session
from ullage.ledger.entries import pages
from ullage.ledger.rows import insert
from ullage.ledger.scrub import Scrubber
from ullage.transcript.words import Boundary


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """What became of one result up to the first request that carries it.

    `delivered_chars` and what follows it are None where no request does. `parts_arrived` counts the
    parts of which any record arrived whole. `arrival` is the whole account as JSON, without texts.
    """

    run: str
    result: int
    exchange: int | None
    certainty: str | None
    delivered_chars: int | None
    records: int | None
    records_arrived: int | None
    parts: int | None
    parts_arrived: int | None
    rate: float | None
    valid: bool | None
    notice: str | None
    boundary: Boundary | None
    place: str
    arrival: str | None
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What was read from the bodies of one exchange, as JSON without texts."""

    run: str
    exchange: int
    document: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a run came out, by the user's own score; the last one of a run counts."""

    run: str
    score: float
    note: str | None
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """A run that was taken out: how much it was, when its last record was written, and why."""

    run: str
    exchanges: int
    results: int
    last: float | None
    why: str
    at: float


Row = Delivery | Figures | Outcome | Pruned
_TABLES: dict[type[Row], str] = {
    Delivery: "delivery",
    Figures: "figures",
    Outcome: "outcome",
    Pruned: "pruned",
}


_NOT_IN_FULL = """SELECT 1 FROM exchange WHERE run = ?1 AND keep IS NOT NULL
    UNION ALL SELECT 1 FROM result WHERE run = ?1 AND keep IS NOT NULL LIMIT 1"""


def has_all_texts(session: Session, run: str) -> bool:
    """Whether every record of a run is kept in full."""
    with session.reading() as db:
        return db.execute(_NOT_IN_FULL, (run,)).fetchone() is None


def add(session: Session, rows: Iterable[Row]) -> None:
    """Write rows, all of them or none."""
    with session.writing() as db:
        for row in rows:
            # As SQLite gives them back, because they are sealed: it has no truth values.
            values = {n: int(v) if isinstance(v, bool) else v for n, v in asdict(row).items()}
            insert(db, session.key, _TABLES[type(row)], values)


def add_outcome(session: Session, scrubber: Scrubber, outcome: Outcome) -> None:
    """Write an outcome, its note without secrets."""
    note = None if outcome.note is None else scrubber.of(outcome.run).text(outcome.note)
    with session.writing() as db:
        insert(db, session.key, "outcome", {**asdict(outcome), "note": note})


def deliveries(session: Session, run: str | None = None) -> dict[int, Delivery]:
    """Return what was measured last of each result, by its number."""
    return {one.result: one for one in _read(session, Delivery, run)}


def figures(session: Session, run: str | None = None) -> dict[int, Figures]:
    """Return what was read last from each exchange, by its number."""
    return {one.exchange: one for one in _read(session, Figures, run)}


def outcomes(session: Session, run: str | None = None) -> dict[str, Outcome]:
    """Return how each run came out at last."""
    return {one.run: one for one in _read(session, Outcome, run)}


def pruned(session: Session) -> Sequence[Pruned]:
    """Return what was taken out, in order."""
    return _read(session, Pruned, None)


def _read(session: Session, kind: type[Any], run: str | None) -> list[Any]:
    names = [one.name for one in fields(kind)]
    found = []
    for row in pages(session, _TABLES[kind], run):
        values = {name: row[name] for name in names}
        if values.get("valid") is not None:
            values["valid"] = bool(values["valid"])
        found.append(kind(**values))
    return found
