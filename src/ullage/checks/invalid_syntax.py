"""`invalid-syntax`: the delivered text no longer parses as the produced one did."""

from collections.abc import Iterator

from ullage.arrivals.label import Fault
from ullage.checks.measured import Measured
from ullage.checks.words import evidence_of, fails, finding, fix
from ullage.transcript.finding import Finding

NAME: Fault = "invalid-syntax"


def check(result: Measured) -> Iterator[Finding]:
    """Report a delivered text that its reader can no longer parse."""
    if result.arrival is None or not fails(result, NAME):
        return
    if result.arrival.lost:
        advice = fix(result)
    else:
        advice = "All values arrived, but not as JSON: return json.dumps(value) from the tool."
    evidence = {"form": result.arrival.form, **evidence_of(result)}
    yield finding(result, NAME, "error", advice, evidence)
