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
from ullage.wire.spelling import is_note, nearly, renewed, respelled

Mark = tuple[Role, str, str | None, tuple[ToolCall, ...]]


@dataclass(slots=True)
class Assembled:
    """One conversation so far. `now` are the entries that its last request said, in order.

    `pending` is the entry of the last reply, which the next request repeats in its own spelling.
    `spelled` are messages as requests last wrote them, where that is not as they first did.
    """

    session: str | None
    source: Source
    entries: list[Entry] = field(default_factory=list)
    compactions: list[Compaction] = field(default_factory=list)
    now: list[int] = field(default_factory=list)
    pending: int | None = None
    spelled: dict[int, Message] = field(default_factory=dict)
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
            self.pass_by(rest)
            self.now = self.now[: len(same)] + [self.new(message, one) for message in fresh]
            return
        self.rewritten(messages, one)

    def same(self, pair: tuple[int, Message]) -> bool:
        """Whether a message stands where it stood, be it in another spelling."""
        index, message = pair
        old = self.spelling(index)
        if mark(old) == mark(message):
            return True
        if index == self.pending or not respelled(old, message):
            return False
        self.spelled[index] = message
        return True

    def spelling(self, index: int) -> Message:
        """Return a message as the last request wrote it."""
        return self.spelled.get(index) or self.entries[index].message

    def rewritten(self, messages: Sequence[Message], one: Exchange) -> None:
        """Take in a history from which something is gone, or in which something was changed."""
        at = len(self.entries)
        after = self.matched(messages, one)
        known = set(after)
        gone = [index for index in self.now if index != self.pending and index not in known]
        passing = self.passing(gone, after)
        if len(passing) == len(gone):
            # Only put in, or a passing note taken out: a memory, a reminder.
            self.pass_by([*passing, *({self.pending} - known)], at)
            self.now = after
            return
        # What is new behind the last message that stayed, or was changed, is a turn like any other.
        answers = {self.entries[index].message.answers for index in gone} - {None}
        stayed = [
            place
            for place, index in enumerate(after)
            if index < at or self.entries[index].message.answers in answers
        ]
        end = stayed[-1] + 1 if stayed else len(after)
        if self.is_reworded(after, at):
            self.pass_by([self.pending], at)
        self.compactions.append(
            Compaction(at=at, after=tuple(after[:end]), recorded=False, source=one.source)
        )
        self.now = after

    def is_reworded(self, after: Sequence[int], at: int) -> bool:
        """Whether the last reply stands where it was said, as the harness writes it down.

        What came before it is there, and what follows that is a new message of the model's.
        """
        if self.pending is None or self.pending in after or self.now[-2:-1] == []:
            return False
        before = self.now[-2]
        place = after.index(before) + 1 if before in after else len(after)
        return any(
            index >= at and self.entries[index].message.role == "assistant"
            for index in after[place : place + 1]
        )

    def matched(self, messages: Sequence[Message], one: Exchange) -> list[int]:
        """Return the entries of a history: those there were, in whatever spelling, else new."""
        there: defaultdict[Mark, list[int]] = defaultdict(list)
        for index in reversed(self.now):
            there[mark(self.spelling(index))].append(index)
        found = [places.pop() if (places := there[mark(one)]) else None for one in messages]
        self.match_spelled(messages, found)
        return [
            self.new(message, one) if index is None else index
            for message, index in zip(messages, found, strict=True)
        ]

    def match_spelled(self, messages: Sequence[Message], found: list[int | None]) -> None:
        """Find the messages that stand where they stood, but were written anew.

        The message before it is the same, and that behind it where only a time or count may differ:
        turns of one form differ by no more.
        """
        places = {index: place for place, index in enumerate(self.now)}
        matched = [-1 if index is None else places[index] for index in found]
        for at, message in enumerate(messages):
            place = matched[at - 1] + 1 if at else 0
            is_behind = at == 0 or matched[at - 1] >= 0
            if matched[at] >= 0 or not is_behind or place >= len(self.now) or place in matched:
                continue
            index, old = self.now[place], self.spelling(self.now[place])
            is_between = matched[at + 1 : at + 2] == [place + 1]
            if respelled(old, message) or (is_between and nearly(old, message)):
                found[at], matched[at] = index, place
                self.spelled[index] = message

    def passing(self, gone: Sequence[int], after: Sequence[int]) -> list[int]:
        """Return which messages only passed by: notes of a harness, a question on the side."""
        notes = [index for index in gone if is_note(self.spelling(index))]
        last = [index for index in gone if index not in notes]
        said = [index for index in self.now if index != self.pending]
        front = [index for index in said if index not in gone]
        if not front or said[len(said) - len(last) :] != last:
            return notes
        is_answered = self.pending is None or self.pending in after
        passed = self.is_renewed if is_answered else self.is_aside
        return [*notes, *last] if passed(front, last, after) else notes

    def is_renewed(self, front: Sequence[int], last: Sequence[int], after: Sequence[int]) -> bool:
        """Whether the end of a history was a note that is put there anew for each request.

        It stood behind a message that is no reply, and one like it stands at the end now.
        """
        pairs = list(zip(reversed(last), reversed(after), strict=False))
        return (
            self.entries[front[-1]].message.role != "assistant"
            and len(pairs) == len(last)
            and all(renewed(self.spelling(old), self.entries[new].message) for old, new in pairs)
        )

    def is_aside(self, front: Sequence[int], last: Sequence[int], after: Sequence[int]) -> bool:
        """Whether the last request's own end was a question on the side, gone with its answer.

        What goes on now is the reply before it, or one that was made without it.
        """
        number = self.entries[last[-1]].exchange if last else None
        own = all(
            self.entries[index].exchange == number
            and self.entries[index].message.role in ("user", "system")
            for index in last
        )
        place = len(front)
        goes_on = after[place - 1 : place] == [front[-1]] and (
            self.entries[front[-1]].message.role == "assistant"
            or [self.entries[index].message.role for index in after[place : place + 1]]
            == ["assistant"]
        )
        return own and goes_on

    def pass_by(self, indices: Sequence[int | None], at: int | None = None) -> None:
        """Remember that messages are not there any more, and that nothing was lost by it."""
        for index in indices:
            if index is not None:
                until = len(self.entries) if at is None else at
                self.entries[index] = replace(self.entries[index], until=until)

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
