"""What earlier stages found, in the first request of the next one and in all that follow."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ullage.history.handoff import Handoff

M = TypeVar("M")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Generic[M]):
    """What the messages of a framework are: how a user's is told, and a model's, and made."""

    is_user: Callable[[M], bool]
    is_reply: Callable[[M], bool]
    text: Callable[[M], str]
    make: Callable[[str], M]


def content(message: Mapping[str, Any]) -> object:
    """Return what a message of most providers says."""
    return message.get("content")


class Carried:
    """The block of a hand-off: put together for each first request, the same in those after it."""

    def __init__(self, handoff: Handoff | None, stage: str) -> None:
        self._handoff, self._stage = handoff, stage
        self._block = ""
        self._lock = threading.Lock()

    def block(self, *, first: bool) -> str:
        """Return the block; empty where there is nothing to hand on."""
        if self._handoff is None:
            return ""
        with self._lock:
            if first or not self._block:
                found = self._handoff.findings()
                self._block = self._handoff.carry(self._stage) if found else ""
            return self._block

    def among(self, given: Sequence[M], kind: Kind[M]) -> list[M]:
        """Return messages with the block behind the first one of the user's."""
        block = self.block(first=not any(map(kind.is_reply, given)))
        if not block or any(kind.text(one) == block for one in given):
            return list(given)
        at = next((at for at, one in enumerate(given) if kind.is_user(one)), -1) + 1
        return [*given[:at], kind.make(block), *given[at:]]

    def marked(
        self, said: Sequence[Mapping[str, Any]], text: Callable[[Any], object] = content
    ) -> list[Any]:
        """Return what a history says with the block marked, so that no trim takes it."""
        return [
            {**one, "protected": True} if self._block and text(one) == self._block else one
            for one in said
        ]
