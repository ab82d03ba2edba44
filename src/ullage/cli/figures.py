"""What arrived of recent results, for a proxy's metrics: `python -m ullage.cli.figures LEDGER`.

A process of its own, so that measuring takes nothing from the process that relays. It prints one
JSON document, which `ullage.cli.gauge` reads.
"""

import os
import sys
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from ullage.checks.measure import measure
from ullage.checks.measured import Measured
from ullage.errors import LedgerError
from ullage.ledger.records import StoredExchange
from ullage.ledger.store import Ledger
from ullage.tap.proxy.figures import Arrivals, ToolFigures
from ullage.transcript.served import Label
from ullage.transcript.words import Boundary
from ullage.wire.failures import REFUSED
from ullage.wire.readers import reader_of

WINDOW = 3600.0
"""Seconds: runs that asked since then are measured."""

MOST_RUNS = 200
MOST_EXCHANGES = 500
MOST_LABELS = 50
OTHER = "other"


def main() -> None:
    """Print the figures of one ledger as a JSON document."""
    with suppress(OSError, AttributeError):  # not on Windows
        os.nice(19)
    try:
        with closing(Ledger.read(Path(sys.argv[1]))) as ledger:
            found = figures(ledger, time.time())
    except LedgerError as error:
        sys.exit(str(error))
    sys.stdout.buffer.write(msgspec.json.encode(found))


def figures(ledger: Ledger, now: float) -> Arrivals:
    """Measure the runs that asked in the last hour, the 200 latest, up to 500 exchanges each."""
    runs = ledger.recent_runs(now - WINDOW, most=MOST_RUNS + 1)
    small = [run for run, count in runs[:MOST_RUNS] if count <= MOST_EXCHANGES]
    tally = Tally()
    for run in small:
        tally.add_run(ledger, run)
    return Arrivals(
        at=now,
        runs=len(small),
        skipped=len(runs) - len(small),
        tools=tally.figures(),
        served_short=dict(tally.served_short),
    )


@dataclass(slots=True)
class Sums:
    """The sums of one tool at one agent."""

    results: int = 0
    joined: int = 0
    broken: int = 0
    produced: int = 0
    delivered: int = 0
    lost_at: Counter[Boundary] = field(default_factory=Counter)

    def add(self, one: Measured) -> None:
        """Take in one result."""
        self.results += 1
        if one.arrival is None:
            return
        self.joined += 1
        self.broken += one.arrival.valid is False
        self.produced += one.arrival.records.produced
        self.delivered += one.arrival.records.delivered
        if one.boundary is not None:
            self.lost_at[one.boundary] += 1

    def merge(self, other: "Sums") -> None:
        """Take in other sums."""
        self.results += other.results
        self.joined += other.joined
        self.broken += other.broken
        self.produced += other.produced
        self.delivered += other.delivered
        self.lost_at.update(other.lost_at)


class Tally:
    """Sums over runs, by tool and agent."""

    def __init__(self) -> None:
        self.served_short: Counter[str] = Counter()
        self._sums: dict[tuple[str, str], Sums] = {}

    def add_run(self, ledger: Ledger, run: str) -> None:
        """Take in one run."""
        agents: dict[int | None, str] = {}
        for exchange in ledger.exchanges(run):
            agents[exchange.number] = agent_of(exchange)
            why = shortfall(exchange)
            if why is not None:
                self.served_short[why] += 1
        for one in measure(ledger, run).results:
            key = (one.tool, agents.get(one.exchange, ""))
            self._sums.setdefault(key, Sums()).add(one)

    def figures(self) -> list[ToolFigures]:
        """Return the sums of the commonest tools and agents; those of the others together."""
        tools = commonest({tool: sums.results for (tool, _), sums in self._sums.items()})
        agents = commonest({agent: sums.results for (_, agent), sums in self._sums.items()})
        shown: dict[tuple[str, str], Sums] = {}
        for (tool, agent), sums in self._sums.items():
            key = (tool if tool in tools else OTHER, agent if agent in agents else OTHER)
            shown.setdefault(key, Sums()).merge(sums)
        return [
            ToolFigures(
                tool=tool,
                agent=agent,
                results=sums.results,
                joined=sums.joined,
                broken=sums.broken,
                produced=sums.produced,
                delivered=sums.delivered,
                lost_at=dict(sums.lost_at),
            )
            for (tool, agent), sums in sorted(shown.items())
        ]


def commonest(counts: Mapping[str, int]) -> set[str]:
    """Return the names that get a label of their own."""
    return {name for name, _ in Counter(counts).most_common(MOST_LABELS)}


def agent_of(exchange: StoredExchange) -> str:
    """Return the agent that an exchange's tag names; the empty text where it names none."""
    return exchange.agent or ""


def shortfall(exchange: StoredExchange) -> Label | None:
    """Say how a model's reply ended that is not complete; None for one that is, and for others.

    The check `served-short` is about prompts; those about replies are the `output-…` ones. Where
    bodies are not kept, nothing is known but that the connection broke.
    """
    if exchange.status is None or exchange.status >= REFUSED:
        return None
    reader = reader_of(exchange.path)
    if reader is None or reader.kind != "turn":
        return None
    if exchange.error is not None:
        return "broken-stream"
    if exchange.keep != "full":
        return None
    return reader.read_reply(exchange.response_body or b"").shortfall


if __name__ == "__main__":
    main()
