"""What a ledger keeps of a request whose bodies it does not keep, as a row, and back."""

from dataclasses import dataclass

import msgspec

from ullage.checks.request_read import Read
from ullage.ledger.measurements import Figures
from ullage.transcript.finding import Finding
from ullage.transcript.words import Boundary, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A finding about an exchange without the words of anybody: figures, and closed choices."""

    check: str
    severity: Severity
    boundary: Boundary | None
    evidence: dict[str, object]
    advice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What a ledger keeps of a request whose bodies it does not keep.

    `failed` says only by its status that it failed: the words of an error may hold anything.
    `given` counts the results that it gave to the model first, `given_unknown` those of them of
    which nothing was recorded as produced, `given_shortened` those of these that show a cut.
    """

    read: Read
    failed: str | None
    given: int
    given_unknown: int
    findings: tuple[Noted, ...]
    given_shortened: int = 0


def remembered(row: Figures) -> Remembered:
    """Read back what was kept of a request."""
    return msgspec.json.decode(row.document, type=Remembered)


def figures_of(run: str, exchange: int, kept: Remembered, at: float) -> Figures:
    """Return the row of what is kept; `at` is now, in seconds since the epoch."""
    document = msgspec.json.encode(kept).decode()
    return Figures(run=run, exchange=exchange, document=document, at=at)


# What evidence says in words of a closed choice; other words may be anybody's.
CHOICES = {"method", "truncation", "window_from", "where", "finish_reason", "applied_edits"}


def noted(one: Finding) -> Noted:
    """Return a finding without the words of anybody."""
    evidence = {
        name: value
        for name, value in one.evidence.items()
        if name in CHOICES or value is None or isinstance(value, int | float)
    }
    return Noted(
        check=one.check,
        severity=one.severity,
        boundary=one.boundary,
        evidence=evidence,
        advice=one.advice,
    )
