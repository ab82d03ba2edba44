"""`invalid-syntax`: the delivered text no longer parses as the produced one did."""

from collections.abc import Iterator

from ullage.checks.measured import Measured
from ullage.checks.words import evidence_of, finding, fix
from ullage.transcript.finding import Finding

NAME = "invalid-syntax"


def check(result: Measured) -> Iterator[Finding]:
    """Report a delivered text that its reader can no longer parse."""
    if result.arrival is None or result.arrival.valid is not False:
        return
    if result.arrival.form == "empty":
        return  # that is `cut-to-empty`
    if result.arrival.lost:
        advice = fix(result)
    else:
        advice = "All values arrived, but not as JSON: return json.dumps(value) from the tool."
    yield finding(
        result, NAME, "error", advice, {"form": result.arrival.form, **evidence_of(result)}
    )
