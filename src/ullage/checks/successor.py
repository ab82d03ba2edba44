"""Which conversation a request goes on with whose beginning is not there any more.

A window over the history drops the first message; a summary takes its place.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ullage.transcript.message import Message
from ullage.wire.results import is_result
from ullage.wire.spelling import is_note, nearly, plain, respelled

LEAST = 40
"""A shorter reply stands in another message by chance."""
STEPS = 2
"""Among so many first messages that are no system text a summary stands."""
FINDABLE = 16
"""A shorter text of a history is found in a summariser's prompt by chance."""
SUMMARY_ROLES = frozenset({"user", "system"})
ENOUGH = 2
"""So many messages in a row are not alike by chance; one is, unless its reply stands behind it."""


@dataclass(slots=True, eq=False)
class Last:
    """What a conversation's last request said, as marks and as messages, and its reply."""

    conversation: int
    said: tuple[int, ...]
    messages: Sequence[Message]
    reply: int | None = None
    reply_text: str = ""


@dataclass(slots=True)
class Lasts:
    """The last requests of all conversations of a run.

    `writers` are those whose reply is long enough to be found again as a summary.
    """

    by_number: dict[int, Last] = field(default_factory=dict)
    by_end: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    by_reply: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    writers: dict[int, Last] = field(default_factory=dict)
    newest: int = -1

    def asked(self, conversation: int, said: tuple[int, ...], messages: Sequence[Message]) -> None:
        """Remember what a request said."""
        old = self.by_number.get(conversation)
        if old is not None and old.said:
            self.by_end[old.said[-1]].discard(conversation)
        if old is not None and old.reply is not None:
            self.by_reply[old.reply].discard(conversation)
        self.writers.pop(conversation, None)
        self.by_number[conversation] = Last(conversation=conversation, said=said, messages=messages)
        self.newest = conversation
        if said:
            self.by_end[said[-1]].add(conversation)

    def heard(self, conversation: int, reply: int, text: str) -> None:
        """Remember what a request was answered."""
        last = self.by_number[conversation]
        last.reply, last.reply_text = reply, text.strip()
        self.by_reply[reply].add(conversation)
        if len(last.reply_text) >= LEAST:
            self.writers[conversation] = last

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
            for number in self.by_end.get(one, ()):
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
        for last in reversed(self.writers.values()):
            if any(last.reply_text in one.text for one in first):
                return self.shown_to(last)
        return None

    def shown_to(self, writer: Last) -> int | None:
        """Return the conversation whose texts the writer of a summary was shown: the most of them.

        Its own where it was asked at the end of that; None where neither is so.
        """
        asked = [one.text for one in writer.messages]
        shared = [
            (sum(any(text in one for one in asked) for text in texts), -number)
            for number, last in self.by_number.items()
            if number != writer.conversation and (texts := distinct(last.messages))
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
