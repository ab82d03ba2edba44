"""Where the text of tool results went: what each boundary took, and what it cannot tell."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ullage.checks.assemble import FORM
from ullage.checks.left import compactions
from ullage.checks.measure import Run
from ullage.checks.measured import Measured
from ullage.checks.session import Session
from ullage.transcript.transcript import Compaction
from ullage.transcript.words import Boundary


@dataclass(slots=True, kw_only=True)
class Taken:
    """What was lost at one boundary: results that lost something, their characters, records.

    `rules` of Ullage took something of it out, under `tiers`, where the history says so.
    """

    results: int = 0
    chars: int = 0
    records: int = 0
    rules: dict[str, None] = field(default_factory=dict)
    tiers: dict[str, None] = field(default_factory=dict)

    def add(self, chars: int, records: int = 0) -> None:
        """Take in one result."""
        self.results += 1
        self.chars += chars
        self.records += records

    def told(self, one: Compaction) -> None:
        """Take in what a compaction says of itself."""
        self.rules |= dict.fromkeys(one.rules)
        self.tiers |= dict.fromkeys([one.tier] if one.tier else [])


@dataclass(slots=True)
class Flow:
    """Takes in runs one at a time; keeps figures.

    `measured` results have both sides: `produced` characters, of which `arrived`. `unknown` results
    were given to the model (`unknown_chars`), and nothing says what was produced. `unseen` results
    are in no request that was recorded. `upstream` are results whose own text says that it is a
    part. `followed` sessions would show a message that left the history; `given` are the results of
    all sessions and their characters: what can leave the context.
    """

    measured: int = 0
    produced: int = 0
    arrived: int = 0
    unknown: int = 0
    unknown_chars: int = 0
    unseen: int = 0
    upstream: int = 0
    followed: int = 0
    children: int = 0
    given: Taken = field(default_factory=Taken)
    taken: dict[Boundary, Taken] = field(default_factory=dict)

    def take(self, run: Run) -> None:
        """Take in one run."""
        for one in run.measurement.results:
            self.result(one)
        self.unknown += run.measurement.unknown
        for session in run.sessions:
            self.session(session)

    def result(self, one: Measured) -> None:
        """Take in one result of which it is known what was produced."""
        found = one.arrival
        if found is None:
            self.unseen += 1
            return
        self.measured += 1
        self.upstream += one.shortened
        self.produced += one.produced_chars
        lost = lost_chars(one)
        self.arrived += one.produced_chars - lost
        if found.lost:
            records = found.records.produced - found.records.delivered
            self.at(one.boundary or "budget").add(lost, records)

    def session(self, session: Session) -> None:
        """Take in what became of the results of a session later on."""
        whole = session.transcript
        self.followed += bool(whole.compactions) or (
            whole.form == FORM  # put together from requests: there a missing message shows
            and sum(one.message.role == "assistant" for one in session.entries) > 1
        )
        self.children += whole.parent is not None
        for one in session.results:
            if one.counted:
                self.given.add(len(one.text))
                self.unknown_chars += 0 if one.measured is not None else len(one.text)
        for boundary, chars, compaction in left(session):
            self.at(boundary).add(chars)
            self.at(boundary).told(compaction)

    def at(self, boundary: Boundary) -> Taken:
        """Return what a boundary has taken so far."""
        return self.taken.setdefault(boundary, Taken())


def lost_chars(one: Measured) -> int:
    """Return the characters of a result that did not arrive.

    Records that are whole in another spelling have arrived: their share counts where it is more
    than the characters that were found, but never for more than was delivered.
    """
    found = one.arrival
    if found is None or not found.lost:
        return 0
    by_rate = round(one.produced_chars * (found.rate or 0.0))
    return max(0, one.produced_chars - max(found.chars, min(by_rate, found.delivered_chars)))


def left(session: Session) -> Iterator[tuple[Boundary, int, Compaction]]:
    """Give each result that left the context, once: at which boundary, its characters, by what."""
    gone: set[int] = set()
    for one in compactions(session):
        boundary: Boundary = "summarise" if one.one.act == "summarise" else "retain"
        for at in (*one.gone, *one.one.cleared):
            result = session.result_at.get(at)
            if result is not None and result.counted and at not in gone:
                gone.add(at)
                yield boundary, len(result.text), one.one
