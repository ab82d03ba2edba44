"""What compactions cost: one row each, held against like stretches that had none.

Observational: nobody chose at random where to compact. A stretch of the same session, or of the
same agent, at about the same fill of the window is the best that a transcript has.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Literal

from ullage.checks import constraint_lost
from ullage.checks.crossed import crossed
from ullage.checks.left import Left, chars, compactions, messages, tokens_before
from ullage.checks.session import Session
from ullage.checks.steps import Again, Step, again, steps
from ullage.stats.cluster import cluster_mean
from ullage.stats.interval import Interval
from ullage.transcript.finding import Source
from ullage.transcript.transcript import Act

STRETCH = 20
"""So many calls before and after a compaction are looked at."""
LEAST = 5
"""Fewer on either side say nothing."""
BACK = 2
"""What was done in so many stretches before one counts as done before."""
ALIKE = 0.15
"""Fills within this share of each other are the same."""
MOST_MATCHES = 20
MARGIN = 1.0
"""Less than so many more repeats in a stretch is no harm that anybody would notice."""
LEAST_SESSIONS = 6
"""Five sessions that all go one way still have an exact two-sided p of 0.0625; six have 0.031."""

Verdict = Literal["worse", "not worse", "cannot tell"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One compaction: its size, and what was done again before and after it.

    `gone` counts the messages that left, `rules_lost` the standing rules that did.
    `before` and `after` are None where a side has too few calls. `expected` is the mean change of
    the stretches that it was matched with, `matched` their number.
    """

    session: str
    source: Source
    agent: str | None
    act: Act | None
    recorded: bool
    trigger: str | None
    tokens_before: int | None
    tokens_after: int | None
    window: int | None
    gone: int
    gone_chars: int
    rules_lost: int | None
    before: Again | None
    after: Again | None
    expected: float | None = None
    matched: int = 0

    @property
    def change(self) -> float | None:
        """How many more calls did something again after it than before."""
        if self.before is None or self.after is None:
            return None
        return float(self.after.all - self.before.all)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """All compactions together: the difference of differences, and what it says in one word."""

    verdict: Verdict
    rows: int
    usable: int
    sessions: int
    interval: Interval | None

    @property
    def sentence(self) -> str:
        """The answer in one plain sentence."""
        if self.interval is None or self.verdict == "cannot tell":
            return (
                f"Whether compaction made it worse cannot be told: {self.usable} of {self.rows} "
                f"compactions, in {self.sessions} sessions, can be held against like stretches "
                "without one."
            )
        found = self.interval
        more = f"{found.estimate:+.1f} repeated calls of {STRETCH}"
        return (
            f"After a compaction it is {self.verdict}: {more} (95 % from {found.low:+.1f} to "
            f"{found.high:+.1f}), against like stretches without one; {self.usable} compactions in "
            f"{self.sessions} sessions. Observed, not an experiment."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """The calls of one session as figures, and where its compactions stand among them."""

    session: str
    agent: str | None
    steps: Sequence[Step]
    places: Sequence[int]


@dataclass(slots=True)
class Compactions:
    """Takes in sessions one at a time; keeps figures."""

    trails: list[Trail] = field(default_factory=list)
    rows: list[tuple[int, int, Row]] = field(default_factory=list)

    def add(self, session: Session) -> None:
        """Take in one session."""
        walked = list(steps(session))
        # Where only the system text was written anew, nothing was compacted.
        lefts = [one for one in compactions(session) if one.one.recorded or one.gone]
        places = [sum(one.entry < left.one.at for one in walked) for left in lefts]
        if len(walked) >= (BACK + 2) * LEAST or lefts:
            whole = session.transcript
            self.trails.append(
                Trail(session=whole.session, agent=whole.agent, steps=walked, places=places)
            )
        number = len(self.trails) - 1
        for left, place in zip(lefts, places, strict=True):
            self.rows.append((number, place, row(session, left, walked, place)))

    def done(self) -> list[Row]:
        """Return the rows, each with what was to be expected without a compaction."""
        found = []
        for number, place, one in self.rows:
            usable = one.change is not None
            changes = self.matches(self.trails[number], place) if usable else []
            expected = fmean(changes) if changes else None
            found.append(replace(one, expected=expected, matched=len(changes)))
        return found

    def matches(self, trail: Trail, place: int) -> Sequence[float]:
        """Return the changes at like places: of the same session, else of the same agent's."""
        length = length_at(trail.steps, place)
        fill = fill_at(trail, place)
        own = list(like(trail, fill, length))
        others = (one for one in self.trails if one is not trail and one.agent == trail.agent)
        found = own or [change for one in others for change in like(one, fill, length)]
        return found[:: max(1, len(found) // MOST_MATCHES)]


def like(trail: Trail, fill: int | None, length: int) -> Iterator[float]:
    """Give the changes at places of a session that are as full, and far from a compaction."""
    for place in range((BACK + 1) * length, len(trail.steps) - length + 1):
        if any(near(place, one, length) for one in trail.places):
            continue
        here = fill_at(trail, place)
        if fill is not None and (here is None or abs(here - fill) > ALIKE * fill):
            continue
        before, after = sides(trail.steps, place, length)
        yield float(after.all - before.all)


def near(place: int, compaction: int, length: int) -> bool:
    """Whether a compaction falls into the stretches around a place, or right before them."""
    return place - (BACK + 1) * length < compaction < place + length


def row(session: Session, left: Left, walked: Sequence[Step], place: int) -> Row:
    """Return what is known of one compaction without the others."""
    whole = session.transcript
    length = length_at(walked, place)
    before, after = sides(walked, place, length) if length >= LEAST else (None, None)
    entry = session.entries[left.one.at] if left.one.at < len(session.entries) else None
    source = left.one.source if left.one.source.path is not None else whole.source
    return Row(
        session=whole.session,
        source=source if entry is None or source.path is not None else entry.source,
        agent=whole.agent,
        act=left.one.act,
        recorded=left.one.recorded,
        trigger=left.one.trigger,
        tokens_before=tokens_before(session, left),
        tokens_after=left.one.tokens_after,
        window=session.window,
        gone=len(left.gone),
        gone_chars=chars(session, left.gone),
        rules_lost=rules_lost(session, left),
        before=before,
        after=after,
    )


def rules_lost(session: Session, left: Left) -> int | None:
    """Count the standing rules that are not there any more; None where that cannot be read."""
    if left.post is None or left.one.opaque:
        return None
    one = crossed(messages(session, left.pre), messages(session, left.post), "summarise")
    return sum(1 for _ in constraint_lost.check(one))


def length_at(walked: Sequence[Step], place: int) -> int:
    """Return how many calls before and after a place can be held against each other."""
    return min(STRETCH, place // (BACK + 1), len(walked) - place)


def sides(walked: Sequence[Step], place: int, length: int) -> tuple[Again, Again]:
    """Return what was done again in the stretch before a place, and in the one after it.

    Each is held against as many calls before it, so that a session's length makes no difference.
    """
    begin, back = place - length, BACK * length
    before = again(walked[begin - back : begin], walked[begin:place])
    return before, again(walked[place - back : place], walked[place : place + length])


def fill_at(trail: Trail, place: int) -> int | None:
    """Return the tokens of the context at the last call before a place."""
    return trail.steps[place - 1].tokens if place else None


def compared(rows: Sequence[Row]) -> Compared:
    """Return whether compactions made it worse, clustered by session."""
    by_session: dict[str, list[float]] = {}
    for one in rows:
        if one.change is not None and one.expected is not None:
            by_session.setdefault(one.session, []).append(one.change - one.expected)
    clusters = list(by_session.values())
    usable = sum(map(len, clusters))
    interval = None
    verdict: Verdict = "cannot tell"
    if len(clusters) >= LEAST_SESSIONS:
        interval = cluster_mean(clusters, unit="sessions")
        verdict = judged(interval)
    return Compared(
        verdict=verdict, rows=len(rows), usable=usable, sessions=len(clusters), interval=interval
    )


def judged(interval: Interval) -> Verdict:
    """Return what an interval says: worse above nothing, not worse below what matters."""
    if interval.low > 0:
        return "worse"
    return "not worse" if interval.high < MARGIN else "cannot tell"
