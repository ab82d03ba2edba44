"""One run while it is being written: what is known after the records so far.

A fold over new records; nothing is read here. The figures are those that `measure` gives for the
same records, in whatever portions these came.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ullage.arrivals.sighting import Sighting
from ullage.checks.measure import Run, measured, measured_run
from ullage.checks.measured import Measured, Requests
from ullage.checks.requests import Going
from ullage.checks.run import GATHERERS, run_checks, session_findings
from ullage.checks.sent import Sent
from ullage.checks.session import Session
from ullage.counting.models import window_of
from ullage.ledger.records import StoredExchange, StoredResult, StoredStep
from ullage.sources.ledger import exchange_of
from ullage.transcript.finding import Finding
from ullage.transcript.words import Severity
from ullage.wire.budget_table import budget_table
from ullage.wire.exchange import Exchange

NEWEST = 20
"""Requests whose fill is known, and findings that are kept, of each run: the newest."""
MINUTE = 60.0

By = Literal["reported", "exact", "estimate"]
"""Who counted the tokens of a prompt: the provider, or we, exactly or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """How full the window was at one request.

    `tokens` are those of the prompt, None where it cannot be read; `window` is None where none is
    published for the model. `ended` in seconds since the epoch (UTC).
    """

    number: int
    run: str
    agent: str | None
    ended: float
    model: str | None
    tokens: int | None
    by: By | None
    window: int | None
    failed: bool

    @property
    def share(self) -> float | None:
        """The filled share of the window; None where either figure is unknown."""
        if self.tokens is None or self.window is None:
            return None
        return self.tokens / self.window


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolArrival:
    """What arrived of one tool's results.

    `calls` are its results, `seen` those that a request carried, `cut` those of them of which
    something is missing, `broken` those that are no longer the syntax they were. `records` are
    those of the seen ones, `arrived` the whole ones that got there.
    """

    tool: str
    calls: int = 0
    seen: int = 0
    cut: int = 0
    broken: int = 0
    records: int = 0
    arrived: int = 0

    def plus(self, other: "ToolArrival") -> "ToolArrival":
        """Return both together."""
        return ToolArrival(
            tool=self.tool,
            calls=self.calls + other.calls,
            seen=self.seen + other.seen,
            cut=self.cut + other.cut,
            broken=self.broken + other.broken,
            records=self.records + other.records,
            arrived=self.arrived + other.arrived,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """A finding, and when what it is about went over the wire (seconds since the epoch)."""

    at: float
    finding: Finding

    @property
    def order(self) -> tuple[float, str]:
        """What the newest is told by; equal times are in the order of the checks' names."""
        return self.at, self.finding.check


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFigures:
    """What is shown of one run, without texts.

    `findings` are the newest ones, newest first; `severities` counts all of them. `last` is the
    time of its last record, `minute` holds when the requests of its last minute ended.
    """

    run: str
    last: float
    requests: Requests
    minute: Sequence[float]
    newest: Sequence[Fill]
    tools: Sequence[ToolArrival]
    delivered_results: int
    unknown: int
    not_recorded: int
    findings: Sequence[Noticed]
    severities: Counter[Severity]


@dataclass(slots=True)
class LiveRun:
    """What is known of one run, and up to which record of each table."""

    run: str
    path: str
    going: Going = field(default_factory=Going)
    stored: dict[int, StoredResult] = field(default_factory=dict)
    drops: Counter[str] = field(default_factory=Counter)
    exchange: int = 0
    result: int = 0
    step: int = 0
    not_recorded: int = 0
    last: float = 0.0
    reduced: bool = False
    ended: dict[int, float] = field(default_factory=dict)
    minute: deque[float] = field(default_factory=deque)
    asked: deque[tuple[StoredExchange, Exchange] | Fill] = field(
        default_factory=lambda: deque(maxlen=NEWEST)
    )
    memory: dict[int, tuple[tuple[object, ...], Measured]] = field(default_factory=dict)

    def add_exchange(self, one: StoredExchange) -> None:
        """Take in one exchange; only the newest bodies are kept, until they are counted."""
        self.exchange, self.last = one.number, max(self.last, one.ended)
        self.reduced |= one.keep != "full"
        self.ended[one.number] = one.ended
        self.minute.append(one.ended)
        while self.minute[0] < self.minute[-1] - MINUTE:
            self.minute.popleft()
        exchange = exchange_of(one, self.path)
        self.going.add(exchange)
        if exchange.kind == "turn":
            bare = replace(one, request_body=b"", response_body=None)
            self.asked.append((bare, exchange))

    def add_result(self, one: StoredResult) -> None:
        """Take in one result, or again one of which more is known."""
        self.result, self.last = max(self.result, one.number), max(self.last, one.at)
        self.reduced |= one.keep != "full"
        self.stored[one.number] = one

    def add_step(self, one: StoredStep) -> None:
        """Take in one declared step."""
        self.step, self.last = one.number, max(self.last, one.at)
        self.drops.update(one.dropped)

    def measured(self) -> Run:
        """Join and measure what is there; what is as it was last time is not compared again."""
        stored = [self.stored[number] for number in sorted(self.stored)]
        found = measured_run(
            self.run,
            self.going,
            stored,
            drops=self.drops,
            not_recorded=self.not_recorded,
            judge=self.remembered,
        )
        served = tuple(self.going.findings)
        return replace(found, measurement=replace(found.measurement, served=served))

    def remembered(
        self,
        result: StoredResult,
        produced: str,
        declared_drops: int,
        sighting: Sighting | None,
        sent: Sequence[Sent],
    ) -> Measured:
        """Measure one result, or give what it was measured as before from the same texts."""
        given = None
        if sighting is not None:
            given = sent[sighting.index].text[sighting.start : sighting.end]
        asked = (result, produced, declared_drops, given)
        known = self.memory.get(result.number)
        if known is None or known[0] != asked:
            found = measured(result, produced, declared_drops, sighting, sent)
            self.memory[result.number] = (asked, found)
            return found
        return replace(
            known[1],
            exchange=sent[sighting.index].exchange if sighting else None,
            certainty=sighting.certainty if sighting else None,
        )

    def fills(self) -> Sequence[Fill]:
        """Return the fill of the newest requests, the newest first; each is counted once."""
        for at, one in enumerate(self.asked):
            if not isinstance(one, Fill):
                self.asked[at] = fill(*one)
        return [one for one in reversed(self.asked) if isinstance(one, Fill)]

    def figures(self) -> RunFigures:
        """Return what is shown of the run now."""
        return figures_of(
            self.measured(),
            last=self.last,
            minute=tuple(self.minute),
            newest=self.fills(),
            ended=self.ended,
            made={number: one.at for number, one in self.stored.items()},
        )


def fill(stored: StoredExchange, one: Exchange) -> Fill:
    """Say how full the window was: by the provider's own count, else counted here."""
    request, reply = one.request, one.reply
    model = request.model if request is not None else None
    tokens, by = None, None
    usage = reply.usage if reply is not None else None
    # Of several passes the provider reports the sum, which is no prompt's size.
    if usage is not None and usage.input is not None and not usage.iterations:
        tokens, by = usage.input, "reported"
    elif request is not None and request.messages:
        counted = budget_table(one.body, model=model).count
        tokens, by = counted.tokens, counted.method
    return Fill(
        number=stored.number,
        run=stored.run,
        agent=stored.agent,
        ended=stored.ended,
        model=model,
        tokens=tokens,
        by=by,  # type: ignore[arg-type]  # mypy widens the words of `method` and ours to str
        window=None if model is None else window_of(model),
        failed=one.failure is not None,
    )


def figures_of(
    run: Run,
    *,
    last: float,
    minute: Sequence[float],
    newest: Sequence[Fill],
    ended: dict[int, float],
    made: dict[int, float],
) -> RunFigures:
    """Return the figures of a measured run; `ended` and `made` say when, by number."""
    found = run.measurement
    dated = dated_findings(run, ended, made)
    dated.sort(key=lambda one: one.order, reverse=True)
    return RunFigures(
        run=found.run,
        last=last,
        requests=found.requests,
        minute=minute,
        newest=newest,
        tools=tools_of(found.results),
        delivered_results=found.delivered_results,
        unknown=found.unknown,
        not_recorded=found.not_recorded,
        findings=dated[:NEWEST],
        severities=Counter(one.finding.severity for one in dated),
    )


def dated_findings(run: Run, ended: dict[int, float], made: dict[int, float]) -> list[Noticed]:
    """Return what all checks find in a run and in its sessions, each with its time."""
    found = run.measurement
    carried = {one.number: one.exchange for one in found.results}
    dated = [
        Noticed(at=time_of(one, carried, ended, made), finding=one) for one in run_checks(found)
    ]
    gatherers = [make() for make in GATHERERS.values()]
    end = 0.0
    for session in run.sessions:
        end = ended_last(session, ended)
        dated += [
            Noticed(at=time_of(one, carried, ended, made, end), finding=one)
            for one in session_findings(session)
        ]
        for gatherer in gatherers:
            gatherer.add(session)
    # Of this run by itself: a scan gathers over all that it reads.
    dated += [
        Noticed(at=time_of(one, carried, ended, made, end), finding=one)
        for gatherer in gatherers
        for one in gatherer.findings()
    ]
    return dated


def time_of(
    one: Finding,
    carried: dict[int, int | None],
    ended: dict[int, float],
    made: dict[int, float],
    end: float = 0.0,
) -> float:
    """Return when what a finding is about was sent; of what never was, when it was made.

    `end` is the time of one that is about a whole session.
    """
    result, exchange = one.evidence.get("result"), one.evidence.get("exchange")
    if exchange is None and isinstance(result, int):
        exchange = carried.get(result)
    if isinstance(exchange, int) and exchange in ended:
        return ended[exchange]
    return made.get(result, end) if isinstance(result, int) else end


def ended_last(session: Session, ended: dict[int, float]) -> float:
    """Return when the last request of a session ended."""
    times = [ended[one.exchange] for one in session.entries if one.exchange in ended]
    return max(times, default=0.0)


def tools_of(results: Iterable[Measured]) -> Sequence[ToolArrival]:
    """Return what arrived by tool, in the order of first appearance."""
    found: dict[str, ToolArrival] = {}
    for one in results:
        before = found.get(one.tool, ToolArrival(tool=one.tool))
        found[one.tool] = before.plus(tool_of(one))
    return list(found.values())


def tool_of(one: Measured) -> ToolArrival:
    """Return one result as the sums of a tool."""
    arrived = one.arrival
    if arrived is None:
        return ToolArrival(tool=one.tool, calls=1)
    return ToolArrival(
        tool=one.tool,
        calls=1,
        seen=1,
        cut=int(arrived.lost or one.shortened),
        broken=int(arrived.valid is False),
        records=arrived.records.produced,
        arrived=arrived.records.delivered,
    )
