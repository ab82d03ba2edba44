"""The findings of one run as they are shown: each with its worker, and the last hand-off of all."""

from dataclasses import dataclass

from ullage.history.hand_arrival import HandoffArrival
from ullage.history.handoff import Handoff, last_carried
from ullage.history.workers import Worker
from ullage.ledger.handing_records import StoredFinding
from ullage.ledger.store import Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class Handed:
    """One run: its findings, its workers, and what arrived where findings were handed on last.

    `arrival` is None where nothing was carried to any stage.
    """

    run: str
    findings: tuple[StoredFinding, ...]
    workers: tuple[Worker, ...]
    arrival: HandoffArrival | None

    def to_dict(self) -> dict[str, object]:
        """Return the members of `runs[]` in `ullage.findings/1`, in their order."""
        return {
            "run": self.run,
            "findings": [
                {
                    "key": one.key,
                    "worker": one.worker,
                    "stage": one.stage,
                    "text": one.text,
                    "evidence": one.evidence or None,
                    "source": one.source,
                    "at": one.at,
                    "keep": one.keep,
                }
                for one in self.findings
            ],
            "workers": [
                {
                    "worker": one.name,
                    "stage": one.stage,
                    "state": one.state,
                    "cause": one.cause,
                    "recorded": one.recorded,
                    "computations": one.work.computations,
                    "calls": one.work.calls,
                    "refetches": one.work.refetches,
                }
                for one in self.workers
            ],
            "handoff": None if self.arrival is None else self.arrival.to_dict(),
        }


def handed(ledger: Ledger, run: str) -> Handed | None:
    """Return what a run has of findings and workers; None where it has neither."""
    events = tuple(ledger.workers(run))
    handoff = Handoff(ledger, run=run)
    findings, workers = handoff.findings(), handoff.workers()
    if not findings and not workers:
        return None
    carried = last_carried(events, None)
    return Handed(
        run=run,
        findings=findings,
        workers=workers,
        arrival=None if carried is None else handoff.verify(),
    )
