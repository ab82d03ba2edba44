"""Following one value through a run: where it was made, handed on, asked with, and not any more."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ullage.arrivals.shortened import shortened
from ullage.checks.history_limit import Kept, begins_with_turn, sizes
from ullage.checks.pages import says_more
from ullage.checks.sent import Conversations
from ullage.checks.served import Served
from ullage.checks.served_short import tokens_read
from ullage.checks.trims import Trim, fresh_messages, trims
from ullage.checks.value import Value
from ullage.ledger.records import ProducedKind, StoredResult
from ullage.ledger.store import Ledger
from ullage.sources.ledger import exchange_of
from ullage.transcript.message import Message, Role
from ullage.wire.body_parts import pieces
from ullage.wire.exchange import Exchange
from ullage.wire.least import Counter, least_of_pieces
from ullage.wire.readers import Kind
from ullage.wire.reply import Reply
from ullage.wire.request import Request

LEAST_REPLY = 20
"""A shorter reply may stand in a later message by chance."""

SUMMARY = re.compile(r"\b(?:summar|condens|compact)", re.IGNORECASE)

Respelled = str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A produced result, and whether it has the value.

    `handed_on` tells whether what was handed on of it has it too, None where the tool did not say;
    `respelled` how it is written there instead. `more` is what a result without the value says of
    more that it does not hold.
    """

    number: int
    tool: str
    kind: ProducedKind
    at: float
    has: bool
    handed_on: bool | None
    respelled: Respelled
    more: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A declared step that dropped the value on purpose."""

    number: int
    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request, and whether it has the value.

    `index` and `role` are those of the first message that has it. `read_short` says that the
    server reports to have read far less than was sent. `kept` is how much it holds, and how much
    has left since the request before it. `new` are the texts of the messages that the request
    before did not have, kept where the value is not there; `from_replies` the earlier
    exchanges whose reply stands in one of these. `summarises` says that it asks for a summary.
    """

    number: int
    agent: str | None
    kind: Kind
    started: float
    conversation: int
    has: bool
    index: int | None
    role: Role | None
    messages: int
    respelled: Respelled
    failed: bool
    trims: Sequence[Trim]
    kept: Kept
    new: Sequence[str]
    from_replies: Sequence[int]
    compacted: bool
    truncation: str | None
    edits: int
    read_short: bool
    summarises: bool
    reply_has: bool


@dataclass(slots=True)
class Followed:
    """All that was seen of a value in a run."""

    run: str
    value: Value
    made: list[Made] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)

    @property
    def sources(self) -> list[Made]:
        """The results that hold the value."""
        return [one for one in self.made if one.has]

    @property
    def seen(self) -> bool:
        """Whether the value is anywhere."""
        return bool(self.sources or self.dropped or any(one.has for one in self.asked))


def follow(ledger: Ledger, run: str, value: Value) -> Followed:
    """Look for a value in everything that a run has recorded."""
    found = Followed(run=run, value=value)
    for result in ledger.results(run):
        found.made.append(made(result, value))
    for step in ledger.steps(run):
        if any(value.text == one or value.stands_in(one) for one in step.dropped):
            found.dropped.append(Dropped(number=step.number, name=step.name, reason=step.reason))
    following = Following(value=value)
    for exchange in ledger.exchanges(run):
        one = following.add(exchange_of(exchange), exchange.agent, exchange.started)
        if one is not None:
            found.asked.append(one)
    return found


def made(result: StoredResult, value: Value) -> Made:
    """Look for a value in a result."""
    has = value.stands_in(result.text)
    handed = result.handed_on
    handed_has = None if handed is None else value.stands_in(handed)
    return Made(
        number=result.number,
        tool=result.tool,
        kind=result.kind,
        at=result.at,
        has=has,
        handed_on=handed_has,
        respelled=value.other_in(handed) if handed is not None and handed_has is False else None,
        more=None if has else shortened(result.text) or says_more(result.text),
    )


@dataclass(slots=True)
class Following:
    """Reads a run's requests in order; of each conversation the last is remembered."""

    value: Value
    conversations: Conversations = field(default_factory=Conversations)
    last: dict[int, Sequence[Message]] = field(default_factory=dict)
    compactions: dict[int, int] = field(default_factory=dict)
    replies: dict[int, str] = field(default_factory=dict)
    own: dict[int, int] = field(default_factory=dict)
    counter: Counter = field(default_factory=Counter)

    def add(self, one: Exchange, agent: str | None, started: float) -> Asked | None:
        """Look for the value in one request; None for one that shows a model nothing."""
        request, reply = one.request, one.reply
        if one.kind not in ("turn", "compact") or request is None or not request.messages:
            return None
        failed = one.failure is not None
        conversation = self.number(request, reply, failed=failed, kind=one.kind)
        before = self.last.get(conversation, ())
        new = [message.text for message in fresh_messages(before, request.messages)]
        texts = [spoken(message) for message in request.messages]
        at = next((n for n, text in enumerate(texts) if self.value.stands_in(text)), None)
        gone = () if request.follows else tuple(trims(before, request.messages))
        asked = Asked(
            number=one.number,
            agent=agent,
            kind=one.kind,
            started=started,
            conversation=conversation,
            has=at is not None,
            index=at,
            role=None if at is None else request.messages[at].role,
            messages=len(request.messages),
            respelled=None if at is not None else self.respelled(texts),
            failed=failed,
            trims=gone,
            kept=Kept(
                number=one.number,
                held=sizes(request.messages),
                gone=sizes([before[trim.index] for trim in gone if trim.act == "gone"]),
                at_turn=begins_with_turn(request.messages),
            ),
            new=() if at is not None else new,
            from_replies=self.written_in(new, conversation),
            compacted=request.compactions > self.compactions.get(conversation, 0),
            truncation=request.settings.truncation,
            edits=len(reply.applied_edits or ()) if reply is not None else 0,
            read_short=at is not None and self.read_short(one),
            summarises=one.kind == "compact" or asks_for_summary(request.messages[-1]),
            reply_has=reply is not None and self.value.stands_in(spoken(reply.message)),
        )
        self.remember(asked, request, reply)
        return asked

    def number(self, request: Request, reply: Reply | None, *, failed: bool, kind: Kind) -> int:
        """Return the number of a request's conversation; one to compact is none of its own."""
        if kind == "compact":
            return 0
        place = self.conversations.place(request, failed=failed, reply=reply)
        return next(at for at, one in enumerate(self.conversations.all, start=1) if one is place)

    def read_short(self, one: Exchange) -> bool:
        """Whether the server says that it read far fewer tokens than were sent."""
        if one.request is None or one.reply is None:
            return False
        least = least_of_pieces(pieces(one.body), one.request.model, self.counter)
        return tokens_read(Served(exchange=one, least=least)) is not None

    def respelled(self, texts: Sequence[str]) -> Respelled:
        """Return another spelling of the value in some texts."""
        return next((word for text in texts if (word := self.value.other_in(text))), None)

    def written_in(self, new: Sequence[str], conversation: int) -> Sequence[int]:
        """Return the exchanges of other conversations whose reply stands in a new message."""
        return [
            number
            for number, text in self.replies.items()
            if self.own[number] != conversation and any(text in one for one in new)
        ]

    def remember(self, asked: Asked, request: Request, reply: Reply | None) -> None:
        """Keep what later requests are held against."""
        if asked.conversation:
            self.last[asked.conversation] = request.messages
            self.compactions[asked.conversation] = request.compactions
        text = "" if reply is None else reply.message.text.strip()
        if len(text) >= LEAST_REPLY:
            self.replies[asked.number] = text
            self.own[asked.number] = asked.conversation


def asks_for_summary(last: Message) -> bool:
    """Whether the last message of a request asks for a summary: a task stands further up."""
    return last.role in ("user", "system") and SUMMARY.search(last.text) is not None


def spoken(message: Message) -> str:
    """Return all that a message says, the arguments of its calls included."""
    return "\n".join([message.text, *(call.arguments for call in message.calls)])
