"""What the checks of one result say alike."""

from collections.abc import Mapping

from ullage.arrivals.label import Fault, faults
from ullage.checks.measured import Measured
from ullage.transcript.finding import Finding
from ullage.transcript.words import Boundary, Severity

PLACES = {
    "tool": "in the tool's own code, before it was handed on",
    "harness": "in the harness, after the tool had handed it on",
    "unknown": "between the tool and the first request",
}


def fails(result: Measured, fault: Fault) -> bool:
    """Whether a result that was delivered has this fault."""
    return result.arrival is not None and fault in faults(result.arrival)


def finding(
    result: Measured,
    check: str,
    severity: Severity,
    advice: str,
    evidence: Mapping[str, object],
    *,
    boundary: Boundary | None = None,
) -> Finding:
    """Return a finding about one result, at the boundary of its loss or a named one."""
    return Finding(
        check=check,
        severity=severity,
        boundary=boundary or result.boundary,
        evidence=evidence,
        advice=advice,
        session=result.run,
        source=result.source,
        call_id=result.call_id,
        tool=result.tool,
    )


def evidence_of(result: Measured) -> dict[str, object]:
    """Return the figures of one result's arrival."""
    one = result.arrival
    if one is None:
        return {}
    return {
        "result": result.number,
        "exchange": result.exchange,
        "produced_chars": one.produced_chars,
        "delivered_chars": one.delivered_chars,
        "records": {"produced": one.records.produced, "delivered": one.records.delivered},
        "parts": {part.path: [part.delivered, part.produced] for part in one.parts},
        "notice": one.notice.grade,
        "where": result.where,
    }


def fix(result: Measured) -> str:
    """Return what to do about a cut result."""
    size = result.arrival.delivered_chars if result.arrival else 0
    return (
        f"It was cut {PLACES[result.where]}. Where the result of {result.tool} is shortened, cut "
        f"by records instead: ullage.cut(result, ullage.chars({size})).text"
    )
