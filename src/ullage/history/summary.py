"""What passes between a summary in the making, its driver and its caller: values only."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Purpose = Literal["summary", "merge"]
Wrong = Literal["error", "timeout", "cut"]
Reason = Literal[
    "nothing", "no-room", "error", "timeout", "cut", "empty", "junk", "over-long", "order",
    "inverted", "done-as-next",
]  # fmt: skip
"""Why a summary was not taken.

`nothing`: nothing is to be replaced. `no-room`: the summariser's window is too small to be shown
anything. `cut`: the reply stopped at its limit. `order`: the summary gives its reader an order.
`inverted`: it wants what the user forbade. `done-as-next`: it lists as next what was done.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A request to a summariser: chat messages with `role` and `content`.

    `part` counts the requests from 1, `of` is how many there will be as far as is known. `shown`
    are the positions of the pieces that stand in it, whole or in part. `max_tokens` is what the
    reply may take.
    """

    messages: tuple[Mapping[str, str], ...]
    purpose: Purpose
    shown: tuple[int, ...]
    part: int
    of: int
    max_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a summariser said; `tries` counts the requests that it took."""

    text: str
    tries: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """That a summariser did not answer, and why, in words for the user; it never holds a key."""

    why: str
    wrong: Wrong = "error"
    tries: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """How many distinct items of a kind were shown, how many the model's summary has of them.

    `added` were put below it word for word, `left_out` are in neither. What was shown and is not
    said to matter by anybody (a path in a listing that no reply and no call names) is not counted.
    """

    kind: str
    shown: int
    kept: int
    added: int

    @property
    def left_out(self) -> int:
        """Items that the summary and what was added to it do not have."""
        return self.shown - self.kept - self.added


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A summary that may stand for the pieces at `shown`; all that was replaced is among them.

    `text` is what goes into the history: the model's words, mended. `tokens` are its own, `asked`
    the requests that were made, retries included. `kept` measures what the model kept by kind.
    `withheld` are sentences that gave their reader orders and were taken out, `ticked` finished
    steps that it listed as open and that are marked as done. `unseen` says of pieces why no text
    can show them whole (a picture). `block_shown` says that an earlier summary was shown as well.
    """

    text: str
    tokens: int
    shown: tuple[int, ...]
    asked: int
    kept: tuple[Kept, ...] = ()
    withheld: tuple[str, ...] = ()
    ticked: tuple[str, ...] = ()
    unseen: tuple[tuple[int, str], ...] = ()
    block_shown: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """That no summary was taken, and why, in words for the user; the history stays as it is."""

    reason: Reason
    why: str
    shown: tuple[int, ...] = ()
    asked: int = 0


Steps: TypeAlias = Generator[Ask, "Answer | Failed", "Summary | Refusal"]
"""A summary in the making: it yields requests, is sent what came of them, and returns its end."""
