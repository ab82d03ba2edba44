"""Precision and recall of a check from what was counted, with intervals, and as a table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ullage.checks.experimental import EXPERIMENTAL
from ullage.stats.wilson import wilson

ENOUGH_READ = 35
"""With so many read findings all of them true, the lower bound of 95 % is above 0.90."""
PRECISION_LOW = 0.90
RECALL = 0.95


class Injected(Protocol):
    """What measure.py counted."""

    losses: int
    found: int
    alike: int
    alarms: int
    clean: int
    clean_alarms: int


class Verdicts(Protocol):
    """What verdicts.py counted."""

    findings: int
    read: int
    true: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The figures of one check. `by` says what its precision rests on.

    `shown` is that the lower bound of its precision and its recall are high enough.
    """

    check: str
    losses: int
    found: int
    recall: float | None
    recall_low: float | None
    recall_high: float | None
    alike: int
    alarms: int
    clean: int
    clean_alarms: int
    findings: int
    read: int
    true: int
    by: str
    precision: float | None
    precision_low: float | None
    precision_high: float | None
    shown: bool
    default: bool


def line(check: str, one: Injected, read: Verdicts) -> Line:
    """Return the figures of one check.

    With fewer than 35 read findings, injected losses that were found count as true reports, and
    reports on look-alikes and clean sessions as false ones, beside what was read.
    """
    recall = wilson(one.found, one.losses) if one.losses else None
    true, reported, by = read.true, read.read, "read"
    if read.read < ENOUGH_READ:
        true += one.found
        reported += one.found + one.alarms + one.clean_alarms
        by = "read and injected" if read.read else "injected"
    precision = wilson(true, reported) if reported else None
    return Line(
        check=check,
        losses=one.losses,
        found=one.found,
        recall=recall and recall.estimate,
        recall_low=recall and recall.low,
        recall_high=recall and recall.high,
        alike=one.alike,
        alarms=one.alarms,
        clean=one.clean,
        clean_alarms=one.clean_alarms,
        findings=read.findings,
        read=read.read,
        true=read.true,
        by=by,
        precision=precision and precision.estimate,
        precision_low=precision and precision.low,
        precision_high=precision and precision.high,
        shown=bool(
            precision and recall and precision.low >= PRECISION_LOW and recall.estimate >= RECALL
        ),
        default=check not in EXPERIMENTAL,
    )


HEAD = ("check", "read: true", "injected: found", "recall", "look-alikes, clean: reported",
        "precision", "rests on", "")  # fmt: skip


def cells(one: Line) -> tuple[str, ...]:
    """Return a line as the cells of a table."""
    of_more = f" (of {one.findings})" if one.findings > one.read else ""
    return (
        f"`{one.check}`",
        f"{one.true} of {one.read}{of_more}" if one.read else "none there",
        f"{one.found} of {one.losses}",
        share(one.recall, one.recall_low, one.recall_high),
        f"{one.alarms} of {one.alike}, {one.clean_alarms} of {one.clean}",
        share(one.precision, one.precision_low, one.precision_high),
        one.by,
        ("" if one.shown else "below the bar") + ("" if one.default else "; experimental"),
    )


def share(value: float | None, low: float | None, high: float | None) -> str:
    """Write a share with its interval."""
    return "n/a" if value is None else f"{value:.3f} ({low:.3f} to {high:.3f})"


def markdown(lines: Iterable[Line]) -> list[str]:
    """Return the table in Markdown."""
    rows = [HEAD, tuple("---" for _ in HEAD), *map(cells, lines)]
    return [f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows]


def text(lines: Iterable[Line]) -> list[str]:
    """Return the table as plain text, its columns as wide as they need."""
    rows = [HEAD, *map(cells, lines)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEAD))]
    return [laid_out(row, widths) for row in rows]


def laid_out(row: Sequence[str], widths: Sequence[int]) -> str:
    """Return one row with its cells in columns."""
    padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
    return "  ".join(padded).rstrip()
