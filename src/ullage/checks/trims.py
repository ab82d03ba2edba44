"""What a request no longer says that the one before it in its conversation did."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.transcript.message import Message, Role, ToolCall
from ullage.wire.conversation import mark

Act = Literal["gone", "changed"]
"""`gone`: no message stands for it; `changed`: another text stands in its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trim:
    """One message that was there before: its place there (from 0), and what became of it.

    `answers` is the call whose result it is. `chars_left` is the length of what stands in its
    place, 0 where nothing does.
    """

    act: Act
    index: int
    role: Role
    chars: int
    chars_left: int
    answers: str | None


def trims(before: Sequence[Message], after: Sequence[Message]) -> list[Trim]:
    """Return which messages of a request are not in the one that follows it, in their order.

    A message is the same if role, text, call and answer are; equal ones count as many times as
    they stand there. One whose call has another answer now was changed; so was a system text.
    """
    there = Counter(map(mark, after))
    fresh = fresh_messages(before, after)
    found = []
    for index, one in enumerate(before):
        if there[mark(one)] > 0:
            there[mark(one)] -= 1
            continue
        instead = replacement(one, fresh)
        found.append(
            Trim(
                act="gone" if instead is None else "changed",
                index=index,
                role=one.role,
                chars=len(one.text),
                chars_left=0 if instead is None else len(instead.text),
                answers=one.answers,
            )
        )
    return found


def fresh_messages(before: Sequence[Message], after: Sequence[Message]) -> list[Message]:
    """Return the messages of a request that the one before it did not have."""
    had = Counter(map(mark, before))
    fresh = []
    for one in after:
        if had[mark(one)] > 0:
            had[mark(one)] -= 1
        else:
            fresh.append(one)
    return fresh


def replacement(one: Message, fresh: list[Message]) -> Message | None:
    """Take out of the new messages the one that stands in the place of an old one."""
    for index, other in enumerate(fresh):
        alike = other.role == one.role
        if alike and one.answers is not None and other.answers == one.answers:
            return fresh.pop(index)
        if alike and one.role == "system":
            return fresh.pop(index)
        if alike and one.calls and ids(other.calls) == ids(one.calls):
            return fresh.pop(index)
    return None


def ids(calls: Sequence[ToolCall]) -> list[str | None]:
    """Return the ids of calls."""
    return [one.call_id for one in calls]
