"""`cut-to-empty`: something was produced, nothing was delivered."""

from collections.abc import Iterator

from ullage.arrivals.label import Fault
from ullage.checks.measured import Measured
from ullage.checks.words import evidence_of, fails, finding
from ullage.transcript.finding import Finding

NAME: Fault = "cut-to-empty"


def check(result: Measured) -> Iterator[Finding]:
    """Report a result of which nothing is left."""
    if not fails(result, NAME):
        return
    advice = (
        "The model was given an empty text and will read it as 'there is nothing'. "
        f"Look at what shortens the result of {result.tool}; a cut by records never empties it: "
        "ullage.cut(result, ullage.chars(6000)).text"
    )
    yield finding(result, NAME, "error", advice, evidence_of(result))
