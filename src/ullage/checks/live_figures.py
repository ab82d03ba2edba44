"""What is shown of one run that is followed: figures without texts, and how they are made."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.checks.measure import Run
from ullage.checks.measured import Measured, Requests
from ullage.checks.run import GATHERERS, run_checks, session_findings
from ullage.checks.session import Session
from ullage.counting.models import window_of
from ullage.ledger.records import StoredExchange
from ullage.transcript.finding import Finding
from ullage.transcript.words import Severity
from ullage.wire.budget_table import budget_table
from ullage.wire.exchange import Exchange

NEWEST = 20
"""Requests whose fill is known, and findings that are kept, of each run: the newest."""

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
