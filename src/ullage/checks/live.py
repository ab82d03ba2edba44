"""A ledger while it is being written: what is new is read, a little at a time."""

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from ullage.checks.live_figures import (
    NEWEST,
    Fill,
    Noticed,
    RunFigures,
    ToolArrival,
    figures_of,
)
from ullage.checks.live_run import MINUTE, LiveRun
from ullage.checks.measure import Run
from ullage.checks.measured import Requests
from ullage.checks.recalled import recalled
from ullage.checks.remembered import remembered
from ullage.checks.requests import all_requests
from ullage.errors import LedgerError
from ullage.ledger import measurements, query
from ullage.ledger.history import Shortened, shortened
from ullage.ledger.news import (
    Reason,
    last_reason,
    last_rows,
    newest_run,
    news,
    recent_beside,
    runs_there,
    waiting,
)
from ullage.ledger.store import Ledger
from ullage.transcript.words import Severity

Since = Literal["now", "all"]
"""Which runs are shown: those of the last hour and all that come, or every run there is."""

RECENT = 3600.0
"""Seconds: runs that were written to since then are read with `now`."""
MOST_RUNS = 200
IDLE = 600.0
"""Seconds without a record after which a run's texts are let go; it is read again if it goes on."""
SHARE = 10
"""A measurement that took long is followed by a pause of so many times as long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is known of a ledger at one moment, without texts.

    `at` is that moment in seconds since the epoch (UTC); `minute` counts the requests that ended in
    the minute before it. `tools` are those with the most calls first. `older` are the runs that are
    not shown, `gone` those that were taken out meanwhile. `reading` says that the look ended before
    all was read; `left` requests out of `there` were not. `behind` says for how many seconds what
    arrived has not been measured again although there are new records; 0 where it has.
    """

    path: str
    at: float
    runs: Sequence[str]
    older: int
    gone: int
    reading: bool
    left: int
    there: int
    behind: float
    requests: Requests
    minute: int
    newest: Sequence[Fill]
    tools: Sequence[ToolArrival]
    delivered_results: int
    unknown: int
    not_recorded: int
    why_not: str | None
    findings: Sequence[Noticed]
    severities: Counter[Severity]
    shortened: Shortened = field(default_factory=Shortened)


@dataclass(slots=True)
class Shown:
    """One run: what it is read into, None after its texts were let go, and its figures."""

    live: LiveRun | None = None
    figures: RunFigures | None = None
    why_not: Reason | None = None
    measured: float = 0.0
    not_before: float = 0.0
    stale: bool = True


class Watching:
    """Follows one ledger; only what is new is read at each look.

    `run` is the one that is shown, else `since` says which. `timer` gives seconds of any origin.
    """

    def __init__(
        self, ledger: Ledger, *, run: str | None, since: Since, timer: Callable[[], float]
    ) -> None:
        self._ledger = ledger
        self._run, self._since, self._timer = run, since, timer
        self._place = place_of(ledger)
        self._marks = last_rows(ledger.session)
        self._shown: dict[str, Shown] = {}
        self._waiting: dict[str, None] = {}
        self._left: dict[str, int] = {}
        self._gone = 0
        self._older = 0
        self._begun = False

    def look(self, now: float, enough: Callable[[], bool] = lambda: False) -> View:
        """Read what is new until it is `enough`, and return what is known; `now` is the time.

        Raises LedgerError where the ledger is gone, or can no longer be read.
        """
        if place_of(self._ledger) != self._place:
            raise LedgerError(
                f"{self._ledger.path} was replaced by another file while it was watched: start "
                "ullage watch again"
            )
        if not self._begun:
            self._begin(now)
        else:
            self._take_news()
        self._read(now, enough)
        for run in reversed(list(self._shown)):
            self._settle(run, now)
            if enough():
                break
        return self._view(now)

    def _begin(self, now: float) -> None:
        self._begun = True
        there = runs_there(self._ledger.session)
        wanted = set(there) & set(self._wanted(there, now))
        self._older = len(there) - len(wanted) if self._run is None else 0
        # What was asked last is read first; the last one that is put in is the first one out.
        for run in reversed([one for one in there if one in wanted]):
            self._await(run)

    def _wanted(self, there: Sequence[str], now: float) -> Iterable[str]:
        if self._run is not None:
            return [self._run]
        if self._since == "all":
            return there
        session = self._ledger.session
        asked = self._ledger.recent_runs(now - RECENT, most=MOST_RUNS)
        recent = [run for run, _ in asked] + recent_beside(session, now - RECENT)
        newest = newest_run(session)
        return recent or ([] if newest is None else [newest])

    def _take_news(self) -> None:
        found = news(self._ledger.session, self._marks)
        self._marks = found.marks
        for run in found.gone:
            self._gone += self._shown.pop(run, None) is not None
            self._waiting.pop(run, None)
            self._left.pop(run, None)
        for run in sorted(found.runs):
            if self._run is None or run == self._run:
                self._await(run)
                self._read_again(run, found.handed.get(run, ()))

    def _await(self, run: str) -> None:
        shown = self._shown.setdefault(run, Shown())
        if shown.live is None:
            shown.live = LiveRun(run=run, path=str(self._ledger.path))
        shown.stale = True
        self._waiting.pop(run, None)
        self._waiting[run] = None
        self._left[run] = waiting(self._ledger.session, run, shown.live.exchange)

    def _read_again(self, run: str, results: Iterable[int]) -> None:
        """Read results of which it was said only now what was handed on."""
        live = self._shown[run].live
        for number in results:
            if live is not None and number <= live.result:
                one = query.result(self._ledger.session, self._ledger.scrubber, number)
                if one is not None:
                    live.add_result(one)

    def _read(self, now: float, enough: Callable[[], bool]) -> None:
        while self._waiting:
            run = next(reversed(self._waiting))
            shown = self._shown[run]
            if shown.live is None or not self._read_run(shown.live, enough):
                return
            self._waiting.pop(run)
            self._left.pop(run)
            shown.live.not_recorded = self._ledger.faults(run)
            if shown.live.not_recorded:
                shown.why_not = last_reason(self._ledger.session, run)
            self._settle(run, now)  # so that no more runs are held than are being written

    def _read_run(self, live: LiveRun, enough: Callable[[], bool]) -> bool:
        """Read what is new of one run; return whether that was all of it."""
        # What was produced first: it is written before the request that carries it.
        for step in self._ledger.steps(live.run, after=live.step):
            live.add_step(step)
        for result in self._ledger.results(live.run, after=live.result):
            live.add_result(result)
            if enough():
                return False
        for exchange in self._ledger.exchanges(live.run, after=live.exchange):
            live.add_exchange(exchange)
            self._left[live.run] = max(0, self._left[live.run] - 1)
            if enough():
                return False
        return True

    def _settle(self, run: str, now: float) -> None:
        """Measure a run that is read and has changed, and let go of one that has ended.

        One that took long is measured less often.
        """
        one = self._shown[run]
        if one.live is None or run in self._waiting:
            return
        begun = self._timer()
        if one.stale and begun >= one.not_before:
            one.figures = self._figures(one.live)
            one.stale, one.measured = False, now
            took = self._timer() - begun
            one.not_before = begun + took * (1 + SHARE * self._held())
        if not one.stale and now - one.live.last > IDLE:
            one.live = None  # its figures stay

    def _held(self) -> int:
        return sum(one.live is not None for one in self._shown.values())

    def _figures(self, live: LiveRun) -> RunFigures:
        known = recalled(self._ledger, live.run) if live.reduced else None
        if known is None:
            return live.figures()
        return figures_of(
            Run(measurement=known, sessions=()),
            last=live.last,
            minute=tuple(live.minute),
            newest=self._remembered(live),
            ended=live.ended,
            made={number: one.at for number, one in live.stored.items()},
        )

    def _remembered(self, live: LiveRun) -> Sequence[Fill]:
        """Return the fill of requests without bodies, by what was read of them before."""
        kept = measurements.figures(self._ledger.session, live.run)
        found = []
        for number in sorted(live.ended, reverse=True):
            if number not in kept:
                continue
            one = remembered(kept[number])
            if one.read.kind == "turn":
                tokens = one.read.tokens
                found.append(
                    Fill(
                        number=number,
                        run=live.run,
                        agent=None,
                        ended=live.ended[number],
                        model=one.read.model,
                        tokens=None if tokens is None else tokens.tokens,
                        by=None if tokens is None else tokens.method,
                        window=None if tokens is None else tokens.window,
                        failed=one.failed is not None,
                    )
                )
            if len(found) == NEWEST:
                break
        return found

    def _view(self, now: float) -> View:
        each = [one.figures for _, one in sorted(self._shown.items()) if one.figures is not None]
        tools: dict[str, ToolArrival] = {}
        for arrived in (tool for one in each for tool in one.tools):
            before = tools.get(arrived.tool, ToolArrival(tool=arrived.tool))
            tools[arrived.tool] = before.plus(arrived)
        late = [one for one in self._shown.values() if one.stale and one.figures is not None]
        reasons = [one.why_not for one in self._shown.values() if one.why_not is not None]
        left = sum(self._left.values())
        newest = heapq.merge(
            *(one.newest for one in each), key=lambda one: one.number, reverse=True
        )
        noticed = heapq.merge(*(one.findings for one in each), key=lambda n: n.order, reverse=True)
        return View(
            path=str(self._ledger.path),
            at=now,
            runs=[one.run for one in sorted(each, key=lambda one: -one.last)],
            older=self._older,
            gone=self._gone,
            reading=bool(self._waiting),
            left=left,
            there=left + sum(map(requests_read, self._shown.values())),
            behind=max((now - one.measured for one in late), default=0.0),
            requests=all_requests([one.requests for one in each]),
            minute=sum(at > now - MINUTE for one in each for at in one.minute),
            newest=list(islice(newest, NEWEST)),
            tools=sorted(tools.values(), key=lambda one: (-one.calls, one.tool)),
            delivered_results=sum(one.delivered_results for one in each),
            unknown=sum(one.unknown for one in each),
            not_recorded=sum(one.not_recorded for one in each),
            why_not=max(reasons).what if reasons else None,
            findings=list(islice(noticed, NEWEST)),
            severities=sum((one.severities for one in each), Counter()),
            shortened=shortened(self._ledger.session, [one.run for one in each]),
        )


def requests_read(one: Shown) -> int:
    """Return how many requests of a run are read."""
    if one.live is not None:
        return one.live.going.counts["all"]
    return 0 if one.figures is None else one.figures.requests.all


def place_of(ledger: Ledger) -> tuple[int, int]:
    """Return which file a ledger's name is now. Raises LedgerError where it is gone."""
    try:
        found = ledger.path.stat()
    except OSError as error:
        raise LedgerError(
            f"{ledger.path} is gone: {error.strerror}: it was removed or moved while it was watched"
        ) from error
    return found.st_dev, found.st_ino
