"""What a compaction gives back: the history that is left, and the account of what was done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ullage.history.event import Event
from ullage.history.piece import HistoryUnit
from ullage.history.settings import Tier

ACTING = ("repair", "elide", "summarise", "trim", "carry")
"""The actions that change a history; the others say why nothing was changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How large a history is with its fixed parts and the reply's reserve.

    `tokens` and `messages` whatever the budget counts; `cost` in what the budget counts.
    """

    tokens: int
    cost: int
    messages: int

    def to_dict(self) -> dict[str, int]:
        """Return the members of `before` and `after` in `ullage.compact/1`."""
        return {"tokens": self.tokens, "cost": self.cost, "messages": self.messages}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One part of the budget table (as `ullage count` has it), in tokens before and after."""

    part: str
    before: int
    after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacted:
    """A history after its compaction; what was not touched is the very object that was given.

    `body` is the document in its own form, `messages` its messages. `trail[i]` is the position in
    the history that was given of what `messages[i]` came from, None for a message of ours. `events`
    say what was done, and why a step was not; each begins where the one before it ended. `over` is
    by how much it is above the budget: 0 in every tier but T0, since the others raise. `reserve` is
    kept free for the reply, in tokens, and `reserve_from` says by whose word.
    """

    messages: Sequence[object]
    body: object
    trail: Sequence[int | None]
    tier: Tier
    events: Sequence[Event]
    before: Size
    after: Size
    budget: int
    unit: HistoryUnit
    reserve: int
    reserve_from: str
    table: Sequence[Row]

    @property
    def over(self) -> int:
        """By how much the history is over its budget, in the budget's unit."""
        return max(0, self.after.cost - self.budget)

    @property
    def fits(self) -> bool:
        """Whether the history is within its budget."""
        return self.over == 0

    @property
    def changed(self) -> bool:
        """Whether anything was done."""
        return any(one.action in ACTING for one in self.events)

    @property
    def requests(self) -> int:
        """How many requests were sent to a summariser."""
        return sum(one.requests for one in self.events)

    @property
    def rule_share(self) -> float | None:
        """The share of what was won that rules won, in tokens; None where nothing was won."""
        won = {"elide": 0, "summarise": 0, "trim": 0}
        for one in self.events:
            if one.action in won:
                won[one.action] += one.tokens_before - one.tokens_after
        total = sum(won.values())
        return won["elide"] / total if total > 0 else None

    def to_dict(self) -> Mapping[str, object]:
        """Return the members of `ullage.compact/1`, in their order."""
        return {
            "messages": list(self.messages),
            "tier": self.tier,
            "budget": {"limit": self.budget, "unit": self.unit},
            "reserve": {"tokens": self.reserve, "from": self.reserve_from},
            "fits": self.fits,
            "over": self.over,
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "events": [one.to_dict() for one in self.events],
            "table": [
                {"part": one.part, "tokens_before": one.before, "tokens_after": one.after}
                for one in self.table
            ],
            "trail": list(self.trail),
            "rule_share": self.rule_share,
            "requests": self.requests,
        }
