"""`handoff-lost`: findings of a sub-agent that its parent was not given."""

from collections.abc import Iterator

from ullage.arrivals.child_findings import Child, FindingArrival, finding_arrivals
from ullage.arrivals.wording import squeezed
from ullage.cutter.excerpt import excerpt
from ullage.transcript.finding import Finding

NAME = "handoff-lost"
SHOWN = 300
LONGEST_ERROR = 300


def check(child: Child, delivered: str) -> Iterator[Finding]:
    """Report the findings of a child that stand nowhere in what its parent was given.

    Pure: `child` is read with `child_of`, `delivered` is the text of the message that the parent
    got. What an index line names arrived in part, and is not reported.
    """
    arrived = finding_arrivals(child.findings, delivered)
    if not arrived.missing:
        return
    yield Finding(
        check=NAME,
        severity="error",
        boundary="handoff",
        evidence=evidence(child, arrived, delivered),
        advice=advice(child, arrived),
    )


def evidence(child: Child, arrived: FindingArrival, delivered: str) -> dict[str, object]:
    """Return the counts, every finding that did not arrive, and how the child ended."""
    return {
        "produced": arrived.produced,
        "delivered": arrived.delivered,
        "in_part": len(arrived.partial),
        "lost": [excerpt(one, SHOWN) for one in arrived.missing],
        "errors": [excerpt(one, LONGEST_ERROR) for one in child.errors],
        "errors_told": all(squeezed(one) in squeezed(delivered) for one in child.errors),
    }


def advice(child: Child, arrived: FindingArrival) -> str:
    """Return what to do."""
    how = (
        "Hand over each finding, or a line for each with a handle to the rest; "
        "a count or a pointer is not enough"
    )
    if child.errors:
        how += ", also when the child failed: what it has by then, marked as incomplete"
    return f"The parent has {arrived.delivered} of {arrived.produced} findings. {how}."
