"""A compaction written into a ledger: what it did, by positions, counts and names of rules."""

import json
from collections.abc import Sequence
from typing import Protocol

from ullage.cutter.excerpt import excerpt
from ullage.history.event import Event
from ullage.history.piece import HistoryUnit
from ullage.ledger.history_records import CompactionRecord
from ullage.ledger.store import Ledger

LONGEST_WORDS = 120
"""Characters kept of what an event says in words: these are ours, and may name a file."""


class Measured(Protocol):
    """The size of a history: what its budget counts, and its tokens."""

    @property
    def tokens(self) -> int:
        """Its tokens."""
        ...

    @property
    def cost(self) -> int:
        """What it takes of the budget."""
        ...


class Done(Protocol):
    """A finished compaction, as far as a ledger tells of it."""

    @property
    def tier(self) -> str:
        """The tier that was asked for."""
        ...

    @property
    def unit(self) -> HistoryUnit:
        """What the budget counts."""
        ...

    @property
    def budget(self) -> int:
        """The budget."""
        ...

    @property
    def before(self) -> Measured:
        """The history that was given."""
        ...

    @property
    def after(self) -> Measured:
        """The history that came out."""
        ...

    @property
    def events(self) -> Sequence[Event]:
        """What was done, step by step."""
        ...


def record_events(ledger: Ledger, run: str, compacted: Done, at: float) -> None:
    """Write one compaction into a ledger; `at` is now, in seconds since the epoch.

    Of texts nothing is written but the first words in which an event says what it did.
    """
    ledger.record(
        CompactionRecord(
            run=run,
            at=at,
            tier=compacted.tier,
            unit=compacted.unit,
            budget=compacted.budget,
            before=compacted.before.cost,
            after=compacted.after.cost,
            tokens_before=compacted.before.tokens,
            tokens_after=compacted.after.tokens,
            events=json.dumps([words_of(one) for one in compacted.events], ensure_ascii=False),
        )
    )


def words_of(event: Event) -> dict[str, object]:
    """Return an event as it is recorded: who was shown what is a count."""
    found = event.to_dict()
    return {
        **found,
        "what": excerpt(event.what, LONGEST_WORDS),
        "why": excerpt(event.why, LONGEST_WORDS),
        "shown": len(event.shown),
    }
