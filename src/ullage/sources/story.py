"""A transcript in the making: its entries so far, and those of them that are in force."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ullage.transcript.transcript import Compaction, Entry, Transcript


@dataclass(slots=True)
class Story:
    """What has been read of a session. `now` are the entries in force, in their order."""

    entries: list[Entry] = field(default_factory=list)
    compactions: list[Compaction] = field(default_factory=list)
    now: list[int] = field(default_factory=list)

    def add(self, entry: Entry) -> int:
        """Add an entry, and return its index."""
        self.entries.append(entry)
        index = len(self.entries) - 1
        if entry.in_context:
            self.now.append(index)
        return index

    def change(self, index: int, entry: Entry) -> None:
        """Put another entry in the place of one, with more known about it."""
        self.entries[index] = entry

    def compact(self, compaction: Compaction) -> None:
        """Add a compaction; what it leaves is in force from here on."""
        self.compactions.append(compaction)
        if compaction.after is not None:
            self.now = list(compaction.after)

    def become(self, history: Sequence[Entry], compaction: Compaction) -> Compaction:
        """Compact to a history as it is written down, and return the compaction.

        What is equal to an entry is that entry, the last one where there are several; one in force
        comes before one that was. The rest is new, and stands from `compaction.at` on.
        """
        in_force = set(self.now)
        there: dict[object, list[int]] = {}
        past = (index for index in range(len(self.entries)) if index not in in_force)
        for index in (*past, *self.now):
            there.setdefault(self.entries[index].message, []).append(index)
        same: list[int | None] = []
        for one in reversed(history):  # so that the last of equal ones is taken
            known = there.get(one.message)
            same.append(known.pop() if known else None)
        after = []
        for one, known_at in zip(history, reversed(same), strict=True):
            if known_at is None:
                self.entries.append(one)
            after.append(len(self.entries) - 1 if known_at is None else known_at)
        done = replace(compaction, after=tuple(after))
        self.compact(done)
        return done

    def rewind(self, cut: int) -> "Story | None":
        """Go back to the first `cut` entries; return what was left behind, None if nothing."""
        left = Story(entries=self.entries, compactions=self.compactions)
        if cut >= len(self.entries):
            return None
        self.entries = self.entries[:cut]
        self.compactions = [
            one for one in self.compactions if max((one.at, *stands(one)), default=0) <= cut
        ]
        self.now = self.told(cut).context(cut)
        return left

    def told(self, before: int) -> Transcript:
        """Return the story as a transcript, for what is in force before an entry."""
        return Transcript(
            session="", form="", entries=self.entries[:before], compactions=self.compactions
        )


def stands(compaction: Compaction) -> list[int]:
    """Return how many entries there are at the least, by what stands behind a compaction."""
    return [index + 1 for index in compaction.after or ()]
