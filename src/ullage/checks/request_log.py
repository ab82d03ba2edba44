"""Each request of a run: what it said, what it no longer said, and what came back."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

import msgspec

from ullage.checks.sent import Conversation, Conversations
from ullage.checks.trims import Trim, trims
from ullage.counting.count import Count, Method
from ullage.ledger.measurements import Delivery, Figures, deliveries, figures
from ullage.ledger.records import StoredExchange
from ullage.ledger.store import Ledger
from ullage.sources.ledger import exchange_of
from ullage.transcript.finding import Finding
from ullage.transcript.message import Message
from ullage.transcript.words import Boundary, Severity
from ullage.wire.body_parts import Part
from ullage.wire.budget_table import BudgetTable, budget_table
from ullage.wire.exchange import Exchange
from ullage.wire.readers import Kind
from ullage.wire.reply import Label, Reply, Usage
from ullage.wire.request import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The tokens of a prompt: how they were counted, and between what they lie."""

    tokens: int
    method: Method
    low: int
    high: int
    window: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PartTokens:
    """One line of the budget table."""

    part: Part
    tokens: int


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
    table: tuple[PartTokens, ...] = ()
    trims: tuple[Trim, ...] | None = None
    usage: Reported | None = None
    label: Label | None = None
    finish_reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A finding about an exchange without the words of anybody: figures, and closed choices."""

    check: str
    severity: Severity
    boundary: Boundary | None
    evidence: dict[str, object]
    advice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What a ledger keeps of a request whose bodies it does not keep.

    `failed` says only by its status that it failed: the words of an error may hold anything.
    `given` counts the results that it gave to the model first, `given_unknown` those of them of
    which nothing was recorded as produced.
    """

    read: Read
    failed: str | None
    given: int
    given_unknown: int
    findings: tuple[Noted, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A result that a request was the first to carry, and what had arrived of it."""

    result: int
    rate: float | None
    boundary: Boundary | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """One request as the log shows it; times in seconds since the epoch (UTC)."""

    number: int
    run: str
    agent: str | None
    method: str
    path: str
    started: float
    ended: float
    status: int | None
    failure: str | None
    read: Read
    carried: Sequence[Carried] = ()

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
            **asdict(self.read),
            "carried": [asdict(one) for one in self.carried],
        }


@dataclass(slots=True)
class RequestLog:
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
            usage=None if reply is None or reply.usage is None else reported(reply.usage),
            label=None if reply is None else reply.label,
            finish_reason=None if reply is None else reply.finish_reason,
            tokens=None if table is None else tokens_of(table.count),
            table=() if table is None else parts_of(table),
        )

    def placed(
        self, request: Request, reply: Reply | None, *, failed: bool
    ) -> tuple[int, tuple[Trim, ...] | None]:
        """Return the number of a request's conversation, and what it no longer says."""
        conversation = self.conversations.place(request, failed=failed)
        for one in reply.ids if reply is not None else ():
            self.conversations.by_reply[one] = conversation
        number = self.number(conversation)
        before = self.last.get(number, ())
        self.last[number] = request.messages
        return number, None if request.follows else tuple(trims(before, request.messages))

    def number(self, conversation: Conversation) -> int:
        """Return the number of a conversation, from 1."""
        return next(
            at for at, one in enumerate(self.conversations.all, start=1) if one is conversation
        )


def tokens_of(count: Count) -> Tokens:
    """Return how many tokens a prompt is."""
    return Tokens(
        tokens=count.tokens,
        method=count.method,
        low=count.low,
        high=count.high,
        window=count.window,
    )


def parts_of(table: BudgetTable) -> tuple[PartTokens, ...]:
    """Return the lines of a budget table."""
    return tuple(PartTokens(part=row.part, tokens=row.tokens) for row in table.rows)


def reported(usage: Usage) -> Reported:
    """Return what the provider counted."""
    return Reported(
        input=usage.input,
        output=usage.output,
        reasoning=usage.reasoning,
        cached=usage.cached,
        cache_written=usage.cache_written,
    )


def logged(
    one: StoredExchange, failure: str | None, read: Read, carried: Sequence[Carried] = ()
) -> Logged:
    """Return one request's line of the log."""
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
        read=read,
        carried=carried,
    )


def request_log(ledger: Ledger, run: str | None = None) -> Iterator[Logged]:
    """Give the requests of a ledger, of one run or of all, in the order of recording.

    What arrived of the results that a request carried is what was measured before, if it was.
    """
    logs: dict[str, RequestLog] = {}
    kept = figures(ledger.session, run)
    by_exchange: dict[int, list[Carried]] = {}
    for row in deliveries(ledger.session, run).values():
        if row.exchange is not None:
            by_exchange.setdefault(row.exchange, []).append(carried(row))
    for one in ledger.exchanges(run):
        exchange = exchange_of(one)
        if one.keep == "full":
            read = logs.setdefault(one.run, RequestLog()).read(exchange)
        else:
            read = remembered(kept[one.number]).read if one.number in kept else Read()
        yield logged(one, exchange.failure, read, by_exchange.get(one.number, ()))


def carried(row: Delivery) -> Carried:
    """Return what was measured of one result."""
    return Carried(result=row.result, rate=row.rate, boundary=row.boundary)


def remembered(row: Figures) -> Remembered:
    """Read back what was kept of a request."""
    return msgspec.json.decode(row.document, type=Remembered)


def to_remember(
    one: Logged, given: int, given_unknown: int, findings: Iterable[Finding]
) -> Remembered:
    """Return what is to be kept of a request."""
    return Remembered(
        read=one.read,
        failed=None if one.failure is None else str(one.status or "no reply"),
        given=given,
        given_unknown=given_unknown,
        findings=tuple(noted(finding) for finding in findings),
    )


def figures_of(run: str, exchange: int, kept: Remembered, at: float) -> Figures:
    """Return the row of what is kept; `at` is now, in seconds since the epoch."""
    document = msgspec.json.encode(kept).decode()
    return Figures(run=run, exchange=exchange, document=document, at=at)


# What evidence says in words of a closed choice; other words may be anybody's.
CHOICES = {"method", "truncation", "window_from", "where", "finish_reason", "applied_edits"}


def noted(one: Finding) -> Noted:
    """Return a finding without the words of anybody."""
    evidence = {
        name: value
        for name, value in one.evidence.items()
        if name in CHOICES or value is None or isinstance(value, int | float)
    }
    return Noted(
        check=one.check,
        severity=one.severity,
        boundary=one.boundary,
        evidence=evidence,
        advice=one.advice,
    )
