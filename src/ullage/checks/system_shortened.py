"""`system-shortened`: a later request has only a part of the system text."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from ullage.arrivals.runs import kept, runs
from ullage.checks.left import Left, comes_back, compactions
from ullage.checks.session import Session, finding
from ullage.transcript.finding import Finding

NAME = "system-shortened"
SHORTER = 0.98
"""A system text may hold the time or a file list: so much of its length is no loss."""
OTHER = 200
"""So many characters that the old text had not may say that it was cut. With more something was put
in: a part that is written anew for each request is shorter at times."""


def check(session: Session) -> Iterator[Finding]:
    """Report a system text that was cut, or that left the request for good."""
    # What Ullage records of itself is no leave for the system text, which it never touches.
    unknown = [one for one in compactions(session) if one.one.stated or not one.one.recorded]
    lefts = [one for one in unknown if one.post is not None]
    texts = [(text_of(session, one.pre), text_of(session, one.post or ())) for one in lefts]
    sizes = [len(new) for _, new in texts]
    for number, (left, (old, new)) in enumerate(zip(lefts, texts, strict=True)):
        before = min(map(len, (old, *(one for one, _ in texts[:number]))))
        grows = max(sizes[number:]) * SHORTER > len(new)
        if not is_part(old, new) or len(new) > SHORTER * before or grows:
            continue  # a part of it comes and goes
        if is_side_step(session, left):
            continue
        after = [at for at in left.post or () if session.entries[at].message.role == "system"]
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


def text_of(session: Session, entries: Sequence[int]) -> str:
    """Return the system texts before the first message of others; behind it stand notes."""
    messages = (session.entries[at].message for at in entries)
    return "\n".join(one.text for one in takewhile(lambda one: one.role == "system", messages))


def is_part(old: str, new: str) -> bool:
    """Whether a text is a shorter form of an older one, or nothing where there was one."""
    if not old.strip() or len(new) > SHORTER * len(old):
        return False
    other = len(new) - kept(runs(new, old))
    return not new.strip() or (other <= OTHER and other <= len(new) // 2)
