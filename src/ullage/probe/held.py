"""The conversations that a harness goes on with by the id of a reply, not by sending them again."""

from collections import OrderedDict, defaultdict
from collections.abc import Sequence

from ullage.transcript.message import Message

MOST = 1_000
"""Replies that are held for a run; the oldest goes first."""


class HeldReplies:
    """What each reply's id stands for, run by run: the conversation up to that reply, included."""

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self._held: defaultdict[str, OrderedDict[str, tuple[Message, ...]]]
        self._held = defaultdict(OrderedDict)

    def hold(self, run: str, reply: str, messages: Sequence[Message]) -> None:
        """Remember what a reply stands for."""
        held = self._held[run]
        held[reply] = tuple(messages)
        held.move_to_end(reply)
        if len(held) > self.most:
            held.popitem(last=False)

    def before(self, run: str, reply: str) -> tuple[Message, ...] | None:
        """Return what a reply stands for; None where it is not held."""
        return self._held[run].get(reply) if run in self._held else None
