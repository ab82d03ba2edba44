"""What is wrong with one pair of texts: the faults of its label as findings."""

from collections.abc import Iterator, Mapping

from ullage.arrivals.arrival import Arrival
from ullage.arrivals.error_said import error_said
from ullage.arrivals.label import Fault, faults
from ullage.transcript.finding import Finding

ERROR_IN_BODY = "error-in-body"
ADVICE: Mapping[Fault, str] = {
    "cut-to-empty": (
        "The model was given an empty text and will read it as 'there is nothing'. A cut by "
        "records never empties a result: ullage cut FILE --budget N"
    ),
    "invalid-syntax": (
        "The delivered text no longer parses. Cut by records instead of characters, or return "
        "JSON instead of a Python repr: ullage cut FILE --budget N"
    ),
    "silent-cut": (
        "The model is not told that something is missing. Cut by records, which states what is "
        "left out: ullage cut FILE --budget N"
    ),
}


def check(one: Arrival, produced: str) -> Iterator[Finding]:
    """Report each fault of a pair, and an error in what was produced that nothing marks as one."""
    for fault in faults(one):
        yield Finding(
            check=fault,
            severity="error",
            boundary="serialise" if not one.lost and fault == "invalid-syntax" else one.boundary,
            evidence=evidence(one),
            advice=ADVICE[fault],
        )

    said = error_said(produced)
    if said is not None:
        yield Finding(
            check=ERROR_IN_BODY,
            severity="warning",
            boundary="produce",
            evidence={"member": said, "produced_chars": one.produced_chars},
            advice=(
                f"The tool failed and says so in {said!r} only: read as a result, it says that "
                "there is nothing. Raise the error, or mark the result as one."
            ),
        )


def evidence(one: Arrival) -> dict[str, object]:
    """Return the figures of a pair."""
    return {
        "produced_chars": one.produced_chars,
        "delivered_chars": one.delivered_chars,
        "records": {"produced": one.records.produced, "delivered": one.records.delivered},
        "form": one.form,
        "notice": one.notice.grade,
    }
