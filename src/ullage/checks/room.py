"""How full the window was where a result was given, and whether all of it would have fitted."""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from ullage.checks.session import Result, Session
from ullage.counting.count import count

RESERVE = 0.125
LONGEST_RESERVE = 32_000
"""Kept free for the answer where no limit of it is known: inferred from usual settings."""

MOST_PER_BYTE = 0.5
"""More tokens than this for a byte no usual text has: the bound where nothing was counted."""

ROOMY = 0.5
TIMES = 8
"""Of a result whose whole size is not known, so much room says that it need not have been cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """The window, and what stood in it once a result was given, in tokens.

    `prompt` is the server's own count where `method` is `usage`, else an upper bound. `whole` is
    the most that all of the result would have been, None where its size is not known.
    """

    window: int
    prompt: int
    method: str
    delivered: int
    whole: int | None
    reserve: int

    @property
    def fits(self) -> bool:
        """Whether all of the result would have fitted, as far as that can be said."""
        free = self.window - self.reserve - self.prompt
        if self.whole is None:
            return self.prompt <= ROOMY * self.window and free >= TIMES * self.delivered
        return self.whole - self.delivered <= free


class Rooms:
    """The rooms of one session's results; nothing is counted where the window is not known."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def of(self, result: Result, produced_chars: int | None) -> Room | None:
        """Return the room at a result; None where the window is not known."""
        window = self.session.window
        if window is None:
            return None
        read = self.read[result.entry]
        text = result.text
        delivered = math.ceil(len(text.encode("utf-8", "surrogatepass")) / 3)
        return Room(
            window=window,
            prompt=self.bound[result.entry] if read is None else read,
            method="estimate" if read is None else "usage",
            delivered=delivered,
            whole=self.whole(result, produced_chars, delivered),
            reserve=min(LONGEST_RESERVE, math.ceil(RESERVE * window)),
        )

    def whole(self, result: Result, produced_chars: int | None, delivered: int) -> int | None:
        """Return the most tokens that all of a result would have been."""
        if produced_chars is None:
            return None
        measured = result.measured
        if measured is not None and measured.produced:
            return count(measured.produced, model=self.session.transcript.model).high
        # So much as the part that is there, a character, and no less than is usual for JSON.
        return math.ceil(produced_chars * max(MOST_PER_BYTE, delivered / max(1, len(result.text))))

    @cached_property
    def read(self) -> list[int | None]:
        """By entry, what the server read with the next reply; None where that is not known."""
        found: list[int | None] = []
        last: int | None = None
        for entry in reversed(self.session.entries):
            found.append(last)
            if entry.message.role == "assistant":
                last = None if entry.usage is None else entry.usage.input
        return found[::-1]

    @cached_property
    def bound(self) -> list[int]:
        """By entry, the most tokens that all messages up to it are, whatever left the context."""
        sizes = (
            sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
            for texts in (
                [one.message.text, *(call.arguments for call in one.message.calls)]
                for one in self.session.entries
            )
        )
        return [math.ceil(MOST_PER_BYTE * total) for total in accumulate(sizes)]
