"""One run while it is being written: what is known after the records so far.

A fold over new records; nothing is read here. The figures are those that `measure` gives for the
same records, in whatever portions these came.
"""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ullage.arrivals.sighting import Sighting
from ullage.checks.live_figures import NEWEST, Fill, RunFigures, figures_of, fill
from ullage.checks.measure import Run, measured, measured_run
from ullage.checks.measured import Measured
from ullage.checks.requests import Going
from ullage.checks.sent import Sent
from ullage.ledger.records import StoredExchange, StoredResult, StoredStep
from ullage.sources.ledger import exchange_of
from ullage.wire.exchange import Exchange

MINUTE = 60.0
"""Seconds: requests that ended so long ago are counted."""


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
