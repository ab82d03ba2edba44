"""What stands in the place of messages that left a history, and what its writer was shown."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ullage.checks.begins import Begins
from ullage.checks.stated import by_its_words, stated
from ullage.transcript.transcript import Compaction, Transcript

LEAST = 40
"""A shorter reply stands in another conversation's message by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrote:
    """A reply: the entry of a conversation, the exchange that gave it, and what it says."""

    whole: Transcript
    at: int
    exchange: int
    text: str

    @property
    def asked(self) -> Sequence[str]:
        """The texts of the request that it answers."""
        return [self.whole.entries[one].message.text for one in self.whole.context(self.at)]


class Replies:
    """The replies of a run, in the order of its conversations."""

    def __init__(self, wrote: Sequence[Wrote]) -> None:
        self.wrote = wrote
        self.begins = Begins(length=LEAST)
        for number, one in enumerate(wrote):
            self.begins.add(one.text, number)

    def inside(self, text: str, before: int | None) -> Wrote | None:
        """Return the last reply that stands in a text, of those before an exchange."""
        found = (self.wrote[number] for number in sorted(self.begins.inside(text), reverse=True))
        earlier = (one for one in found if before is None or one.exchange < before)
        return next((one for one in earlier if one.text in text), None)


def explained(transcripts: Mapping[int, Transcript]) -> Iterator[tuple[int, Transcript]]:
    """Give transcripts of one run with what is known of each compaction that no record tells of.

    A message that holds what a model wrote in reply to another request is a summary, and that
    request is what the summariser was shown. A result that answers the call of one
    that is gone was cleared by a rule. Where nothing is new, the history was trimmed.
    """
    replies = Replies([one for whole in transcripts.values() for one in written(whole)])
    for number, whole in transcripts.items():
        compactions = [explained_one(whole, at, replies) for at in range(len(whole.compactions))]
        yield number, replace(whole, compactions=compactions)


def written(whole: Transcript) -> Iterator[Wrote]:
    """Give what the model wrote in a conversation, as long as it is enough to be told apart."""
    for at, entry in enumerate(whole.entries):
        said = entry.message.text.strip()
        if entry.label is None or len(said) < LEAST or entry.exchange is None:
            continue
        yield Wrote(whole=whole, at=at, exchange=entry.exchange, text=said)


def explained_one(whole: Transcript, at: int, replies: Replies) -> Compaction:
    """Return one compaction with what it did."""
    one = whole.compactions[at]
    if one.recorded or one.after is None:
        return one
    pre, post = set(whole.pre(at)), set(one.after)
    gone = [index for index in sorted(pre - post) if not is_system(whole, index)]
    fresh = [index for index in one.after if index >= one.at and not is_system(whole, index)]
    if not gone:
        return one  # the system text alone was written anew
    if said := stated(whole, fresh):
        # What its summariser was shown is on record, and need not be looked for.
        return by_its_words(one, said, gone, whole)
    found = [(index, by) for index in fresh if (by := summariser(whole, index, replies))]
    if found:
        index, by = found[0]
        asked = by.asked
        shown = tuple(sorted(one for one in whole.pre(at) if is_shown(whole, one, asked)))
        return replace(one, act="summarise", summary=(index,), shown=shown)
    answers = {whole.entries[index].message.answers for index in fresh} - {None}
    cleared = tuple(index for index in gone if whole.entries[index].message.answers in answers)
    return replace(one, act="elide" if fresh else "trim", cleared=cleared)


def is_system(whole: Transcript, index: int) -> bool:
    """Whether an entry is a system text."""
    return whole.entries[index].message.role == "system"


def summariser(whole: Transcript, index: int, replies: Replies) -> Wrote | None:
    """Return the reply that stands in a message that is none; None where none does."""
    entry = whole.entries[index]
    if entry.message.role == "assistant":
        return None
    return replies.inside(entry.message.text, entry.exchange)


def is_shown(whole: Transcript, index: int, asked: Sequence[str]) -> bool:
    """Whether the text of a message stands in one of the texts that the summariser was given."""
    text = whole.entries[index].message.text.strip()
    return any(text in one for one in asked)
