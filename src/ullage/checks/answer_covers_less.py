"""`answer-covers-less`: an answer goes through a list as far as it was given, and no further."""

from collections.abc import Iterator

from ullage.checks.answered import counted, covered
from ullage.checks.session import Session, finding
from ullage.transcript.finding import Finding

NAME = "answer-covers-less"
LEAST_CITED = 3
GOES_THROUGH = 0.8
"""An answer that cites so many of those it was given goes through the list, and picks none out."""


def check(session: Session) -> Iterator[Finding]:
    """Report an answer that covers what was delivered of a list, where more had been produced."""
    for one in covered(session):
        if len(one.cited) < max(LEAST_CITED, GOES_THROUGH * len(one.given)):
            continue
        answer = session.answer
        text = session.entries[answer].message.text if answer is not None else ""
        if len(one.listed.ids) in counted(text):
            continue  # it says how many there are
        advice = (
            f"The answer goes through {len(one.cited)} of {len(one.listed.ids)}: it was given "
            f"{len(one.given)}, and does not say that there are more. Deliver all, or in chunks "
            "with the total stated, and check the answer: ullage.assert_arrived(ids, answer)."
        )
        evidence = {
            "field": one.listed.field,
            "path": one.listed.path,
            "produced": len(one.listed.ids),
            "delivered": len(one.given),
            "cited": len(one.cited),
            "list_entry": one.entry + 1,
        }
        yield finding(session, answer, NAME, "error", one.boundary, advice, evidence)
