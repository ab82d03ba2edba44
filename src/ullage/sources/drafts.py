"""A transcript while it is read from the records of an agent, entry by entry."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ullage.transcript.message import Message
from ullage.transcript.served import Label
from ullage.transcript.transcript import Compaction, Entry, Transcript


@dataclass(slots=True)
class Draft:
    """A transcript so far. `base` holds what is known of all of it, `keys` the entries by key."""

    base: Transcript
    entries: list[Entry] = field(default_factory=list)
    compactions: list[Compaction] = field(default_factory=list)
    keys: dict[str, int] = field(default_factory=dict)
    unread: Counter[str] = field(default_factory=Counter)
    records: int = 0

    def add(self, entry: Entry) -> int:
        """Add an entry, and return its place."""
        at = len(self.entries)
        if entry.key is not None:
            self.keys[entry.key] = at
        self.entries.append(entry)
        return at

    def in_force(self, before: int | None = None) -> list[int]:
        """Return the entries in force now, or right before an entry."""
        return self.done().context(len(self.entries) if before is None else before)

    def tokens(self, before: int | None = None) -> int | None:
        """Return the tokens of the context after the last reply, by the provider's own count."""
        for entry in reversed(self.entries[:before]):
            if entry.usage is not None and entry.usage.input is not None:
                return entry.usage.input + (entry.usage.output or 0)
        return None

    def done(self) -> Transcript:
        """Return the transcript."""
        return replace(
            self.base,
            entries=self.entries,
            compactions=self.compactions,
            unread=dict(self.unread),
            records=self.records,
        )


def ended(word: str | None, labels: Mapping[str, Label], message: Message) -> Label | None:
    """Return how a reply ended by a program's own word for it; None for a word with no meaning."""
    found = labels.get(word) if word is not None else None
    wrote = message.calls or message.text.strip()
    return "empty" if found == "complete" and not wrote else found
