"""What is counted over many results: whole numbers only, so shards may be merged in any order."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import NamedTuple

from ullage.arrivals.rates import Tally as CallTally
from ullage.arrivals.states import PARTIAL, WHOLE
from ullage.stats.moments import Moments

TENTHS = 10
EXAMPLES = 5
"""So many examples of each kind are named; how many there are is counted."""


class Group(NamedTuple):
    """Whose figures these are: a policy by its number, a tool; `known`: of produced texts."""

    policy: int
    known: bool
    tool: str


class Key(NamedTuple):
    """A part of a tool's results under a policy, or one field of it, or one tenth of its length."""

    group: Group
    path: str
    field: str | None = None
    tenth: int | None = None


@dataclass(slots=True, kw_only=True)
class Counts:
    """What became of results: their number, how many were over, cut, broken, told of.

    `json` are those whose produced text is JSON, `cut_json` those of them that were cut, and
    `broken` those of these that are JSON no more. `notices` are cut results that say so.
    `records` are records or lines. Tokens are 0 where they were not counted.
    """

    results: int = 0
    over_budget: int = 0
    cut: int = 0
    json: int = 0
    cut_json: int = 0
    broken: int = 0
    notices: int = 0
    records: int = 0
    lost_records: int = 0
    partial_records: int = 0
    produced_chars: int = 0
    delivered_chars: int = 0
    produced_tokens: int = 0
    delivered_tokens: int = 0
    loud: int = 0
    quiet: int = 0
    untold: int = 0

    def add(self, other: "Counts") -> None:
        """Add the figures of another one."""
        for name in NAMES:
            setattr(self, name, getattr(self, name) + getattr(other, name))


NAMES = tuple(one.name for one in fields(Counts))


@dataclass(slots=True, kw_only=True)
class Cell:
    """One part, field or tenth of a part over all sessions.

    `by_call` and `by_record` are what an interval over sessions needs; `against` the same of the
    difference to the first policy, by record.
    """

    sums: CallTally = field(default_factory=CallTally)
    by_call: Moments = field(default_factory=Moments)
    by_record: Moments = field(default_factory=Moments)
    against: Moments = field(default_factory=Moments)

    def add(self, other: "Cell") -> None:
        """Add the figures of another one."""
        self.sums.merge(other.sums)
        self.by_call.merge(other.by_call)
        self.by_record.merge(other.by_record)
        self.against.merge(other.against)


@dataclass(frozen=True, slots=True, order=True)
class Example:
    """One result to open: where it stands, and how much of it there was and was delivered."""

    source: int
    number: int
    place: str
    session: str
    tool: str
    produced: int
    delivered: int


@dataclass(frozen=True, slots=True, order=True)
class Apart:
    """One result in which a policy delivers otherwise than the first policy.

    `of` so many records of a part, or so many that have a field, `first` arrived under the first
    policy and `other` under this one, of which `example` tells.
    """

    example: Example
    of: int
    first: int
    other: int


SessionSums = dict[Key, CallTally]


@dataclass(slots=True, kw_only=True)
class Tally:
    """The figures of a shard, or of all. `open` are sessions that other shards know of, too.

    `losing` names the first result in which not all of a part or field arrived, `apart` the first
    one in which more of it arrived than under the first policy (True), and less (False).
    """

    counts: dict[Group, Counts] = field(default_factory=dict)
    cells: dict[Key, Cell] = field(default_factory=dict)
    examples: dict[tuple[int, str], list[Example]] = field(default_factory=dict)
    losing: dict[Key, Example] = field(default_factory=dict)
    apart: dict[tuple[Key, bool], Apart] = field(default_factory=dict)
    open: dict[str, SessionSums] = field(default_factory=dict)
    sessions: int = 0
    skipped: dict[str, int] = field(default_factory=dict)

    def example(self, policy: int, kind: str, one: Example) -> None:
        """Name an example, if it is among the first ones of its kind."""
        found = self.examples.setdefault((policy, kind), [])
        if len(found) < EXAMPLES or one < found[-1]:
            self.examples[policy, kind] = first_of([*found, one])

    def loses(self, key: Key, one: Example) -> None:
        """Name a result in which a part or field did not arrive whole, if it is the first one."""
        if key not in self.losing or one < self.losing[key]:
            self.losing[key] = one

    def differs(self, key: Key, one: Apart) -> None:
        """Name a result that differs from the first policy, if it is the first one that does so."""
        at = key, one.other > one.first
        if at not in self.apart or one < self.apart[at]:
            self.apart[at] = one

    def skip(self, why: str, number: int = 1) -> None:
        """Count results that cannot be replayed."""
        self.skipped[why] = self.skipped.get(why, 0) + number

    def ended(self, sums: Mapping[Key, CallTally], *, counted: bool = True) -> None:
        """Add a whole session; one that another shard counts is not one more."""
        self.sessions += counted
        for key, one in sums.items():
            cell = self.cells.setdefault(key, Cell())
            cell.sums.merge(one)
            cell.by_call.add(one.whole, one.calls)
            cell.by_record.add(one.delivered, one.produced)
            if key.group.policy == 0:
                continue
            first = sums[key._replace(group=key.group._replace(policy=0))]
            cell.against.add(one.delivered - first.delivered, one.produced)

    def left_open(self, session: str, sums: SessionSums) -> None:
        """Add a part of a session of which other shards hold the rest."""
        known = self.open.setdefault(session, {})
        for key, one in sums.items():
            known.setdefault(key, CallTally()).merge(one)

    def merge(self, other: "Tally") -> None:
        """Add the figures of another shard."""
        for group, counts in other.counts.items():
            self.counts.setdefault(group, Counts()).add(counts)
        for key, cell in other.cells.items():
            self.cells.setdefault(key, Cell()).add(cell)
        for kind, examples in other.examples.items():
            self.examples[kind] = first_of([*self.examples.get(kind, []), *examples])
        for key, example in other.losing.items():
            self.loses(key, example)
        for (key, _), apart in other.apart.items():
            self.differs(key, apart)
        for session, sums in other.open.items():
            self.left_open(session, sums)
        for why, number in other.skipped.items():
            self.skip(why, number)
        self.sessions += other.sessions

    def end(self, session: str) -> None:
        """End a session that shards had left open: all parts of it are merged now."""
        self.ended(self.open.pop(session))


def by_tenths(states: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Yield of each tenth of a part that has any record: produced, whole and in part."""
    length = len(states)
    for tenth in range(TENTHS):
        first, last = length * tenth // TENTHS, length * (tenth + 1) // TENTHS
        if last > first:
            whole, partial = states.count(WHOLE, first, last), states.count(PARTIAL, first, last)
            yield tenth, last - first, whole, partial


def first_of(examples: Iterable[Example]) -> list[Example]:
    """Return the first examples, by where they stand."""
    found = sorted(examples)
    del found[EXAMPLES:]
    return found
