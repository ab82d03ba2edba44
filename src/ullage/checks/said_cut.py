"""`cut-upstream` where only the delivered text is known: it says that it was shortened."""

from collections.abc import Iterator

from ullage.checks import cut_upstream
from ullage.checks.session import Session, finding
from ullage.cutter.excerpt import excerpt
from ullage.transcript.finding import Finding

NAME = cut_upstream.NAME


def check(session: Session) -> Iterator[Finding]:
    """Report each result that says so, in words that leave no doubt."""
    for one in session.results:
        shown = session.unknown.get(one.entry)
        if shown is None or shown.mark is None:
            continue
        advice = (
            f"The result of {one.tool} says that it was shortened before the model was given it. "
            "Put @ullage.record_tool on the function that makes the result to learn what was lost, "
            "and cut by records: ullage.cut(result, ullage.chars(6000)).text"
        )
        evidence = {
            "shown_by": excerpt(shown.mark, cut_upstream.LONGEST_SHOWN),
            "delivered_chars": len(one.text),
            "way_back": shown.way_back,
        }
        yield finding(session, one.entry, NAME, "warning", "produce", advice, evidence)
