"""The exchanges of a run as transcripts: what each conversation said, and what left it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ullage.checks.replaced import explained
from ullage.transcript.transcript import Transcript
from ullage.wire.conversation import Assembled
from ullage.wire.exchange import Exchange

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
            )
        yield from explained(found)
