"""`damaged-line`: a line of a log that cannot be read whole."""

from ullage.sources.record import Damaged
from ullage.transcript.finding import Finding, Source

NAME = "damaged-line"


def report(damaged: Damaged, path: str) -> Finding:
    """Return the finding about one line."""
    advice = (
        "A crash tore the line; the next record was written behind it. What is whole was read; "
        "what was torn is lost. Begin each run of the writer on a fresh line."
        if damaged.saved
        else "The line is lost: a crash, or a file system that filled it with NULs, tore it."
    )
    return Finding(
        check=NAME,
        severity="warning",
        boundary=None,
        evidence={"why": damaged.why, "chars": damaged.chars, "records_saved": damaged.saved},
        advice=advice,
        source=Source(path=path, line=damaged.line),
    )
