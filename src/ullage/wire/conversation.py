"""One conversation out of its requests: what they said, in order, and what left them.

Requests repeat their history. What a request no longer says, and its conversation's last one did,
is a compaction that no record tells of; what it says in its place is new.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from ullage.transcript.finding import Source
from ullage.transcript.message import Message, Role, ToolCall
from ullage.transcript.transcript import Compaction, Entry
from ullage.wire.exchange import Exchange
from ullage.wire.reply import Reply
from ullage.wire.request import Request

Mark = tuple[Role, str, str | None, tuple[ToolCall, ...]]


@dataclass(slots=True)
class Assembled:
    """One conversation so far. `now` are the entries that its last request said, in order.

    `pending` is the entry of the last reply, which the next request repeats in its own spelling.
    """

    session: str | None
    source: Source
    entries: list[Entry] = field(default_factory=list)
    compactions: list[Compaction] = field(default_factory=list)
    now: list[int] = field(default_factory=list)
    pending: int | None = None
    model: str | None = None
    window: int | None = None
    settings: dict[str, str] = field(default_factory=dict)

    def add(self, one: Exchange, request: Request) -> None:
        """Add what a request says that was not there, and its reply."""
        self.model = request.model or self.model
        given = request.settings.as_given.items()
        self.settings |= {name: str(value) for name, value in given if name != "model"}
        self.window = request.settings.window or self.window
        if request.follows:  # what follows a reply on the server repeats nothing
            self.now += [self.new(message, one) for message in request.messages]
        else:
            self.said(request.messages, one)
        self.pending = None
        if one.reply is not None and wrote(one.reply):
            self.pending = self.replied(one, one.reply)
            self.now.append(self.pending)

    def said(self, messages: Sequence[Message], one: Exchange) -> None:
        """Hold a whole history against the last one."""
        same = list(takewhile(self.same, zip(self.now, messages, strict=False)))
        rest, fresh = self.now[len(same) :], messages[len(same) :]
        if rest == [self.pending] and fresh and fresh[0].role == "assistant":
            # The harness writes down in its own way what the model said.
            self.entries[rest[0]] = replace(self.entries[rest[0]], message=fresh[0])
            self.now += [self.new(message, one) for message in fresh[1:]]
            return
        if rest in ([], [self.pending]):
            self.now = self.now[: len(same)] + [self.new(message, one) for message in fresh]
            return
        self.rewritten(messages, one)

    def same(self, pair: tuple[int, Message]) -> bool:
        """Whether a message stands where it stood."""
        return mark(self.entries[pair[0]].message) == mark(pair[1])

    def rewritten(self, messages: Sequence[Message], one: Exchange) -> None:
        """Take in a history from which something is gone, or in which something was changed."""
        at = len(self.entries)
        there: defaultdict[Mark, list[int]] = defaultdict(list)
        for index in reversed(self.now):
            there[mark(self.entries[index].message)].append(index)
        kept = {index for index in self.now if index != self.pending}
        after = []
        for message in messages:
            known = there[mark(message)]
            after.append(known.pop() if known else self.new(message, one))
        if kept <= set(after):
            self.now = after  # only put in: a memory, a reminder
            return
        # What is new behind the last message that stayed, or was changed, is a turn like any other.
        gone = [self.entries[index].message for index in kept - set(after)]
        answers = {one.answers for one in gone} - {None}
        stayed = [
            place
            for place, index in enumerate(after)
            if index < at or self.entries[index].message.answers in answers
        ]
        end = stayed[-1] + 1 if stayed else len(after)
        self.compactions.append(
            Compaction(at=at, after=tuple(after[:end]), recorded=False, source=one.source)
        )
        self.now = after

    def new(self, message: Message, one: Exchange) -> int:
        """Add a message that was not there."""
        self.entries.append(Entry(message=message, source=one.source, exchange=one.number))
        return len(self.entries) - 1

    def replied(self, one: Exchange, reply: Reply) -> int:
        """Add what the model said."""
        self.entries.append(
            Entry(
                message=reply.message,
                source=one.source,
                usage=reply.usage,
                label=reply.label,
                finish_reason=reply.finish_reason,
                model=reply.model,
                exchange=one.number,
            )
        )
        return len(self.entries) - 1


def mark(message: Message) -> Mark:
    """Return what makes a message the same."""
    return (message.role, message.text, message.answers, message.calls)


def wrote(reply: Reply) -> bool:
    """Whether a reply says anything that the next request can repeat."""
    return bool(reply.message.text.strip() or reply.message.calls)
