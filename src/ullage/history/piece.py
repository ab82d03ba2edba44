"""A history in neutral words: its pieces, and the units that move together."""

from dataclasses import dataclass, replace
from typing import Literal

from ullage.transcript.message import Message

HistoryUnit = Literal["tokens", "chars", "messages"]
"""What a budget of a history counts: tokens of its texts; characters of its messages as compact
JSON, not ASCII-escaped; messages as its provider counts them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One message, or what in a message is one of several (a result among other results).

    `message` says it in neutral words and `raw` is the provider's own object, which nothing alters
    in place. `place` is the message's position in the history that was given, from 0, or None where
    it is ours; `block` the position inside it, None where the piece is the whole message. `cost` is
    what it takes of the budget, `tokens` its tokens, whatever the budget counts. `failed` says that
    the provider's own form marks a result as an error. `marked` is what a marker in the message
    says: True to keep it (`protected`, `include_in_trim: false`), False where it says that it may
    go, None without one; `source` is the marker of that name. `solid` pieces hold what cannot be
    put as a text (images, an encrypted item): their text is never replaced.
    """

    message: Message
    raw: object
    place: int | None
    block: int | None = None
    cost: int = 0
    tokens: int = 0
    failed: bool = False
    marked: bool | None = None
    source: str | None = None
    solid: bool = False

    @property
    def is_result(self) -> bool:
        """Whether it is what a tool returned."""
        return self.message.role == "tool" or self.message.answers is not None

    def saying(self, text: str, *, raw: object, cost: int, tokens: int) -> "Piece":
        """Return the piece with another text."""
        return replace(
            self, message=replace(self.message, text=text), raw=raw, cost=cost, tokens=tokens
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Pieces that move together, by their positions: a reply with its calls and their results.

    `turn` counts the replies of the model up to it, its own included; 0 before the first reply.
    """

    members: tuple[int, ...]
    turn: int
