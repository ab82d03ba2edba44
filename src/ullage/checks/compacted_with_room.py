"""`compacted-with-room`: history was shortened although the window was far from full."""

from collections.abc import Iterator

from ullage.checks.left import Left, chars, comes_back, compactions, tokens_before
from ullage.checks.session import Session, finding
from ullage.transcript.finding import Finding

NAME = "compacted-with-room"
ROOM = 0.5
"""Below this share of the window nothing needs to go: harnesses that wait begin at 0.8 to 0.95."""
ASKED_FOR = frozenset({"manual", "user"})


def check(session: Session) -> Iterator[Finding]:
    """Report a compaction below half of the model's window, unless a person asked for it."""
    window = session.window
    if window is None:
        return
    for left in compactions(session):
        used = tokens_before(session, left)
        if used is None or used >= ROOM * window or left.one.trigger in ASKED_FOR:
            continue
        if left.one.stated:  # for a budget of its user's, which is no window of a model
            continue
        if left.post is not None and not left.gone and not left.one.cleared:
            continue
        if not left.one.recorded and (grew(session, left) or comes_back(session, left)):
            continue
        advice = (
            f"The context was {used} tokens of a window of {window} ({used / window:.0%}). Raise "
            "the threshold of the compaction, or the size that the harness takes the window for."
        )
        evidence = {
            "tokens_before": used,
            "tokens_after": left.one.tokens_after,
            "window": window,
            "fill": round(used / window, 4),
            "messages": len(left.gone),
            "act": left.one.act,
            "trigger": left.one.trigger,
        }
        place = min(left.one.at, len(session.entries) - 1)
        yield finding(session, place, NAME, "warning", "summarise", advice, evidence)


def grew(session: Session, left: Left) -> bool:
    """Whether a request holds as much as the one before it: then nothing was made shorter."""
    return left.post is not None and chars(session, left.post) >= chars(session, left.pre)
