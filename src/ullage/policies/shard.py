"""What is replayed in one go: some results of one source, read where the work is done."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ullage.policies.recorded import Recorded

Kind = Literal["results", "requests", "lines", "transcripts"]
"""What is read: a ledger's recorded results, its requests, lines of results, transcripts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """Some results of one source. It crosses processes and machines, and holds no result itself.

    `first` and `last` bound what is read: numbers of results, offsets in bytes, or nothing at all
    where `paths` or `runs` name everything. `split` are the sessions that other shards hold parts
    of. `size` is about how many results there are; `counted_elsewhere` sessions are counted by
    another shard of the same ledger.
    """

    number: int
    source: int
    kind: Kind
    paths: tuple[str, ...]
    first: int = 0
    last: int = 0
    runs: tuple[str, ...] = ()
    split: tuple[str, ...] = ()
    counted_elsewhere: tuple[str, ...] = ()
    size: int = 0
    form: str | None = None

    def session(self, name: str) -> str:
        """Return what a session is called among those of all sources."""
        return f"{self.source} {name}"

    @property
    def path(self) -> Path:
        """The one file of a shard that has no more."""
        return Path(self.paths[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Results that are there and cannot be replayed, and why."""

    why: str
    number: int = 1


Item = Recorded | Skipped
Items = Iterator[Item]


def packed(sizes: Sequence[int], most: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of things whose sizes add up to `most`, or of one that is larger by itself."""
    first = total = 0
    for at, size in enumerate(sizes):
        if total and total + size > most:
            yield first, at
            first, total = at, 0
        total += size
    if first < len(sizes):
        yield first, len(sizes)
