"""What a rule is: pieces in, proposals out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from ullage.history.piece import Piece


class Guard(Protocol):
    """What must stay, as the rules need to know it; the never-rules of a history have this form."""

    @property
    def untouched(self) -> frozenset[int]:
        """Positions of pieces whose text no rule may replace."""

    def completed(self, index: int, text: str) -> str:
        """Return the text that is to replace a piece's, with what must stay of the old one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Replace the text of the result `pieces[index]` by `text`; `why` holds the figures.

    `text` begins with a placeholder that says what is gone. Where its notice must stand inside, so
    that the text keeps its syntax, `again` writes it with a way back to the whole in its notice.
    """

    index: int
    text: str
    why: str
    again: Callable[[str], str] | None = None


Rule: TypeAlias = Callable[[Sequence[Piece], Guard], Iterable[Proposal]]
"""Pure: the same pieces give the same proposals, in the order in which they are to be taken.

A result may be proposed more than once, each time shorter: whoever takes proposals stops when
enough is won back.
"""
