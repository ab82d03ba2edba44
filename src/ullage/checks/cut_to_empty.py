"""`cut-to-empty`: something was produced, nothing was delivered."""

from collections.abc import Iterator

from ullage.checks.measured import Measured
from ullage.checks.words import evidence_of, finding
from ullage.transcript.finding import Finding

NAME = "cut-to-empty"


def check(result: Measured) -> Iterator[Finding]:
    """Report a result of which nothing is left."""
    one = result.arrival
    if one is None or one.rate is None or one.form != "empty":
        return
    advice = (
        "The model was given an empty text and will read it as 'there is nothing'. "
        f"Look at what shortens the result of {result.tool}; a cut by records never empties it: "
        "ullage.cut(result, ullage.chars(6000)).text"
    )
    yield finding(result, NAME, "error", advice, evidence_of(result))
