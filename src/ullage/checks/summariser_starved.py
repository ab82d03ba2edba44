"""`summariser-starved`: a summary stands for messages that its writer was not shown."""

from collections.abc import Iterator

from ullage.checks.left import chars, compactions
from ullage.checks.session import Session, finding
from ullage.transcript.finding import Finding

NAME = "summariser-starved"
ENOUGH = 0.95
"""Of the characters that are gone, so many must have been shown: a prompt may leave out calls."""


def check(session: Session) -> Iterator[Finding]:
    """Report a summary whose writer saw a part only of what it replaced."""
    for left in compactions(session):
        if left.one.shown is None or not left.gone:
            continue
        said = [at for at in left.gone if session.entries[at].message.text.strip()]
        shown = [at for at in said if at in left.one.shown]
        all_chars, seen = chars(session, said), chars(session, shown)
        if all_chars == 0 or seen >= ENOUGH * all_chars:
            continue
        advice = (
            f"The summary stands for {len(said)} messages, and its writer was given {len(shown)} "
            "of them whole. What it was not given is lost whatever it wrote: raise the limit of "
            "the summariser's input (trim_tokens_to_summarize and the like), or summarise in "
            "several steps."
        )
        evidence = {
            "replaced": {"messages": len(said), "characters": all_chars},
            "shown": {"messages": len(shown), "characters": seen},
        }
        end = min(left.one.at, len(session.entries) - 1)
        place = left.one.summary[0] if left.one.summary else end
        yield finding(session, place, NAME, "error", "summarise", advice, evidence)
