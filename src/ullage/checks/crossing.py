"""What arrived across one boundary, and what its checks find: a table of how, by boundary.

A result of a tool is compared by its records. Where a history was compacted, messages are; where a
sub-agent handed over, its findings. Free text has the kinds of what stands in it as its parts.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ullage.arrivals.arrival import Arrival, PartArrival, arrival
from ullage.arrivals.child_findings import Child, child_of, finding_arrivals
from ullage.arrivals.kinds import KindArrival, kind_arrivals
from ullage.arrivals.label import label
from ullage.arrivals.states import Counts
from ullage.checks import handoff_lost, pair_faults
from ullage.checks.compaction_checks import compaction_findings
from ullage.checks.side import Side, side
from ullage.transcript.finding import Finding, Source
from ullage.transcript.message import Message
from ullage.transcript.words import Boundary

FINDINGS = "findings"
"""The part of a hand-off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """What arrived of one text in another, by kind where it is free text, and what is wrong.

    `unit` is what `arrival.records` counts. `kinds` also says which items are missing.
    """

    arrival: Arrival
    findings: tuple[Finding, ...]
    unit: str = "records"
    kinds: tuple[KindArrival, ...] = ()

    @property
    def label(self) -> str:
        """`nothing-produced`, the check of the first finding, or `ok`."""
        if self.arrival.rate is None and not self.findings:
            return label(self.arrival)
        return next((one.check for one in self.findings), "ok")


def crossing(
    produced: str,
    delivered: str,
    *,
    key: str | None = None,
    boundary: Boundary = "budget",
    source: Source | None = None,
) -> Crossing:
    """Compare two texts as their boundary needs it; `source` is where findings stand."""
    found = BOUNDARIES.get(boundary, of_result)(produced, delivered, key, boundary)
    place = source or Source()
    return replace(found, findings=tuple(replace(one, source=place) for one in found.findings))


def of_result(produced: str, delivered: str, key: str | None, boundary: Boundary) -> Crossing:
    """Compare a tool's result with what became of it."""
    one = arrival(produced, delivered, key=key, boundary=boundary)
    kinds = kind_arrivals(produced, delivered) if is_free_text(one) else ()
    return Crossing(
        arrival=with_kinds(one, kinds),
        findings=tuple(pair_faults.check(one, produced)),
        unit="records" if one.parts else "lines",
        kinds=kinds,
    )


def of_history(produced: str, delivered: str, key: str | None, boundary: Boundary) -> Crossing:
    """Compare a history with what a compaction made of it: two bodies, or two plain texts."""
    before, after = side(produced), side(delivered)
    one = arrival(before.text, after.text, key=key, boundary=boundary)
    kinds = kind_arrivals(before.text, after.text)
    if before.messages is not None and after.messages is not None:
        one = by_messages(one, before.messages, after.messages)
    found = compaction_findings(before.conversation, after.conversation, boundary=boundary)
    return Crossing(
        arrival=with_kinds(one, kinds),
        findings=tuple(found),
        unit="lines" if before.messages is None or after.messages is None else "messages",
        kinds=kinds,
    )


def of_handoff(produced: str, delivered: str, key: str | None, boundary: Boundary) -> Crossing:
    """Compare what a sub-agent wrote with what its parent was given."""
    before, after = side(produced), side(delivered)
    child = child_of(before.text)
    if child is None:
        return of_text(before, after, key, boundary)
    one = arrival(before.text, after.text, key=key, boundary=boundary)
    kinds = kind_arrivals("\n".join(child.findings), after.text)
    return Crossing(
        arrival=with_kinds(by_findings(one, child, after.text), kinds),
        findings=tuple(handoff_lost.check(child, after.text)),
        unit="findings",
        kinds=kinds,
    )


def of_text(before: Side, after: Side, key: str | None, boundary: Boundary) -> Crossing:
    """Compare what a sub-agent wrote where none of it is marked as a finding."""
    one = arrival(before.text, after.text, key=key, boundary=boundary)
    kinds = kind_arrivals(before.text, after.text) if is_free_text(one) else ()
    unit = "records" if one.parts else "lines"
    return Crossing(arrival=with_kinds(one, kinds), findings=(), unit=unit, kinds=kinds)


BOUNDARIES: Mapping[Boundary, Callable[[str, str, str | None, Boundary], Crossing]] = {
    "summarise": of_history,
    "handoff": of_handoff,
}


def is_free_text(one: Arrival) -> bool:
    """Whether what was produced is no value with records in it."""
    return not one.parts and one.valid is None


def with_kinds(one: Arrival, kinds: Sequence[KindArrival]) -> Arrival:
    """Return an arrival with the kinds of its free text as parts, behind those it has."""
    parts = (
        PartArrival(path=kind.kind, produced=kind.produced, delivered=kind.delivered, partial=0)
        for kind in kinds
    )
    return replace(one, parts=(*one.parts, *parts)) if kinds else one


def by_messages(one: Arrival, pre: Sequence[Message], post: Sequence[Message]) -> Arrival:
    """Return an arrival that counts messages: those that stayed as they were."""
    stayed = (Counter(pre) & Counter(post)).total()
    counts = Counts(produced=len(pre), delivered=stayed, partial=0)
    return replace(one, records=counts, rate=stayed / len(pre) if pre else None)


def by_findings(one: Arrival, child: Child, delivered: str) -> Arrival:
    """Return an arrival that counts a child's findings."""
    found = finding_arrivals(child.findings, delivered)
    part = PartArrival(
        path=FINDINGS,
        produced=found.produced,
        delivered=found.delivered,
        partial=len(found.partial),
    )
    counts = Counts(produced=part.produced, delivered=part.delivered, partial=part.partial)
    rate = part.delivered / part.produced if part.produced else None
    return replace(one, records=counts, rate=rate, parts=(part,), fields=(), valid=None)
