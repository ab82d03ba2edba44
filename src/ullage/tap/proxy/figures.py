"""The figures that the proxy shows: its own counts, and what arrived of recent results."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ullage.tap.proxy.exposition import Metric
from ullage.tap.proxy.meters import Meters
from ullage.tap.proxy.recordings import Recordings
from ullage.tap.proxy.switch import Switch
from ullage.transcript.words import Boundary


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFigures:
    """What arrived of one tool's results at one agent.

    `joined` of the `results` were found in a request; `records` are those of them. `broken` have
    lost their syntax. `lost_at` counts the results that lost something, by the first boundary.
    """

    tool: str
    agent: str
    results: int = 0
    joined: int = 0
    broken: int = 0
    produced: int = 0
    delivered: int = 0
    lost_at: Mapping[Boundary, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """Figures of the runs that asked last: when they were measured, and over how many runs.

    `served_short` counts replies of a model that are not complete, by how they ended.
    """

    at: float
    runs: int
    skipped: int
    tools: Sequence[ToolFigures] = ()
    served_short: Mapping[str, int] = field(default_factory=dict)


LatestArrivals = Callable[[], Arrivals | None]
"""Gives the latest figures at once; None where nothing was measured yet."""


def counts(meters: Meters, switch: Switch, recordings: Recordings) -> list[Metric]:
    """Return what the proxy itself has counted."""
    return [
        Metric(
            name="ullage_requests_total",
            kind="counter",
            help="Requests relayed, by upstream prefix and status; 0: no reply.",
            values=[
                ({"upstream": upstream or "/", "status": str(status)}, count)
                for (upstream, status), count in sorted(meters.requests.items())
            ],
        ),
        by_upstream("ullage_request_bytes_total", "Bytes of request bodies.", meters.sent),
        by_upstream("ullage_reply_bytes_total", "Bytes of reply bodies.", meters.came),
        by_upstream(
            "ullage_broken_total", "Requests that failed or broke off, either end.", meters.broken
        ),
        Metric(
            name="ullage_refused_total",
            kind="counter",
            help="Requests that were not relayed, by why.",
            values=[({"why": why}, count) for why, count in sorted(meters.refused.items())],
        ),
        one("ullage_in_flight", "gauge", "Requests under way.", meters.in_flight),
        one("ullage_recorder_on", "gauge", "1 while exchanges are recorded.", switch.on),
        one(
            "ullage_recorder_passed_by_total",
            "counter",
            "Exchanges not recorded because the recorder was off.",
            switch.passed_by,
        ),
        one(
            "ullage_recorder_faults_total",
            "counter",
            "Records that were lost or are not whole.",
            recordings.faults,
        ),
        one(
            "ullage_recorder_queue",
            "gauge",
            "Records that are waiting to be written or being written.",
            recordings.waiting,
        ),
        Metric(
            name="ullage_added_seconds",
            kind="histogram",
            help="From the end of an upstream's reply to the end of ours: the wait for its record.",
            histogram=meters.added,
        ),
    ]


def arrived(latest: Arrivals | None, now: float) -> list[Metric]:
    """Return what arrived of recent results, as of the last measurement."""
    if latest is None:
        return []
    return [
        one(
            "ullage_arrival_age_seconds",
            "gauge",
            "How long ago the ullage_arrival_ figures were measured.",
            max(0.0, now - latest.at),
        ),
        one("ullage_arrival_runs", "gauge", "Runs that they are about.", latest.runs),
        one(
            "ullage_arrival_runs_skipped",
            "gauge",
            "Recent runs that were too large, or too many, to be measured.",
            latest.skipped,
        ),
        *by_tool(latest.tools),
        Metric(
            name="ullage_arrival_lost_results",
            kind="gauge",
            help="Results that lost something, by the first boundary that lost it.",
            values=[
                ({"tool": tool.tool, "agent": tool.agent, "boundary": boundary}, count)
                for tool in latest.tools
                for boundary, count in sorted(tool.lost_at.items())
            ],
        ),
        Metric(
            name="ullage_served_short",
            kind="gauge",
            help="Replies of a model in these runs that are not complete, by how they ended.",
            values=[({"why": why}, count) for why, count in sorted(latest.served_short.items())],
        ),
    ]


TOOL_METRICS: tuple[tuple[str, str, Callable[[ToolFigures], float]], ...] = (
    ("ullage_arrival_results", "Results that tools produced.", lambda one: one.results),
    ("ullage_arrival_joined", "Of them, those found in a request.", lambda one: one.joined),
    ("ullage_arrival_broken", "Of these, those without valid syntax.", lambda one: one.broken),
    ("ullage_arrival_records_produced", "Records in these.", lambda one: one.produced),
    ("ullage_arrival_records_delivered", "Of them, arrived whole.", lambda one: one.delivered),
)


def by_tool(tools: Sequence[ToolFigures]) -> Iterable[Metric]:
    """Give a metric for each figure of tools; rates are quotients of them."""
    for name, what, value in TOOL_METRICS:
        yield Metric(
            name=name,
            kind="gauge",
            help=what,
            values=[({"tool": tool.tool, "agent": tool.agent}, value(tool)) for tool in tools],
        )


def one(name: str, kind: str, what: str, value: float) -> Metric:
    """Return a metric of one value without labels."""
    return Metric(
        name=name, kind="gauge" if kind == "gauge" else "counter", help=what, values=[({}, value)]
    )


def by_upstream(name: str, what: str, counted: Mapping[str, int]) -> Metric:
    """Return a counter by the prefix of the upstream."""
    return Metric(
        name=name,
        kind="counter",
        help=what,
        values=[({"upstream": prefix or "/"}, count) for prefix, count in sorted(counted.items())],
    )
