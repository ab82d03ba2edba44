"""Each request of a run: what it said, what it no longer said, and what came back."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ullage.checks.requests import failure_of, reply_of
from ullage.checks.sent import Conversation, Conversations
from ullage.checks.trims import Trim, trims
from ullage.ledger.records import StoredExchange
from ullage.transcript.message import Message
from ullage.wire.budget_table import BudgetTable, budget_table
from ullage.wire.members import read_object
from ullage.wire.readers import Reader, model_in, reader_of
from ullage.wire.reply import Label, Reply, Usage
from ullage.wire.request import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """One request as the log shows it; texts are not in it.

    `kind` is what it was for (`turn`, `count`, …), None on a path that is not read; then, and where
    the body was not kept, all that is read from bodies is None or empty. `conversation` counts
    from 1. `trims` is None where what came before cannot be known: the server keeps it.
    """

    number: int
    run: str
    agent: str | None
    method: str
    path: str
    started: float
    ended: float
    status: int | None
    failure: str | None
    kind: str | None
    conversation: int | None
    model: str | None
    messages: int
    roles: Mapping[str, int]
    budget: BudgetTable | None
    trims: Sequence[Trim] | None
    usage: Usage | None
    label: Label | None
    finish_reason: str | None

    def to_dict(self) -> dict[str, object]:
        """Return the members of `requests[]` in `ullage.requests/1`, in their order."""
        return {
            "number": self.number,
            "run": self.run,
            "agent": self.agent,
            "started": self.started,
            "ended": self.ended,
            "method": self.method,
            "path": self.path,
            "status": self.status,
            "failure": self.failure,
            **self.figures(),
        }

    def figures(self) -> dict[str, object]:
        """Return what was read from the bodies: what a ledger keeps that keeps no bodies."""
        budget = self.budget
        return {
            "kind": self.kind,
            "conversation": self.conversation,
            "model": self.model,
            "messages": self.messages,
            "roles": dict(self.roles),
            "tokens": None if budget is None else budget.count.to_dict(),
            "table": None
            if budget is None
            else [{"part": row.part, "tokens": row.tokens} for row in budget.rows],
            "trims": None if self.trims is None else [one.to_dict() for one in self.trims],
            "usage": None if self.usage is None else usage_members(self.usage),
            "label": self.label,
            "finish_reason": self.finish_reason,
        }


def usage_members(usage: Usage) -> dict[str, object]:
    """Return what the provider counted."""
    return {
        "input": usage.input,
        "output": usage.output,
        "reasoning": usage.reasoning,
        "cached": usage.cached,
        "cache_written": usage.cache_written,
    }


@dataclass(slots=True)
class RequestLog:
    """Reads the requests of one run in their order; of each conversation the last is remembered."""

    conversations: Conversations = field(default_factory=Conversations)
    last: dict[int, Sequence[Message]] = field(default_factory=dict)

    def add(self, one: StoredExchange) -> Logged:
        """Read one request."""
        failure = failure_of(one)
        reader = reader_of(one.path.partition("?")[0])
        if reader is None or one.keep != "full":
            return logged(one, failure)
        request = reader.read_request(one.request_body)
        body = reply_of(one)
        reply = reader.read_reply(body) if body else None
        place, gone = None, None
        if request.messages and reader.kind == "turn":
            place, gone = self.placed(request, reply, failed=failure is not None)
        return logged(one, failure, reader, request, reply, place, gone)

    def placed(
        self, request: Request, reply: Reply | None, *, failed: bool
    ) -> tuple[int, list[Trim] | None]:
        """Return the number of a request's conversation, and what it no longer says."""
        conversation = self.conversations.place(request, failed=failed)
        for one in reply.ids if reply is not None else ():
            self.conversations.by_reply[one] = conversation
        number = self.number(conversation)
        before = self.last.get(number, ())
        self.last[number] = request.messages
        return number, None if request.follows else trims(before, request.messages)

    def number(self, conversation: Conversation) -> int:
        """Return the number of a conversation, from 1."""
        return next(
            at for at, one in enumerate(self.conversations.all, start=1) if one is conversation
        )


def logged(
    one: StoredExchange,
    failure: str | None,
    reader: Reader | None = None,
    request: Request | None = None,
    reply: Reply | None = None,
    conversation: int | None = None,
    gone: Sequence[Trim] | None = None,
) -> Logged:
    """Put together what the log shows of one request."""
    messages = request.messages if request is not None else ()
    model = (request.model if request is not None else None) or model_in(one.path)
    return Logged(
        number=one.number,
        run=one.run,
        agent=one.agent,
        method=one.method,
        path=one.path,
        started=one.started,
        ended=one.ended,
        status=one.status,
        failure=failure,
        kind=None if reader is None else reader.kind,
        conversation=conversation,
        model=model,
        messages=len(messages),
        roles=dict(Counter(message.role for message in messages)),
        budget=budget_table(read_object(one.request_body), model=model) if messages else None,
        trims=gone,
        usage=None if reply is None else reply.usage,
        label=None if reply is None else reply.label,
        finish_reason=None if reply is None else reply.finish_reason,
    )


def request_log(exchanges: Iterable[StoredExchange]) -> Iterator[Logged]:
    """Give the requests of a ledger, of each run by itself, in the order of recording."""
    logs: dict[str, RequestLog] = {}
    for one in exchanges:
        yield logs.setdefault(one.run, RequestLog()).add(one)
