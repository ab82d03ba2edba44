"""`field-asymmetry` and `field-never-arrives`: which fields of a tool arrive, and which do not.

A cut by position keeps the fields that stand first and loses those that stand last, call after
call. So a field's arrival is held against where it stands in the produced text.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ullage.arrivals.arrival import Arrival
from ullage.arrivals.fields import FieldArrival
from ullage.checks.session import Result, Session
from ullage.stats.wilson import wilson
from ullage.transcript.finding import Finding, Source
from ullage.transcript.words import Boundary

ASYMMETRY = "field-asymmetry"
NEVER = "field-never-arrives"
LEAST_CALLS = 5
LEAST_GAP = 0.3
"""Two fields differ if their intervals do not meet and their shares are so far apart."""

FIFTHS = 5
LAST_KEY = re.compile(r"[\w-]+\Z")

Name = tuple[str, str]
"""A part's path and a field of its records."""


@dataclass(slots=True)
class Tally:
    """One field over the calls that produced it; it arrived where all its values did."""

    calls: int = 0
    arrived: int = 0
    some: int = 0
    place: float = 0.0

    def add(self, one: FieldArrival, place: float | None) -> None:
        """Add one call; `place` is where the field stands first, as a share of the bytes."""
        self.calls += 1
        self.arrived += one.delivered == one.produced
        self.some += one.delivered > 0
        self.place += place or 0.0

    def document(self, name: Name) -> dict[str, object]:
        """Return the figures of a finding."""
        share = wilson(self.arrived, self.calls)
        return {
            "part": name[0],
            "field": name[1],
            "calls": self.calls,
            "arrived": self.arrived,
            "arrived_in_part": self.some - self.arrived,
            "rate": round(share.estimate, 4),
            "interval": [round(share.low, 4), round(share.high, 4)],
            "stands_at": round(self.place / self.calls, 3),
        }


@dataclass(slots=True)
class Tool:
    """The fields of one tool, and where the first loss of any stands."""

    fields: defaultdict[Name, Tally] = field(default_factory=lambda: defaultdict(Tally))
    fifths: list[list[int]] = field(default_factory=lambda: [[0, 0] for _ in range(FIFTHS)])
    boundaries: Counter[Boundary] = field(default_factory=Counter)
    first: tuple[str, Source, str | None] | None = None

    def add(self, one: Arrival, produced: str) -> None:
        """Add one call."""
        places = places_of(produced, one)
        for each in one.fields:
            if each.produced:
                place = places.get((each.path, each.field))
                self.fields[each.path, each.field].add(each, place)
                if place is not None:
                    fifth = self.fifths[min(FIFTHS - 1, int(place * FIFTHS))]
                    fifth[0] += each.delivered == each.produced
                    fifth[1] += 1
        if one.lost:
            self.boundaries[one.boundary] += 1


@dataclass(slots=True)
class Fields:
    """Counts the fields of each tool; remembers no text."""

    tools: defaultdict[str, Tool] = field(default_factory=lambda: defaultdict(Tool))

    def add(self, session: Session) -> None:
        """Take in one session."""
        for one in session.results:
            measured = one.measured
            if not one.counted or measured is None or measured.arrival is None:
                continue
            tool = self.tools[one.tool]
            tool.add(measured.arrival, measured.produced)
            if tool.first is None and measured.arrival.lost:
                tool.first = place_of(session, one)

    def findings(self) -> Iterator[Finding]:
        """Give what is to be said of each tool."""
        for name, tool in self.tools.items():
            yield from never(name, tool)
            yield from asymmetry(name, tool)


def place_of(session: Session, one: Result) -> tuple[str, Source, str | None]:
    """Return where a result stands."""
    entry = session.entries[one.entry]
    source = entry.source if entry.source.path is not None else session.transcript.source
    return session.transcript.session, source, entry.message.answers


def places_of(produced: str, one: Arrival) -> Mapping[Name, float]:
    """Return where each field of each part stands first, as a share of the characters."""
    length = max(1, len(produced))
    starts = {path: start_of(produced, path) for path in {each.path for each in one.fields}}
    found = (
        ((each.path, each.field), position(produced, each.field, starts[each.path]))
        for each in one.fields
    )
    return {name: at / length for name, at in found if at >= 0}


def start_of(text: str, path: str) -> int:
    """Return where a part begins: behind its key; at the start where it has none."""
    key = LAST_KEY.search(path)
    return max(0, position(text, key[0], 0)) if key else 0


def position(text: str, name: str, start: int) -> int:
    """Return where a key stands first from `start` on, in JSON's quotes or Python's; else -1."""
    at = text.find(f'"{name}"', start)
    return at if at >= 0 else text.find(f"'{name}'", start)


def enough(tool: Tool) -> dict[Name, Tally]:
    """Return the fields that enough calls produced."""
    return {name: one for name, one in tool.fields.items() if one.calls >= LEAST_CALLS}


def never(name: str, tool: Tool) -> Iterator[Finding]:
    """Report, once a part, the fields that arrived in no call, not even in one record."""
    by_part: defaultdict[str, list[tuple[str, Tally]]] = defaultdict(list)
    for (path, each), one in enough(tool).items():
        if one.some == 0:
            by_part[path].append((each, one))
    for path, lost in by_part.items():
        calls = min(one.calls for _, one in lost)
        advice = (
            f"In {calls} calls of {name} nothing of {', '.join(each for each, _ in lost)} "
            f"({path}) reached the model. Cut by records, so that every list keeps its share: "
            "ullage.cut(result, ullage.chars(6000)).text; or let the tool leave these fields out."
        )
        evidence = {
            "part": path,
            "fields": [each for each, _ in lost],
            "calls": calls,
            "rate_at_most": round(wilson(0, calls).high, 4),
            "stands_at": [round(one.place / one.calls, 3) for _, one in lost],
        }
        yield report(name, tool, NEVER, advice, evidence)


def asymmetry(name: str, tool: Tool) -> Iterator[Finding]:
    """Report the lowest and the highest arriving field of a tool, if they are far apart."""
    fields = enough(tool)
    if len(fields) < 2:
        return
    ranked = sorted(fields.items(), key=lambda item: item[1].arrived / item[1].calls)
    (low_name, low), (high_name, high) = ranked[0], ranked[-1]
    lowest, highest = wilson(low.arrived, low.calls), wilson(high.arrived, high.calls)
    if lowest.high >= highest.low or highest.estimate - lowest.estimate < LEAST_GAP:
        return
    advice = (
        f"{high_name[1]} ({high_name[0]}) of {name} arrived in {high.arrived} of {high.calls} "
        f"calls, {low_name[1]} ({low_name[0]}) in {low.arrived} of {low.calls}: it is lost by "
        "where it stands, not by what it is worth. Cut by records, so that every list keeps its "
        "share: ullage.cut(result, ullage.chars(6000)).text"
    )
    evidence = {
        "lowest": low.document(low_name),
        "highest": high.document(high_name),
        "ratio": round(highest.estimate / lowest.estimate, 2) if low.arrived else None,
        "calls": max(low.calls, high.calls),
        "arrival_by_position": [
            None if total == 0 else round(whole / total, 4) for whole, total in tool.fifths
        ],
    }
    yield report(name, tool, ASYMMETRY, advice, evidence)


def report(
    name: str, tool: Tool, check: str, advice: str, evidence: Mapping[str, object]
) -> Finding:
    """Return a finding about a tool, where its first loss stands."""
    session, source, call_id = tool.first or (None, Source(), None)
    boundary = tool.boundaries.most_common(1)[0][0] if tool.boundaries else "budget"
    return Finding(
        check=check,
        severity="error",
        boundary=boundary,
        evidence=evidence,
        advice=advice,
        session=session,
        source=source,
        tool=name,
        call_id=call_id,
    )
