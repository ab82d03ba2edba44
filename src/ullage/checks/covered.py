"""What a pipeline's model saw of the records it was to see, over a grid of cases."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.checks.trigger import Trigger, trigger
from ullage.transcript.finding import Finding
from ullage.transcript.words import Boundary

SHORT = "coverage-short"
UNSTABLE = "coverage-unstable"

LookedIn = Literal["last request", "any request", "returned"]
"""Where the ids were looked for: in what the model was sent last, in all that it was sent in the
case, or in what the pipeline returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One case of the grid: how large it is, and how many records were seen in each repeat.

    `told` says that in every repeat that fell short the model was told how many are missing.
    `data_chars` counts the records as JSON, `chars` these with the earlier turns and the further
    results. `lost_later` says that records that are missing stood in an earlier request.
    """

    records: int
    turns: int
    tool_calls: int
    seen: tuple[int, ...]
    told: bool
    looked_in: LookedIn
    data_chars: int
    chars: int
    lost_later: bool

    @property
    def least(self) -> int:
        """The minimum of the repeats: it is what counts."""
        return min(self.seen)

    @property
    def whole(self) -> bool:
        """Whether all records were seen in every repeat."""
        return self.least == self.records

    @property
    def stable(self) -> bool:
        """Whether every repeat saw as many."""
        return len(set(self.seen)) == 1

    def to_dict(self) -> dict[str, object]:
        """Return the members of one cell in a document."""
        return {
            "records": self.records,
            "turns": self.turns,
            "tool_calls": self.tool_calls,
            "seen": list(self.seen),
            "least": self.least,
            "told": self.told,
            "looked_in": self.looked_in,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """The whole grid, in the order in which it was gone through."""

    cells: tuple[Cell, ...]

    @property
    def failing(self) -> Sequence[Cell]:
        """The cells in which not all records were seen, the smallest first."""
        return sorted((one for one in self.cells if not one.whole), key=size)

    @property
    def silent(self) -> Sequence[Cell]:
        """Those of them in which the model was not told how many are missing, or unequal ones."""
        return [one for one in self.failing if not (one.told and one.stable)]

    @property
    def trigger(self) -> Trigger | None:
        """What makes the difference between cells that pass and cells that fail."""
        return trigger(self.cells) if self.failing else None

    @property
    def boundary(self) -> Boundary | None:
        """Where records were lost: in the history between turns, or by a cut to a size.

        None where none were, or where the same case lost more one time than another.
        """
        found = self.trigger
        if found is None or found.measure == "unstable":
            return None
        if self.failing[0].lost_later or found.is_history:
            return "retain"
        return "budget"

    @property
    def findings(self) -> Sequence[Finding]:
        """One finding a cell: `coverage-unstable`, or `coverage-short` where nobody was told."""
        return [self._finding(one) for one in self.silent]

    def assert_all_seen(self) -> None:
        """Raise AssertionError unless every record was seen in every repeat of every cell."""
        __tracebackhide__ = True  # pytest shows the test, not this
        self._assert(self.failing)

    def assert_seen_or_told(self) -> None:
        """Raise AssertionError unless all was seen, or the model was told how many are missing."""
        __tracebackhide__ = True  # pytest shows the test, not this
        self._assert(self.silent)

    def to_dict(self) -> dict[str, object]:
        """Return the grid and what was made of it, as members of a document."""
        found = self.trigger
        return {
            "cells": [one.to_dict() for one in self.cells],
            "trigger": None if found is None else found.to_dict(),
            "boundary": self.boundary,
            "findings": [one.to_dict() for one in self.findings],
        }

    def __str__(self) -> str:
        """Return the grid as a table."""
        return "\n".join(rows(self.cells))

    def _assert(self, wrong: Sequence[Cell]) -> None:
        __tracebackhide__ = True
        if wrong:
            raise AssertionError("\n".join(self._words(wrong)))

    def _words(self, wrong: Sequence[Cell]) -> Iterator[str]:
        first, found = wrong[0], self.trigger
        yield f"the model did not see all records: {len(wrong)} of {len(self.cells)} cells failed"
        yield f"smallest that failed: {name(first)}: {seen_words(first)}"
        if found is not None:
            yield f"trigger: {found.text}"
        yield f"boundary: {self.boundary or 'not known'}"
        yield f"what to do: {advice(self.boundary, first)}"
        if unstable := [one for one in wrong if not one.stable]:
            yield f"{UNSTABLE}: {len(unstable)} cells; unequal repeats, first {name(unstable[0])}"
        yield from rows(self.cells)

    def _finding(self, cell: Cell) -> Finding:
        return Finding(
            check=SHORT if cell.stable else UNSTABLE,
            severity="error",
            boundary=self.boundary,
            evidence={**cell.to_dict(), "trigger": self.trigger.text if self.trigger else None},
            advice=advice(self.boundary, cell),
        )


ADVICE: Mapping[Boundary | None, str] = {
    "budget": "where the records are shortened, cut them by records, and the model is told what is "
    "missing: ullage.cut(result, ullage.chars({size})).text; or send them in smaller pieces",
    "retain": "look for the limit of the history (turns, messages or tokens); put the data into "
    "the current message, mark it as protected, or raise the limit",
    None: "ask the source alone twice and compare the ids: its order, its limit, its pages. Then "
    "look for what the pipeline keeps from one call to the next",
}
USUAL_SIZE = 6000


def advice(boundary: Boundary | None, cell: Cell) -> str:
    """Return what to do about records that a cell lost."""
    seen = round(cell.data_chars * cell.least / cell.records)
    return ADVICE[boundary].format(size=seen or USUAL_SIZE)


def size(cell: Cell) -> tuple[int, int, int]:
    """Return what cells are ordered by."""
    return cell.records, cell.turns, cell.tool_calls


def name(cell: Cell) -> str:
    """Return a cell in words."""
    return (
        f"{cell.records} records, {cell.turns} earlier turns, {cell.tool_calls} further tool calls"
    )


def seen_words(cell: Cell) -> str:
    """Return what was seen in a cell, in words."""
    each = ", ".join(map(str, cell.seen))
    told = "told" if cell.told else "not told"
    return (
        f"{cell.least} of {cell.records} in {cell.looked_in} (repeats: {each}); the model was "
        f"{told} how many it did not see"
    )


def rows(cells: Sequence[Cell]) -> Iterator[str]:
    """Yield a table of all cells."""
    yield "  records  turns  tool calls  seen"
    for one in cells:
        shown = f"{one.least} of {one.records}"
        marks = "" if one.whole else "  told" if one.told else "  not told"
        marks += "" if one.stable else f"  unstable: {', '.join(map(str, one.seen))}"
        yield f"  {one.records:>7}  {one.turns:>5}  {one.tool_calls:>10}  {shown}{marks}"
