"""Each run of a ledger in figures: how much it is, what arrived in it, and how it came out."""

from dataclasses import dataclass, field

from ullage.ledger import measurements
from ullage.ledger.connection import Session
from ullage.ledger.history import recall_uses
from ullage.ledger.history_records import RecallUse
from ullage.ledger.prune import runs

# The last measurement of each result.
_MEASURED = """SELECT run, count(*), count(records), total(records), total(records_arrived)
    FROM delivery WHERE number IN (SELECT max(number) FROM delivery GROUP BY result) GROUP BY run"""
_COMPACTED = "SELECT run, count(*) FROM compaction GROUP BY run"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """One run; of its results those that were `measured`, and that a request carried (`seen`).

    `records` and `records_arrived` are added up over the latter. `recall` says what came of the
    handles under which it kept what left its history.
    """

    run: str
    last: float
    exchanges: int
    results: int
    measured: int
    seen: int
    records: int
    records_arrived: int
    score: float | None
    note: str | None
    compactions: int = 0
    recall: RecallUse = field(default_factory=RecallUse)

    @property
    def rate(self) -> float | None:
        """The share of records that arrived; None where none is known to have been produced."""
        return self.records_arrived / self.records if self.records else None

    def to_dict(self) -> dict[str, object]:
        """Return the members of `runs[]` in `ullage.stats/1`."""
        return {
            "run": self.run,
            "last": self.last,
            "exchanges": self.exchanges,
            "tool_results": self.results,
            "measured": self.measured,
            "seen": self.seen,
            "records": {"produced": self.records, "delivered": self.records_arrived},
            "rate": self.rate,
            "score": self.score,
            "note": self.note,
            "compactions": self.compactions,
            "recall": self.recall.to_dict(),
        }


def summaries(session: Session) -> list[RunSummary]:
    """Return every run, the one that was written to longest ago first."""
    with session.reading() as db:
        measured = {row[0]: row[1:] for row in db.execute(_MEASURED)}
        compacted = dict(db.execute(_COMPACTED).fetchall())
    uses = recall_uses(session)
    scores = measurements.outcomes(session)
    found = []
    for one in runs(session):
        results, seen, records, arrived = measured.get(one.tag, (0, 0, 0, 0))
        outcome = scores.get(one.tag)
        found.append(
            RunSummary(
                run=one.tag,
                last=one.last,
                exchanges=one.exchanges,
                results=one.results,
                measured=results,
                seen=seen,
                records=int(records),
                records_arrived=int(arrived),
                score=None if outcome is None else outcome.score,
                note=None if outcome is None else outcome.note,
                compactions=compacted.get(one.tag, 0),
                recall=uses.get(one.tag, RecallUse()),
            )
        )
    return found
