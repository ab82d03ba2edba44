"""A history on its way through a tier: its pieces now, and the events that led there."""

from collections.abc import Sequence
from dataclasses import dataclass

from ullage.history.event import Action, Event
from ullage.history.piece import Piece
from ullage.transcript.words import Boundary


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What an event says of itself; the figures around it are the history's."""

    action: Action
    what: str
    why: str
    rule: str | None = None
    boundary: Boundary = "retain"
    messages: tuple[int, ...] = ()
    shown: tuple[int, ...] = ()
    requests: int = 0


class Course:
    """The pieces of a history, changed step by step; each event begins where the last one ended.

    `fixed_tokens` and `fixed_cost` are of what is no message, the reply's reserve included.
    """

    def __init__(self, pieces: Sequence[Piece], *, fixed_tokens: int, fixed_cost: int) -> None:
        self.pieces = tuple(pieces)
        self.events: list[Event] = []
        self._fixed_tokens = fixed_tokens
        self._fixed_cost = fixed_cost

    @property
    def tokens(self) -> int:
        """The tokens of all of it."""
        return self._fixed_tokens + sum(one.tokens for one in self.pieces)

    @property
    def cost(self) -> int:
        """What all of it takes of the budget."""
        return self._fixed_cost + sum(one.cost for one in self.pieces)

    def take(self, pieces: Sequence[Piece], step: Step) -> None:
        """Put `pieces` in the place of those that are there, and write down what that was."""
        tokens, cost = self.tokens, self.cost
        self.pieces = tuple(pieces)
        self.events.append(
            Event(
                boundary=step.boundary,
                action=step.action,
                rule=step.rule,
                messages=step.messages,
                what=step.what,
                why=step.why,
                tokens_before=tokens,
                tokens_after=self.tokens,
                before=cost,
                after=self.cost,
                shown=step.shown,
                requests=step.requests,
            )
        )

    def stand(self, step: Step) -> None:
        """Write down that a step was not taken, or failed, and why; the history is as it was."""
        self.take(self.pieces, step)

    def rest(self, why: str) -> None:
        """Write down why nothing was done where something could have been."""
        self.stand(Step(action="nothing", what="nothing was taken out", why=why))
