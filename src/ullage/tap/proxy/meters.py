"""What the relay counts while it relays: plain numbers, a few nanoseconds each."""

from bisect import bisect_left
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from typing import Literal

Refusal = Literal["bad-target", "no-websocket", "no-upstream", "bad-token"]

MOST_RUNS = 10_000
BOUNDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5)
"""Upper bounds of the buckets, in seconds."""


class Histogram:
    """How many values lay below each bound, and their sum."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.sum = 0.0

    def add(self, value: float) -> None:
        """Take in one value."""
        self.counts[bisect_left(BOUNDS, value)] += 1
        self.sum += value


class RunCounts:
    """Requests by run, of the runs that asked last: a service sees new ones for ever."""

    def __init__(self, most: int = MOST_RUNS) -> None:
        self._counts: OrderedDict[str, int] = OrderedDict()
        self._most = most

    def add(self, run: str) -> None:
        """Count one request."""
        self._counts[run] = self._counts.pop(run, 0) + 1
        if len(self._counts) > self._most:
            self._counts.popitem(last=False)

    def counts(self) -> dict[str, int]:
        """Return the counts, the run that asked last at the end."""
        return dict(self._counts)


@dataclass(slots=True)
class Meters:
    """Counts since the start. `added` is what the proxy itself made a request wait.

    A request's key is the prefix of its upstream and the status of its reply; 0 stands for none.
    """

    runs: RunCounts = field(default_factory=RunCounts)
    requests: Counter[tuple[str, int]] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)
    came: Counter[str] = field(default_factory=Counter)
    refused: Counter[Refusal] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    in_flight: int = 0
    added: Histogram = field(default_factory=Histogram)
