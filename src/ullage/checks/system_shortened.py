"""`system-shortened`: a later request has only a part of the system text."""

from collections.abc import Iterator

from ullage.arrivals.runs import kept, runs
from ullage.checks.left import Left, comes_back, compactions
from ullage.checks.session import Session, finding
from ullage.transcript.finding import Finding

NAME = "system-shortened"
SHORTER = 0.98
"""A system text may hold the time or a file list: so much of its length is no loss."""
SAME = 0.8
"""So much of the new text must be the old one's own characters: else it is another text."""


def check(session: Session) -> Iterator[Finding]:
    """Report a system text that was cut, or that left the request."""
    for left in compactions(session):
        if left.post is None or left.one.recorded:
            continue
        before = [at for at in left.pre if session.entries[at].message.role == "system"]
        after = [at for at in left.post if session.entries[at].message.role == "system"]
        old = "\n".join(session.entries[at].message.text for at in before)
        new = "\n".join(session.entries[at].message.text for at in after)
        if not is_part(old, new) or is_side_step(session, left):
            continue
        advice = (
            "The rules that the model was given are not all there any more. Protect system "
            "messages where the history is trimmed, and keep tool documentation out of them."
        )
        evidence = {
            "characters_before": len(old),
            "characters_after": len(new),
            "gone": len(old) - len(new),
        }
        place = after[0] if after else min(left.one.at, len(session.entries) - 1)
        yield finding(session, place, NAME, "error", "retain", advice, evidence)


def is_side_step(session: Session, left: Left) -> bool:
    """Whether the request lacks the history, too, and both are there again later."""
    return bool(left.gone) and comes_back(session, left)


def is_part(old: str, new: str) -> bool:
    """Whether a text is a shorter form of an older one, or nothing where there was one."""
    if not old.strip() or len(new) > SHORTER * len(old):
        return False
    return not new.strip() or kept(runs(new, old)) >= SAME * len(new.strip())
