"""`invalid-syntax` where only the delivered text is known: it ends inside a value."""

from collections.abc import Iterator

from ullage.arrivals.asked import arguments_of, asks_for_part
from ullage.checks import invalid_syntax
from ullage.checks.session import Session, finding
from ullage.transcript.finding import Finding

NAME = invalid_syntax.NAME


def check(session: Session) -> Iterator[Finding]:
    """Report each result that ends inside JSON or a Python literal, unless a part was asked for."""
    for one in session.results:
        shown = session.unknown.get(one.entry)
        if shown is None or not shown.broken or asks_for_part(arguments_of(one.call)):
            continue
        advice = (
            f"The result of {one.tool} ends inside a value and no longer parses: it was cut by "
            "length. Cut by records instead, which keeps it valid: "
            f"ullage.cut(result, ullage.chars({len(one.text)})).text"
        )
        evidence = {
            "sign": "unfinished",
            "delivered_chars": len(one.text),
            "said": shown.mark is not None,
        }
        yield finding(session, one.entry, NAME, "error", "budget", advice, evidence)
