"""Which conversation a request goes on with whose beginning is not there any more.

A window over the history drops the first message; a summary takes its place.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import islice

from ullage.checks.begins import Begins, begin, standing
from ullage.transcript.message import Message
from ullage.wire.results import is_result
from ullage.wire.spelling import is_note, nearly, plain, respelled

LEAST = 40
"""A shorter reply stands in another message by chance."""
STEPS = 2
"""Among so many first messages that are no system text a summary stands."""
FINDABLE = 16
"""A shorter text of a history is found in a summariser's prompt by chance."""
RECENT = 200
"""So many conversations that spoke last are looked at for what a summary is of."""
SUMMARY_ROLES = frozenset({"user", "system"})
ENOUGH = 2
"""So many messages in a row are not alike by chance; one is, unless its reply stands behind it."""

Marks = tuple[int, ...]


@dataclass(slots=True, eq=False)
class Last:
    """What a conversation's last request said, as marks and as messages, and its reply."""

    conversation: int
    said: tuple[int, ...]
    messages: Sequence[Message]
    reply: int | None = None
    reply_text: str = ""
    answered: int = 0

    @property
    def ends(self) -> list[Marks]:
        """The marks by which it can be gone on with: two of a history, or one and its reply."""
        if not self.said:
            return []
        answered = [] if self.reply is None else [(self.said[-1], self.reply)]
        return [self.said[-ENOUGH:], *answered]


@dataclass(slots=True)
class Lasts:
    """The last requests of all conversations of a run.

    `replies` are those that are long enough to be found again as a summary, `recent` the
    conversations in the order in which they spoke last.
    """

    by_number: dict[int, Last] = field(default_factory=dict)
    by_end: defaultdict[Marks, set[int]] = field(default_factory=lambda: defaultdict(set))
    by_reply: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    replies: Begins = field(default_factory=lambda: Begins(length=LEAST))
    recent: dict[int, None] = field(default_factory=dict)
    newest: int = -1
    answers: int = 0

    def asked(self, conversation: int, said: tuple[int, ...], messages: Sequence[Message]) -> None:
        """Remember what a request said."""
        old = self.by_number.get(conversation)
        if old is not None:
            self.forget(old)
        last = Last(conversation=conversation, said=said, messages=messages)
        self.by_number[conversation] = last
        self.remember_ends(last)
        self.recent.pop(conversation, None)
        self.recent[conversation] = None
        self.newest = conversation

    def forget(self, old: Last) -> None:
        """Find a conversation no longer by what it said before."""
        for end in old.ends:
            self.by_end[end].discard(old.conversation)
        if old.reply is not None:
            self.by_reply[old.reply].discard(old.conversation)
            self.replies.discard(old.reply_text, old.conversation)

    def remember_ends(self, last: Last) -> None:
        """Remember by which marks a conversation can be gone on with."""
        for end in last.ends:
            self.by_end[end].add(last.conversation)

    def heard(self, conversation: int, reply: int, text: str) -> None:
        """Remember what a request was answered."""
        last = self.by_number[conversation]
        last.reply, last.reply_text = reply, text.strip()
        self.answers += 1
        last.answered = self.answers
        self.remember_ends(last)
        self.by_reply[reply].add(conversation)
        self.replies.add(last.reply_text, conversation)

    def continued_by(self, said: tuple[int, ...], messages: Sequence[Message]) -> int | None:
        """Return the conversation that a request with another beginning goes on with, if any."""
        tail = max(self.tails(said), default=None)
        if tail is not None:
            return -tail[1]
        renamed = self.with_another_head(said, messages)
        return self.summarised_by(messages) if renamed is None else renamed

    def with_another_head(self, said: tuple[int, ...], messages: Sequence[Message]) -> int | None:
        """Return the conversation that a request repeats to its reply, but for its first message.

        That holds the time, or held what is not repeated: a retrieved text, a note.
        """
        for end, one in enumerate(said):
            for number in sorted(self.by_reply.get(one, ())):
                last = self.by_number[number]
                repeats = len(last.said) == end and said[1:end] == last.said[1:]
                if repeats and is_one_head(first_of(last.messages), first_of(messages)):
                    return number
        return None

    def tails(self, said: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        """Give how many messages in a row a request has of the end of others, oldest last.

        Behind them stands something new: what only ends like another is a task of its own. The end
        of the very last request alone is a side step with less history.
        """
        newest = self.by_number.get(self.newest)
        if newest is not None and newest.said[-len(said) :] == said and len(said) >= ENOUGH:
            yield len(said), -self.newest
        for place, one in enumerate(said[:-1]):
            ends = (said[max(0, place - 1) : place + 1], (one, said[place + 1]))
            for number in {number for end in ends for number in self.by_end.get(end, ())}:
                last = self.by_number[number]
                length = same_before(last.said, said[: place + 1])
                answered = last.reply is not None and said[place + 1 : place + 2] == (last.reply,)
                # What stands before it is new: a summary, a reminder, and not another history.
                first = place + 1 - length
                if first <= 1 and (length >= ENOUGH or answered):
                    yield length, -number

    def summarised_by(self, messages: Sequence[Message]) -> int | None:
        """Return the conversation that is summed up in a request's first messages, if any.

        The summary was a reply: of the conversation itself, or of one that was shown its texts.
        """
        # A reply that comes as a tool's result is a sub-agent's.
        said = (one for one in messages if one.role in SUMMARY_ROLES and not is_result(one))
        first = list(islice(said, STEPS + 1))
        found = {number for one in first for number in self.replies.inside(one.text)}
        lasts = (self.by_number[number] for number in found)
        for last in sorted(lasts, key=lambda one: -one.answered):
            if any(last.reply_text in one.text for one in first):
                return self.shown_to(last)
        return None

    def shown_to(self, writer: Last) -> int | None:
        """Return the conversation whose texts the writer of a summary was shown: the most of them.

        Its own where it was asked at the end of that; None where neither is so. Those that spoke
        last are looked at: nobody sums up what hundreds of conversations have spoken after.
        """
        asked = [one.text for one in writer.messages]
        recent = islice(reversed(self.recent), RECENT)
        others = [self.by_number[one] for one in recent if one != writer.conversation]
        said = {one.conversation: distinct(one.messages) for one in others}
        begins = {begin(text, FINDABLE) for texts in said.values() for text in texts}
        there = {found for one in asked for found in standing(begins, one, FINDABLE)}
        shared = [
            (sum(is_in(text, asked, there) for text in texts), -number)
            for number, texts in said.items()
            if texts
        ]
        count, number = max(shared, default=(0, 0))
        if count:
            return -number
        return writer.conversation if len(distinct(writer.messages)) > 1 else None


def first_of(messages: Sequence[Message]) -> Message | None:
    """Return the first message that is no system text and no note."""
    return next((one for one in messages if one.role != "system" and not is_note(one)), None)


def is_one_head(old: Message | None, new: Message | None) -> bool:
    """Whether two first messages are one: written anew, or the one stands in the other."""
    if old is None or new is None or old.role != new.role:
        return False
    shorter, longer = sorted((plain(old), plain(new)), key=len)
    return (
        respelled(old, new) or nearly(old, new) or (len(shorter) >= FINDABLE and shorter in longer)
    )


def is_in(text: str, asked: Sequence[str], there: Set[str]) -> bool:
    """Whether a text stands in one of those; `there` are the beginnings that do."""
    return begin(text, FINDABLE) in there and any(text in one for one in asked)


def distinct(messages: Sequence[Message]) -> list[str]:
    """Return the texts that are long enough to be found again, system texts aside."""
    return [
        text
        for one in messages
        if one.role != "system" and len(text := one.text.strip()) >= FINDABLE
    ]


def same_before(one: Sequence[int], other: Sequence[int]) -> int:
    """Count the equal messages at the end of two histories."""
    count = 0
    for mine, theirs in zip(reversed(one), reversed(other), strict=False):
        if mine != theirs:
            return count
        count += 1
    return count
