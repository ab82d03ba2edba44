"""How long the results are that the model was given, by tool: a limit shows as a peak."""

from collections import Counter
from dataclasses import dataclass, field

from ullage.checks.measure import Run


@dataclass(slots=True, kw_only=True)
class Lengths:
    """The lengths of one tool's delivered results, in characters.

    `known` counts those of which it is known what was produced; `cut` are the lengths of those of
    them that lost something.
    """

    all: Counter[int] = field(default_factory=Counter)
    cut: Counter[int] = field(default_factory=Counter)
    known: int = 0


@dataclass(slots=True)
class ByTool:
    """Takes in runs one at a time; keeps lengths."""

    tools: dict[str, Lengths] = field(default_factory=dict)

    def take(self, run: Run) -> None:
        """Take in one run; a ledger without texts still knows the lengths of what was recorded."""
        if not run.sessions:
            for one in run.measurement.results:
                if one.delivered_chars is not None:
                    lost = one.arrival is not None and one.arrival.lost
                    self.add(one.tool, one.delivered_chars, known=True, lost=lost)
        for session in run.sessions:
            for result in session.results:
                if result.counted:
                    found = result.measured.arrival if result.measured is not None else None
                    self.add(
                        result.tool,
                        len(result.text),
                        known=found is not None,
                        lost=found is not None and found.lost,
                    )

    def add(self, tool: str, length: int, *, known: bool, lost: bool) -> None:
        """Take in one result."""
        of = self.tools.setdefault(tool, Lengths())
        of.all[length] += 1
        of.known += known
        if lost:
            of.cut[length] += 1
