"""`silent-cut`: delivered shorter than produced, and nothing says so."""

from collections.abc import Iterator

from ullage.arrivals.label import Fault
from ullage.checks.measured import Measured
from ullage.checks.words import evidence_of, fails, finding, fix
from ullage.transcript.finding import Finding

NAME: Fault = "silent-cut"


def check(result: Measured) -> Iterator[Finding]:
    """Report a loss that the model cannot know of."""
    if fails(result, NAME):
        yield finding(result, NAME, "error", fix(result), evidence_of(result))
