"""Arrival over many calls: by call and by record, always together."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from ullage.arrivals.arrival import Arrival


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRate:
    """One part, or one field of it, over the calls that produced any of it.

    `calls` is the number of those calls: it arrived whole in `whole` of them, in part in
    `in_part`, not at all in `absent`. `produced` and `delivered` count its records.
    """

    path: str
    field: str | None
    calls: int
    whole: int
    in_part: int
    absent: int
    produced: int
    delivered: int

    @property
    def by_call(self) -> float | None:
        """The share of calls in which it arrived whole; None without a call."""
        return self.whole / self.calls if self.calls else None

    @property
    def by_record(self) -> float | None:
        """The share of records that arrived; None where none was produced."""
        return self.delivered / self.produced if self.produced else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRates:
    """Every part and every field of several calls, in the order of first appearance."""

    parts: tuple[CallRate, ...]
    fields: tuple[CallRate, ...]


@dataclass(slots=True)
class Tally:
    """What is counted while calls are gone through."""

    calls: int = 0
    whole: int = 0
    absent: int = 0
    produced: int = 0
    delivered: int = 0

    def add(self, produced: int, delivered: int, partial: int) -> None:
        """Add one call; a call that produced nothing of it says nothing about it."""
        if produced == 0:
            return
        self.calls += 1
        self.whole += delivered == produced
        self.absent += delivered + partial == 0
        self.produced += produced
        self.delivered += delivered

    def merge(self, other: "Tally") -> None:
        """Add the calls of another count."""
        self.calls += other.calls
        self.whole += other.whole
        self.absent += other.absent
        self.produced += other.produced
        self.delivered += other.delivered

    def rate(self, path: str, name: str | None) -> CallRate:
        """Return the finished count."""
        return CallRate(
            path=path,
            field=name,
            calls=self.calls,
            whole=self.whole,
            in_part=self.calls - self.whole - self.absent,
            absent=self.absent,
            produced=self.produced,
            delivered=self.delivered,
        )


@dataclass(slots=True)
class Tallies:
    """The tallies of all parts and fields."""

    parts: dict[str, Tally] = field(default_factory=dict)
    fields: dict[tuple[str, str], Tally] = field(default_factory=dict)

    def add(self, one: Arrival) -> None:
        """Add one call."""
        for part in one.parts:
            tally = self.parts.setdefault(part.path, Tally())
            tally.add(part.produced, part.delivered, part.partial)
        for of in one.fields:
            tally = self.fields.setdefault((of.path, of.field), Tally())
            tally.add(of.produced, of.delivered, 0)


def call_rates(arrivals: Iterable[Arrival]) -> CallRates:
    """Add up arrivals of one tool's calls, each call once."""
    tallies = Tallies()
    for one in arrivals:
        tallies.add(one)
    return CallRates(
        parts=tuple(tally.rate(path, None) for path, tally in tallies.parts.items()),
        fields=tuple(tally.rate(path, name) for (path, name), tally in tallies.fields.items()),
    )
