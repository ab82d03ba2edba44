"""What compactions cost: one row each, held against like stretches that had none.

Observational: nobody chose at random where to compact. A stretch of the same session, or of the
same agent, at about the same fill of the window is the best that a transcript has.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Literal

from ullage.checks import constraint_lost
from ullage.checks.crossed import crossed
from ullage.checks.left import Left, chars, compactions, messages, tokens_before
from ullage.checks.session import Session
from ullage.checks.steps import Again, Step, steps
from ullage.checks.stretches import BACK, STRETCH, Packed, Pools, Trail, length_at, sides
from ullage.stats.cluster import cluster_mean
from ullage.stats.interval import Interval
from ullage.transcript.finding import Source
from ullage.transcript.transcript import Act

LEAST = 5
"""Fewer on either side say nothing."""
MARGIN = 1.0
"""Less than so many more repeats in a stretch is no harm that anybody would notice."""
LEAST_SESSIONS = 6
"""Five sessions that all go one way still have an exact two-sided p of 0.0625; six have 0.031."""

Verdict = Literal["worse", "not worse", "cannot tell"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One compaction: its size, and what was done again before and after it.

    `gone` counts the messages that left, `rules_lost` the standing rules that did. `stated`,
    `rules` and `tier` are those of the compaction: which of Ullage's rules took something out.
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
    stated: bool = False
    rules: tuple[str, ...] = ()
    tier: str | None = None
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
        entries = [one.entry for one in walked]
        places = [bisect_left(entries, left.one.at) for left in lefts]
        if len(walked) >= (BACK + 2) * LEAST or lefts:
            whole = session.transcript
            self.trails.append(
                Trail(
                    session=whole.session,
                    agent=whole.agent,
                    steps=Packed.of(walked),
                    places=sorted(places),
                )
            )
        number = len(self.trails) - 1
        for left, place in zip(lefts, places, strict=True):
            self.rows.append((number, place, row(session, left, walked, place)))

    def done(self) -> list[Row]:
        """Return the rows, each with what was to be expected without a compaction."""
        pools = Pools(self.trails)
        found = []
        for number, place, one in self.rows:
            trail = self.trails[number]
            changes = pools.matches(trail, place) if one.change is not None else []
            expected = fmean(changes) if changes else None
            found.append(replace(one, expected=expected, matched=len(changes)))
        return found


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
        stated=left.one.stated,
        rules=left.one.rules,
        tier=left.one.tier,
    )


def rules_lost(session: Session, left: Left) -> int | None:
    """Count the standing rules that are not there any more; None where that cannot be read."""
    if left.post is None or left.one.opaque:
        return None
    one = crossed(messages(session, left.pre), messages(session, left.post), "summarise")
    return sum(1 for _ in constraint_lost.check(one))


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
