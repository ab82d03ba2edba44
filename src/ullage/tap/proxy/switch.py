"""The recorder's switch: on and off while requests flow."""

from collections.abc import Callable


class Switch:
    """Says whether an exchange that starts now is recorded, and counts those that were not."""

    def __init__(self, *, on: bool, report: Callable[[str], None]) -> None:
        self.on = on
        self.passed_by = 0
        """Exchanges of all times that went through while it was off."""
        self._reported = 0
        self._report = report

    def wanted(self) -> bool:
        """Return whether to record the exchange that starts now; one that is not is counted."""
        self.passed_by += not self.on
        return self.on

    def turn(self, *, on: bool) -> None:
        """Switch, and say so; what started before goes on as it started."""
        if on == self.on:
            return
        self.on = on
        if on:
            self._report(f"recorder on; while it was off {self.missed()}")
        else:
            self._report("recorder off: requests go through and are not recorded")

    def missed(self) -> str:
        """Say how many exchanges went by unrecorded since this was last said."""
        count, self._reported = self.passed_by - self._reported, self.passed_by
        return f"{count} exchange{'' if count == 1 else 's'} went through unrecorded"
