"""What the checks of an exchange judge, and what they say alike."""

from collections.abc import Mapping
from dataclasses import dataclass

from ullage.transcript.finding import Finding
from ullage.transcript.message import ToolCall
from ullage.transcript.words import Boundary, Severity
from ullage.wire.exchange import Exchange
from ullage.wire.least import Least
from ullage.wire.marks import Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """The request before that was answered: its place, its model, its messages as marks."""

    number: int
    line: int | None
    path: str | None
    model: str | None
    tools: int
    head: Mark | None
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One exchange with what was known before it.

    `before` is None for the first request of a conversation. `calls` are those that were not seen
    before. `first` says that its conversation has just begun. `least` is None where there is
    nothing to hold it against. `read_short` are the tokens that were read of earlier prompts to
    the same model that were served short.
    """

    exchange: Exchange
    before: Earlier | None = None
    calls: tuple[ToolCall, ...] = ()
    first: bool = True
    least: Least | None = None
    read_short: tuple[int, ...] = ()


def finding(
    served: Served,
    check: str,
    severity: Severity,
    advice: str,
    evidence: Mapping[str, object],
    *,
    boundary: Boundary = "serve",
) -> Finding:
    """Return a finding about one exchange."""
    one = served.exchange
    return Finding(
        check=check,
        severity=severity,
        boundary=boundary,
        evidence={"exchange": one.number, "id": one.name, **evidence},
        advice=advice,
        session=one.session,
        source=one.source,
    )
