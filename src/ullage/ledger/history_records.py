"""What is written of a shortened history: compactions, texts kept for later, and their use."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionRecord:
    """One compaction of a history; sizes are those of the whole, `at` seconds since the epoch.

    `before`, `after` and `budget` are in `unit`. `events` is a JSON list of what it did, step by
    step: positions, counts, names of rules and short words, never a user's text.
    """

    run: str
    at: float
    tier: str
    unit: str
    budget: int
    before: int
    after: int
    tokens_before: int
    tokens_after: int
    events: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRecord:
    """A whole text that was left out of a history; `arguments` are those of its tool's call.

    `records` counts those of its lists, or its lines. Its handle is made of its content.
    """

    run: str
    at: float
    tool: str
    arguments: str
    text: str
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRecord:
    """One use of a handle: which records of which part were asked for, and how much was given.

    `known` is False where nothing is kept under the handle; `chars` is 0 where nothing was given.
    """

    run: str
    at: float
    handle: str
    part: str | None
    records: str | None
    chars: int
    known: bool


HistoryRecord = CompactionRecord | KeptRecord | RecallRecord
