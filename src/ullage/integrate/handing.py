"""A hand-off that finds its ledger and its run where the recording of this process goes."""

from pathlib import Path

from ullage.history.handoff import Handoff
from ullage.tap.environment import DEFAULT_RUN, tap_settings

DEFAULT_LEDGER = Path("ullage.ledger")


def open_handoff(*, worker: str = "main", stage: str = "work") -> Handoff:
    """Open the hand-off of this run: `ULLAGE_LEDGER` and `ULLAGE_RUN` say which.

    `ullage run` and `record_run` set both, for all workers of a run; without them it is
    `./ullage.ledger` and the run `default`. `worker` and `stage` are those of what is recorded
    outside of any worker's block.
    """
    settings = tap_settings()
    if settings is None:
        return Handoff(DEFAULT_LEDGER, run=DEFAULT_RUN, worker=worker, stage=stage)
    return Handoff(settings.ledger, run=settings.run, worker=worker, stage=stage)
