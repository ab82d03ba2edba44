"""`answer-count-contradicted`: an answer counts what it was given, and takes it for all."""

from collections.abc import Iterator

from ullage.checks.answered import counted, covered
from ullage.checks.session import Session, finding
from ullage.transcript.finding import Finding

NAME = "answer-count-contradicted"
LEAST = 5


def check(session: Session) -> Iterator[Finding]:
    """Report an answer that states the number that was delivered, where more had been produced."""
    answer = session.answer
    if answer is None:
        return
    counts = counted(session.entries[answer].message.text)
    for one in covered(session):
        produced, delivered = len(one.listed.ids), len(one.given)
        if delivered < LEAST or delivered not in counts or produced in counts:
            continue
        advice = (
            f"The answer says {delivered}; {produced} had been produced. The model counted what it "
            "was given. State the total where a result is cut, and put data into one message."
        )
        evidence = {
            "stated": delivered,
            "produced": produced,
            "delivered": delivered,
            "field": one.listed.field,
            "list_entry": one.entry + 1,
        }
        yield finding(session, answer, NAME, "error", one.boundary, advice, evidence)
