"""Findings by hand."""

from collections.abc import Mapping

from ullage.checks.places import Places
from ullage.transcript.finding import Finding, Source
from ullage.transcript.words import Boundary, Severity

PLACES = Places(root="/repo", folder="/repo/sub")


def finding(
    check: str = "silent-cut",
    *,
    severity: Severity = "error",
    boundary: Boundary | None = "budget",
    evidence: Mapping[str, object] | None = None,
    path: str | None = "logs/a.jsonl",
    line: int | None = 3,
    session: str | None = None,
    tool: str | None = "orders",
    call_id: str | None = None,
    advice: str = "Cut by records.",
) -> Finding:
    return Finding(
        check=check,
        severity=severity,
        boundary=boundary,
        evidence=evidence or {},
        advice=advice,
        session=session,
        source=Source(path=path, line=line),
        tool=tool,
        call_id=call_id,
    )
