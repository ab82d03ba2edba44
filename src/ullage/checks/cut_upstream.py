"""`cut-upstream`: what was recorded as produced had been shortened before."""

from collections.abc import Iterator

from ullage.arrivals.shortened import shortened
from ullage.checks.measured import Measured
from ullage.checks.words import evidence_of, finding
from ullage.cutter.excerpt import excerpt
from ullage.transcript.finding import Finding

NAME = "cut-upstream"
LONGEST_SHOWN = 200


def check(result: Measured) -> Iterator[Finding]:
    """Report a produced text that says it was shortened, or ends in the middle of a value."""
    if not result.shortened:
        return
    shown = shortened(result.produced)
    advice = (
        f"What {result.tool} produced was already shortened, so the loss cannot be measured. Put "
        "@ullage.record_tool on the function that makes the result, before anything shortens it."
    )
    evidence = {
        "result": result.number,
        "produced_chars": result.produced_chars,
        "shown_by": None if shown is None else excerpt(shown, LONGEST_SHOWN),
        **evidence_of(result),
    }
    yield finding(result, NAME, "warning", advice, evidence, boundary="produce")
