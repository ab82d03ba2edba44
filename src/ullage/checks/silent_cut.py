"""`silent-cut`: delivered shorter than produced, and nothing says so."""

from collections.abc import Iterator

from ullage.checks.measured import Measured
from ullage.checks.words import evidence_of, finding, fix
from ullage.transcript.finding import Finding

NAME = "silent-cut"


def check(result: Measured) -> Iterator[Finding]:
    """Report a loss that the model cannot know of."""
    one = result.arrival
    if one is None or not one.lost or one.form == "empty" or one.notice.grade != "none":
        return
    yield finding(result, NAME, "error", fix(result), evidence_of(result))
