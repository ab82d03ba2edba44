"""What is written of workers and of their findings, and what is read back.

Texts that are read back are the redacted ones, lengths are those of the original.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

WorkerEvent = Literal[
    "begun", "ended", "failed", "pre-empted", "cut", "computation", "call", "carried"
]
"""What became of a worker, and what it did. `cut`: it was stopped by a limit. `carried`: findings
were put together for the stage named in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerRecord:
    """One event of a worker: an agent, or a process, that finds something in a stage of a run.

    `mark` tells it from other workers of its name. `detail` says more about the event.
    """

    run: str
    worker: str
    mark: str
    stage: str
    event: WorkerEvent
    detail: Mapping[str, object]
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingRecord:
    """One evidence finding as its worker wrote it down; `key` tells it from all others.

    `evidence` is what it rests on, empty where that was not said; `source` is where that is found.
    """

    run: str
    worker: str
    mark: str
    stage: str
    key: str
    text: str
    evidence: str
    source: str | None
    at: float


HandingRecord = WorkerRecord | FindingRecord
"""What `Ledger.record` takes of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredWorker:
    """One event of a worker read back."""

    number: int
    run: str
    worker: str
    mark: str
    stage: str
    event: str
    detail: Mapping[str, object]
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFinding:
    """One evidence finding read back; where `keep` is not `full`, its texts are empty."""

    number: int
    run: str
    worker: str
    mark: str
    stage: str
    key: str
    text: str
    chars: int
    evidence: str
    source: str | None
    at: float
    keep: str = "full"
