"""Faults by kind: said when a kind is new, then at ten times as many, so never once a request."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

Report = Callable[[str], None]
"""Gets one sentence for people, in whichever thread it comes up; it must not raise."""

MORE = 10


@dataclass(slots=True)
class _Kind:
    count: int = 0
    said: int = 0


@dataclass(slots=True)
class Tally:
    """Counts faults. `total` is how many there were, of all kinds."""

    report: Report
    total: int = 0
    _kinds: dict[str, _Kind] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, kind: str, sentence: str | None = None) -> None:
        """Count a fault; `sentence` is what is said of the first of its kind, else the kind."""
        with self._lock:
            self.total += 1
            found = self._kinds.setdefault(kind, _Kind())
            found.count += 1
            due = found.count >= found.said * MORE
            if due:
                found.said = found.count
            count = found.count
        if due:
            self.report(sentence or kind if count == 1 else _so_far(kind, count))

    def close(self) -> None:
        """Say the last count of every kind of which there were more than was said."""
        with self._lock:
            left = [(kind, one.count) for kind, one in self._kinds.items() if one.count > one.said]
            self._kinds.clear()
        for kind, count in left:
            self.report(_so_far(kind, count))


def _so_far(kind: str, count: int) -> str:
    return f"{kind} ({count} times so far)"
