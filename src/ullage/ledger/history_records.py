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


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallUse:
    """What came of the offer to have texts again.

    `offered` counts handles, `used` those of them that were asked for at least once; `pages` the
    answers with records in them, `unknown` the calls with a handle under which nothing is kept.
    """

    offered: int = 0
    used: int = 0
    pages: int = 0
    unknown: int = 0

    @property
    def rate(self) -> float | None:
        """The share of handles that were used; None where none was offered."""
        return self.used / self.offered if self.offered else None

    def to_dict(self) -> dict[str, object]:
        """Return the figures by name, in their order."""
        return {
            "offered": self.offered,
            "used": self.used,
            "pages": self.pages,
            "unknown": self.unknown,
            "rate": self.rate,
        }
