"""The texts behind findings: what was produced and what was delivered, for a few of each check.

A scan keeps no texts, so they are read a second time, only of the files that hold the few.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ullage.checks.assemble import FORM
from ullage.checks.measured import Measured
from ullage.checks.session import Result, Session
from ullage.checks.sides import Sides, sides
from ullage.transcript.finding import Finding, Source

PER_CHECK = 10
"""So many findings of each check are shown with their texts, unless somebody asks for others."""

Place = tuple[str, object, object]
"""What a finding and a result have in common: which name of a place, and two parts of it."""


@dataclass(slots=True, kw_only=True)
class Exhibits:
    """Takes in sessions a second time, and keeps what is shown of a few findings.

    `wanted` are the findings that are to be shown, by their numbers; `clean` takes secrets out of a
    text. `of` names the exhibit of each finding that has one; findings about one result share it.
    """

    wanted: Sequence[tuple[int, Finding]]
    clean: Callable[[str], str]
    per_check: int = PER_CHECK
    shown: list[Sides] = field(default_factory=list)
    of: dict[int, int] = field(default_factory=dict)
    by_place: dict[Place, list[int]] = field(default_factory=dict)
    lengths: dict[tuple[object, object], set[int]] = field(default_factory=dict)
    findings: Mapping[int, Finding] = field(init=False)

    def __post_init__(self) -> None:
        self.findings = dict(self.wanted)
        for number, one in self.wanted:
            length = one.evidence.get("delivered_chars")
            for place in places_of(one):
                self.by_place.setdefault(place, []).append(number)
            # Findings about one result name it in different ways; not all of them tell its length.
            if isinstance(length, int) and one.call_id is not None:
                self.lengths.setdefault((one.session, one.call_id), set()).add(length)

    @property
    def complete(self) -> bool:
        """Whether each wanted finding has its texts, so that no more need be read."""
        return len(self.of) == len(self.findings)

    def take(self, results: Sequence[Measured], sessions: Sequence[Session]) -> None:
        """Look for the results of the wanted findings in one run, or one transcript."""
        for one in results:
            self.show(measured_places(one), one.source, one.produced, one.delivered)
        for session in sessions:
            for result in session.results:
                entry, known = session.entries[result.entry], result.measured
                made = entry.produced.text if entry.produced is not None else None
                self.show(
                    result_places(session, result),
                    entry.source,
                    made if known is None else known.produced,
                    result.text if known is None else known.delivered,
                )

    def show(
        self,
        places: Iterable[Place],
        source: Source,
        produced: str | None,
        delivered: str | None,
    ) -> None:
        """Keep the excerpts of one result, if a finding is about it and has none yet."""
        if delivered is None or not (produced or delivered):
            return
        numbers = [
            number
            for place in places
            for number in self.by_place.get(place, ())
            if number not in self.of and self.fits(self.findings[number], source, delivered)
        ]
        if not numbers:
            return
        made = None if produced is None else self.clean(produced)
        self.shown.append(sides(made, self.clean(delivered)))
        self.of |= dict.fromkeys(numbers, len(self.shown) - 1)

    def fits(self, one: Finding, source: Source, delivered: str) -> bool:
        """Whether a result can be the one that a finding is about: ids of calls are used again."""
        lines = {one.source.line, source.line} - {None}
        length = one.evidence.get("delivered_chars")
        known = self.lengths.get((one.session, one.call_id), set())
        lengths = {length} if isinstance(length, int) else known
        return len(lines) < 2 and (not lengths or len(delivered) in lengths)


def chosen(findings: Sequence[Finding], per_check: int) -> list[tuple[int, Finding]]:
    """Choose the first few findings of each check that are about one result."""
    taken: Counter[str] = Counter()
    found = []
    for number, one in enumerate(findings):
        if taken[one.check] < per_check and any(True for _ in places_of(one)):
            taken[one.check] += 1
            found.append((number, one))
    return found


def places_of(one: Finding) -> Iterator[Place]:
    """Give the names of the place of the result that a finding is about, the surest one first."""
    if one.tool is None:
        return
    number = one.evidence.get("result")
    if number is not None:
        yield ("result", one.session, number)
    elif one.call_id is not None:
        yield ("call", one.session, one.call_id)
    elif one.source.line is not None:
        yield ("line", one.source.path, one.source.line)


def measured_places(one: Measured) -> Iterator[Place]:
    """Give the names of the place of a measured result."""
    yield ("result", one.run, one.number)


def result_places(session: Session, one: Result) -> Iterator[Place]:
    """Give the names of the place of a result of a session.

    A result of a transcript has the number of its entry, one of a ledger that of its record.
    """
    entry = session.entries[one.entry]
    if session.transcript.form != FORM:
        yield ("result", session.transcript.session, one.entry + 1)
    if entry.message.answers is not None:
        yield ("call", session.transcript.session, entry.message.answers)
    if entry.source.line is not None:
        yield ("line", entry.source.path, entry.source.line)
