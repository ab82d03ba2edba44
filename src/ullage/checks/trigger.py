"""What makes the difference between the cases that pass and those that fail."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

ALIKE = 0.1
"""Characters that were seen in several cells are the same limit within this share: it need not
fall between two records."""


class Case(Protocol):
    """One case: how large it was, and how many of its records were seen."""

    @property
    def records(self) -> int:
        """How many there are to see."""
        ...

    @property
    def turns(self) -> int:
        """Earlier turns."""
        ...

    @property
    def tool_calls(self) -> int:
        """Further tool calls."""
        ...

    @property
    def data_chars(self) -> int:
        """Characters of the records."""
        ...

    @property
    def chars(self) -> int:
        """Characters of everything."""
        ...

    @property
    def least(self) -> int:
        """How many records were seen."""
        ...

    @property
    def whole(self) -> bool:
        """Whether all were."""
        ...

    @property
    def stable(self) -> bool:
        """Whether every repeat saw as many."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """The measure that fits best; `also` are others that fit as well.

    `passed` is the largest value of a case that passed, `failed` the smallest of one that failed;
    None where there is none, or where no measure alone fits.
    """

    measure: str
    passed: int | None
    failed: int | None
    text: str
    also: tuple[str, ...] = ()

    @property
    def is_history(self) -> bool:
        """Whether it is the length of the history, and not the size of the data."""
        return self.measure in OF_HISTORY

    def to_dict(self) -> dict[str, object]:
        """Return the members of a document."""
        return {
            "measure": self.measure,
            "passed": self.passed,
            "failed": self.failed,
            "also": list(self.also),
            "text": self.text,
        }


MEASURES: Mapping[str, Callable[[Case], int]] = {
    "turns": lambda case: case.turns,
    "tool calls": lambda case: case.tool_calls,
    "messages": lambda case: 2 * (case.turns + case.tool_calls),
    "records": lambda case: case.records,
    "characters of the records": lambda case: case.data_chars,
    "characters in all": lambda case: case.chars,
}
"""The first that fits is named: a limit of turns is one of messages too, but not the other way."""

OF_DATA = ("records", "characters of the records")
OF_HISTORY = ("turns", "tool calls", "messages", "characters in all")
UNEQUAL = "the same case gave other counts when it was repeated"
UNKNOWN = "none of turns, tool calls, messages, records and characters explains it alone"


def trigger(cases: Sequence[Case]) -> Trigger:
    """Return the measure by which the failing cases are larger than all that pass."""
    failing = [one for one in cases if not one.whole]
    if not any(one.stable for one in failing):
        return Trigger(measure="unstable", passed=None, failed=None, text=UNEQUAL)
    passing = [one for one in cases if one.whole]
    # A cut to a size leaves the beginning; where nothing is left, a message was dropped whole.
    gone = all(one.least == 0 for one in failing)
    order = dict.fromkeys((*OF_HISTORY, *MEASURES)) if gone else MEASURES
    fitting = [name for name in order if separates(name, passing, failing)]
    seen = capped(failing)
    if seen and (not fitting or fitting[0] in OF_DATA):
        fitting = [seen, *(name for name in fitting if name != seen)]
    if not fitting:
        return Trigger(measure="unknown", passed=None, failed=None, text=alone(passing, failing))
    first, *rest = fitting
    passed = max((MEASURES[first](one) for one in passing), default=None)
    failed = min(MEASURES[first](one) for one in failing)
    return Trigger(
        measure=first,
        passed=passed,
        failed=failed,
        text=limits(first, passed, failed) + cap(first, failing, seen) + others(rest),
        also=tuple(rest),
    )


def separates(name: str, passing: Sequence[Case], failing: Sequence[Case]) -> bool:
    """Whether every failing case is larger than every passing one."""
    value = MEASURES[name]
    return bool(passing) and min(map(value, failing)) > max(map(value, passing))


def capped(failing: Sequence[Case]) -> str | None:
    """Return whether the failing cases saw equally many records, or equally many characters.

    None where they saw nothing, or where one size cannot be told from the other.
    """
    if len(failing) < 2 or not all(one.least for one in failing):
        return None
    counts = {one.least for one in failing}
    characters = [characters_seen(one) for one in failing]
    one_record = max(one.data_chars / one.records for one in failing)
    alike = max(characters) - min(characters) <= max(ALIKE * max(characters), one_record)
    if (len(counts) == 1) == alike:
        return None
    return "characters of the records" if alike else "records"


def characters_seen(case: Case) -> int:
    """Return how many characters of the records were seen, about."""
    return round(case.data_chars * case.least / case.records)


def limits(name: str, passed: int | None, failed: int) -> str:
    """Return between which values the limit is."""
    if passed is None:
        return f"{name}: every case failed, the smallest with {failed}"
    if passed < failed:
        return f"{name}: up to {passed} every case passed, from {failed} on every case failed"
    return name


def cap(name: str, failing: Sequence[Case], seen: str | None) -> str:
    """Return how many got through, where that is the same for all."""
    if name != seen:
        return ""
    if name == "records":
        return f"; {failing[0].least} records get through"
    return f"; about {max(characters_seen(one) for one in failing)} characters get through"


def others(rest: Sequence[str]) -> str:
    """Name what fits as well."""
    return f" ({', '.join(rest)} would fit as well)" if rest else ""


def alone(passing: Sequence[Case], failing: Sequence[Case]) -> str:
    """Say what the smallest failing case has more of than a passing one that is like it else."""
    if not passing:
        return "every case failed; add a smaller one to see what makes the difference"
    first = min(failing, key=lambda one: (one.records, one.turns, one.tool_calls))
    axes = ("records", "turns", "tool_calls")
    more = [axis for axis in axes if any(is_below(one, first, axis, axes) for one in passing)]
    words = " or ".join(one.replace("_", " ") for one in more)
    return f"{UNKNOWN}; the smallest that failed passes with fewer {words}" if more else UNKNOWN


def is_below(one: Case, first: Case, axis: str, axes: Sequence[str]) -> bool:
    """Whether a case has less of one axis and as much of the others."""
    return getattr(one, axis) < getattr(first, axis) and all(
        getattr(one, other) == getattr(first, other) for other in axes if other != axis
    )
