"""What the bodies of a request say, and what they no longer say, without texts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from ullage.checks.sent import Conversation, Conversations
from ullage.checks.trims import Trim, trims
from ullage.counting.count import Method
from ullage.transcript.message import Message
from ullage.transcript.served import Label
from ullage.wire.budget_table import Row, budget_table
from ullage.wire.exchange import Exchange
from ullage.wire.readers import Kind
from ullage.wire.reply import Reply
from ullage.wire.request import Request

Kept = TypeVar("Kept")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The tokens of a prompt: how they were counted, and between what they lie."""

    tokens: int
    method: Method
    low: int
    high: int
    window: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """Tokens by the provider's own count; None where it does not say."""

    input: int | None
    output: int | None
    reasoning: int | None
    cached: int | None
    cache_written: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What was read from the bodies of one request, without texts.

    `kind` is what it was for (`turn`, `count`, …), None on a path that is not read; then all else
    is None or empty. `conversation` counts from 1. `trims` is None where what came before cannot be
    known: it is no turn of a conversation, or the server keeps it.
    """

    kind: Kind | None = None
    conversation: int | None = None
    model: str | None = None
    messages: int = 0
    roles: Mapping[str, int] = field(default_factory=dict)
    tokens: Tokens | None = None
    table: tuple[Row, ...] = ()
    trims: tuple[Trim, ...] | None = None
    usage: Reported | None = None
    label: Label | None = None
    finish_reason: str | None = None


@dataclass(slots=True)
class RequestReader:
    """Reads the requests of one run in their order; of each conversation the last is remembered."""

    conversations: Conversations = field(default_factory=Conversations)
    last: dict[int, Sequence[Message]] = field(default_factory=dict)

    def read(self, one: Exchange) -> Read:
        """Read the bodies of one request."""
        request, reply = one.request, one.reply
        if request is None:
            return Read(kind=one.kind)
        place, gone = None, None
        if request.messages and one.kind == "turn":
            place, gone = self.placed(request, reply, failed=one.failure is not None)
        table = budget_table(one.body, model=request.model) if request.messages else None
        return Read(
            kind=one.kind,
            conversation=place,
            model=request.model,
            messages=len(request.messages),
            roles=dict(Counter(message.role for message in request.messages)),
            trims=gone,
            usage=None if reply is None or reply.usage is None else taken(reply.usage, Reported),
            label=None if reply is None else reply.label,
            finish_reason=None if reply is None else reply.finish_reason,
            tokens=None if table is None else taken(table.count, Tokens),
            table=() if table is None else tuple(table.rows),
        )

    def placed(
        self, request: Request, reply: Reply | None, *, failed: bool
    ) -> tuple[int, tuple[Trim, ...] | None]:
        """Return the number of a request's conversation, and what it no longer says."""
        conversation = self.conversations.place(request, failed=failed, reply=reply)
        number = self.number(conversation)
        before = self.last.get(number, ())
        self.last[number] = request.messages
        return number, None if request.follows else tuple(trims(before, request.messages))

    def number(self, conversation: Conversation) -> int:
        """Return the number of a conversation, from 1."""
        return next(
            at for at, one in enumerate(self.conversations.all, start=1) if one is conversation
        )


def taken(whole: object, kept: type[Kept]) -> Kept:
    """Return of a value the members that a smaller one has."""
    return msgspec.convert(whole, kept, from_attributes=True)
