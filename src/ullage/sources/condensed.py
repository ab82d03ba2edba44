"""What OpenHands shows its model: the events that no condensation has made it forget."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ullage.sources.drafts import Draft
from ullage.transcript.finding import Source
from ullage.transcript.message import Message
from ullage.transcript.transcript import Compaction, Entry

SUMMARY = "-summary"
"""What newer versions put behind a condensation's id to name its summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condensation:
    """One condensation: what it makes the model forget, and what it says in its place.

    `offset` is where the summary stands among the events that are left; without it there is none.
    """

    key: str
    forgets: Callable[[str], bool]
    names_summaries: bool = False
    summary: str | None = None
    offset: int | None = None
    trigger: str | None = None
    at: float | None = None


@dataclass(slots=True)
class View:
    """The events in force, by their ids: also those that are no message, which an offset counts."""

    order: list[str] = field(default_factory=list)
    summaries: set[str] = field(default_factory=set)

    def add(self, key: str) -> None:
        """Add an event."""
        self.order.append(key)

    def condense(self, one: Condensation, draft: Draft, source: Source) -> None:
        """Forget events, and put the compaction down."""
        at, spent = len(draft.entries), draft.tokens()
        summed = one.summary is not None and one.offset is not None
        # Older versions show the newest summary only; newer ones forget the older by its name.
        replaced = summed and not one.names_summaries
        self.order = [
            key
            for key in self.order
            if not one.forgets(key) and not (replaced and key in self.summaries)
        ]
        if one.summary is not None and one.offset is not None:
            key = one.key + SUMMARY
            message = Message(role="user", text=one.summary)
            draft.add(Entry(message=message, source=source, at=one.at, key=key))
            self.order.insert(one.offset, key)
            self.summaries.add(key)
        draft.compactions.append(
            Compaction(
                at=at,
                act="summarise" if summed else "trim",
                after=tuple(draft.keys[key] for key in self.order if key in draft.keys),
                summary=(at,) if summed else (),
                trigger=one.trigger,
                tokens_before=spent,
                source=source,
            )
        )
