"""What a run's requests gave to the model, each message text once a conversation.

Requests come one at a time: bodies are not kept.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from ullage.arrivals.by_call import Answer
from ullage.checks.served import Earlier
from ullage.checks.successor import Lasts
from ullage.transcript.message import Message, ToolCall
from ullage.wire.reply import Reply
from ullage.wire.request import Request
from ullage.wire.results import is_result
from ullage.wire.spelling import is_note, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A message text, and the first exchange that carried it.

    `repeats` tells that another conversation had the same message before: the same result given
    a second time, or that of an equal call. `handed_over` tells that its conversation began with a
    history in which it stood: a branch, a side question.
    """

    text: str
    exchange: int
    is_result: bool
    answers: str | None
    repeats: bool
    conversation: int = 0
    handed_over: bool = False


Place = tuple[str | None, str, int]
"""The call that a message answers, its text, and the how-manieth of these it is."""


@dataclass(slots=True, eq=False)
class Conversation:
    """One conversation: what its last request said, and whether that failed.

    `last` is that request with its messages as marks, None where the server keeps them. `calls`
    are those that were seen, in requests and replies. `shared` are the ids of calls that several
    messages of one request say they answer. `reply` is what the last request was answered, as a
    mark, None where that is not known.
    """

    number: int
    said: tuple[int, ...]
    failed: bool
    reply: int | None = None
    known: set[Place] = field(default_factory=set)
    last: Earlier | None = None
    calls: set[ToolCall] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Conversations:
    """The conversations of a run so far, and the texts that were sent in them."""

    all: list[Conversation] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)
    by_head: dict[int | None, list[Conversation]] = field(default_factory=dict)
    by_reply: dict[str, Conversation] = field(default_factory=dict)
    seen: set[Place] = field(default_factory=set)
    lasts: Lasts = field(default_factory=Lasts)

    def add(
        self, request: Request, exchange: int, *, failed: bool, reply: Reply | None = None
    ) -> Conversation:
        """Add the messages of one request that its conversation did not have yet; return that.

        A request repeats its history: the n-th message with a text is new only if no earlier
        request of its conversation had that text n times. What the model itself wrote is left out.
        """
        conversation = self.place(request, failed=failed, reply=reply)
        times: Counter[tuple[str | None, str]] = Counter()
        # What follows a reply on the server repeats nothing.
        known = set() if request.follows else conversation.known
        conversation.shared |= answered_twice(request.messages)
        begins = not conversation.known and not request.follows
        for message in request.messages:
            # An empty answer to a call is one; any other empty message says nothing.
            if message.role == "assistant" or not (message.text.strip() or message.answers):
                continue
            times[message.answers, message.text] += 1
            place = (message.answers, message.text, times[message.answers, message.text])
            if place not in known:
                self.sent.append(
                    Sent(
                        text=message.text,
                        exchange=exchange,
                        is_result=is_result(message),
                        answers=message.answers,
                        repeats=place not in conversation.known and place in self.seen,
                        handed_over=begins and place in self.seen,
                        conversation=conversation.number,
                    )
                )
                conversation.known.add(place)
                self.seen.add(place)
        return conversation

    def place(self, request: Request, *, failed: bool, reply: Reply | None = None) -> Conversation:
        """Return the conversation that a request goes on with, or begin one."""
        said = spoken(request.messages)
        if request.follows in self.by_reply:
            found = self.by_reply[request.follows or ""]
            found.said = found.said + said
        else:
            found = self.continued(request, said)
            found.said = said
        found.failed, found.reply = failed, None
        if not failed:
            self.lasts.asked(found.number, found.said, request.messages)
            self.hear(found, reply)
        return found

    def continued(self, request: Request, said: tuple[int, ...]) -> Conversation:
        """Return the conversation that a whole history goes on with, or begin one."""
        same_head = self.by_head.setdefault(said[0] if said else None, [])
        known = continued(same_head, said)
        if known is None:
            number = None if same_head else self.lasts.continued_by(said, request.messages)
            if number is None:
                known = Conversation(number=len(self.all), said=said, failed=False)
                self.all.append(known)
            else:
                known = self.all[number]
            same_head.append(known)
        return known

    def hear(self, conversation: Conversation, reply: Reply | None) -> None:
        """Remember what a conversation was answered, and by which ids it can be followed."""
        if reply is None:
            return
        self.by_reply.update(dict.fromkeys(reply.ids, conversation))
        conversation.reply = spoken([reply.message])[0]
        self.lasts.heard(conversation.number, conversation.reply, reply.message.text)

    def answers(self, sent: Sequence[Sent]) -> list[Answer | None]:
        """Say for each text which call it answers; None where it says that of none."""
        return [
            None
            if one.answers is None
            else Answer(
                call_id=one.answers,
                conversation=one.conversation,
                shared=one.answers in self.all[one.conversation].shared,
            )
            for one in sent
        ]

    def texts(self) -> list[Sent]:
        """Return all texts in order of sending; those that repeat another conversation's last.

        A result that was made once belongs where it was given first.
        """
        return sorted(self.sent, key=lambda one: one.repeats)


def answered_twice(messages: Sequence[Message]) -> set[str]:
    """Return the ids that several different messages say they answer."""
    texts: dict[str, set[str]] = {}
    for message in messages:
        if message.answers is not None:
            texts.setdefault(message.answers, set()).add(message.text)
    return {call_id for call_id, found in texts.items() if len(found) > 1}


def spoken(messages: Sequence[Message]) -> tuple[int, ...]:
    """Return the messages as short marks; system texts may hold the time, so they are left out.

    So are the notes of a harness, which come and go.
    """
    return tuple(
        hash((one.role, plain(one), tuple((call.call_id, call.name) for call in one.calls)))
        for one in messages
        if one.role != "system" and not is_note(one)
    )


def continued(same_head: Sequence[Conversation], said: tuple[int, ...]) -> Conversation | None:
    """Return which of the conversations with the same first message a request goes on with.

    The one whose last request it begins with: the longest, then the one whose reply it repeats,
    then the oldest. A request that says no more than the last one did is that one again if that
    failed, else the start of another conversation. Where no last request is its beginning, history
    was trimmed or rewritten: then it is the one with which it has most in common.
    """
    begun = [one for one in same_head if said[: len(one.said)] == one.said]
    longer = [one for one in begun if len(one.said) < len(said) or one.failed]
    if longer:
        return max(longer, key=lambda one: (len(one.said), goes_on(one, said)))
    if any(one.said[: len(said)] == said for one in same_head):
        return None
    known = set(said)
    return max(
        same_head,
        key=lambda one: (in_common(one.said, said), len(known.intersection(one.said))),
        default=None,
    )


def goes_on(one: Conversation, said: tuple[int, ...]) -> int:
    """Say how well a request fits the last reply: it repeats it, none is known, it says another."""
    if one.reply is None:
        return 1
    return 2 if said[len(one.said) : len(one.said) + 1] == (one.reply,) else 0


def in_common(one: Sequence[int], other: Sequence[int]) -> int:
    """Count the equal messages at the beginning of two requests."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
