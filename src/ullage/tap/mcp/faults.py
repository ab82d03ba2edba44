"""What was not recorded: said once a kind while it happens, with its count at the end."""

from collections import Counter
from collections.abc import Callable

Report = Callable[[str], None]


class Faults:
    """Counts by kind; `report` gets the first of each kind, and a sentence for each at the end."""

    def __init__(self, report: Report) -> None:
        self.counts: Counter[str] = Counter()
        self._report = report

    def add(self, kind: str, what: str = "", *, times: int = 1) -> None:
        """Count a fault; say it if it is the first of its kind."""
        if times and kind not in self.counts:
            self._report(f"{kind}: {what}" if what else kind)
        if times:
            self.counts[kind] += times

    def close(self) -> None:
        """Say how often each kind came, where that is not known yet."""
        for kind, count in self.counts.items():
            if count > 1:
                self._report(f"{kind}: {count} in all")
