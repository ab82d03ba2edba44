"""The recorder's switch: on and off while requests flow."""

from collections import Counter
from collections.abc import Callable, Mapping

from ullage.tap.proxy.meters import MOST_RUNS

Missed = Callable[[Mapping[str, int]], None]
"""Takes in how many exchanges of each run went by unrecorded, to note that in the ledger."""

OTHERS = "default"
"""The run that exchanges of too many runs to tell apart are counted under."""


def forget(_: Mapping[str, int]) -> None:
    """Note nothing."""


class Switch:
    """Says whether an exchange that starts now is recorded, and counts those that were not."""

    def __init__(self, *, on: bool, report: Callable[[str], None], missed: Missed = forget) -> None:
        self.on = on
        self.passed_by = 0
        """Exchanges of all times that went through while it was off."""
        self._report, self._note = report, missed
        self._missed: Counter[str] = Counter()

    def wanted(self, run: str) -> bool:
        """Return whether to record the exchange that starts now; one that is not is counted."""
        if not self.on:
            self.passed_by += 1
            known = run in self._missed or len(self._missed) < MOST_RUNS
            self._missed[run if known else OTHERS] += 1
        return self.on

    def turn(self, *, on: bool) -> None:
        """Switch, and say so; what started before goes on as it started."""
        if on == self.on:
            return
        self.on = on
        if on:
            self._report(f"recorder on; while it was off {went_by(self._missed.total())}")
            self.settle()
        else:
            self._report("recorder off: requests go through and are not recorded")

    def settle(self) -> None:
        """Have it noted what went by since the last time."""
        if self._missed:
            self._note(dict(self._missed))
            self._missed.clear()


def went_by(count: int) -> str:
    """Say how many exchanges went by unrecorded."""
    return f"{count} exchange{'' if count == 1 else 's'} went through unrecorded"
