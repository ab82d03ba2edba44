"""The exchanges of a run as transcripts: what each conversation said, and what left it."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import takewhile

from ullage.checks.replaced import explained
from ullage.transcript.transcript import Entry, Transcript
from ullage.wire.conversation import Assembled
from ullage.wire.exchange import Exchange
from ullage.wire.spelling import is_note, plain

FORM = "exchanges"
"""The form of a transcript that was put together here: its requests are known."""


@dataclass(slots=True)
class Assembly:
    """The conversations of a run or a file so far, by their numbers."""

    by_number: dict[int, Assembled] = field(default_factory=dict)

    def add(self, conversation: int, one: Exchange) -> None:
        """Add an exchange to its conversation; one that failed was given to no model."""
        if one.request is None or one.failure is not None:
            return
        found = self.by_number.get(conversation)
        if found is None:
            found = Assembled(session=one.session, source=one.source)
            self.by_number[conversation] = found
        found.add(one, one.request)

    def done(self) -> Iterator[tuple[int, Transcript]]:
        """Give the transcripts by the numbers of their conversations.

        One of a run has the run's tag, and a number if there are more.
        """
        found = {}
        known: set[int] = set()
        for number, one in self.by_number.items():
            name = one.session or one.source.path or "exchanges"
            several = len(self.by_number) > 1
            found[number] = Transcript(
                session=f"{name}#{number + 1}" if several else name,
                form=FORM,
                entries=one.entries,
                compactions=one.compactions,
                source=one.source,
                model=one.model,
                window=one.window,
                settings=one.settings,
                shared=handed_over(one.entries, known),
            )
            known.update(mark for _, mark in beginnings(one.entries))
        yield from explained(found)


def handed_over(entries: Sequence[Entry], known: Set[int]) -> int:
    """Return how many of the first entries another conversation had before.

    A branch or a side question begins with a history; what begins with a task only is another
    session with that task.
    """
    first = [one.exchange for one in entries][:1]
    given = list(takewhile(lambda one: [one.exchange] == first and one.label is None, entries))
    if not any(one.message.role in ("assistant", "tool") for one in given):
        return 0
    places = [place for place, mark in beginnings(given) if mark in known]
    return max(places, default=0)


def beginnings(entries: Sequence[Entry]) -> Iterator[tuple[int, int]]:
    """Give marks of the first one, two, three … entries, and how many these are.

    System texts and notes may differ.
    """
    mark = 0
    for place, one in enumerate(entries, start=1):
        if one.message.role != "system" and not is_note(one.message):
            mark = hash((mark, one.message.role, plain(one.message), one.message.answers))
            yield place, mark
