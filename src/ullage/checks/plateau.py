"""`effective-window` of a harness: requests stop growing far below the model's window."""

from collections.abc import Iterator

from ullage.checks.left import compactions, tokens_before
from ullage.checks.session import Session, finding
from ullage.transcript.finding import Finding

NAME = "effective-window"
TIMES = 3
"""So often must the history have been shortened at one size: twice may be chance."""
ALIKE = 0.1
BELOW = 0.8
"""A harness that shortens above this share of the window uses the window."""


def check(session: Session) -> Iterator[Finding]:
    """Report the size at which a session's history was shortened again and again."""
    window = session.window
    if window is None:
        return
    # Where Ullage shortened it, its user chose the size.
    lefts = [left for left in compactions(session) if not left.one.stated]
    shortened = [left for left in lefts if left.gone or left.one.cleared]
    sizes = [size for one in shortened if (size := tokens_before(session, one)) is not None]
    if len(sizes) < TIMES or max(sizes) - min(sizes) > ALIKE * max(sizes):
        return
    cap = max(sizes)
    if cap >= BELOW * window:
        return
    advice = (
        f"The history was shortened {len(sizes)} times, each time at about {cap} tokens: that is "
        f"the harness's own window, {cap / window:.0%} of the model's {window}. Raise its limit on "
        "tokens, or tell it the model's window."
    )
    evidence = {
        "window": window,
        "effective": cap,
        "times": len(sizes),
        "fill": round(cap / window, 4),
        "tokens_before": sizes,
    }
    place = min(shortened[-1].one.at, len(session.entries) - 1)
    yield finding(session, place, NAME, "warning", "retain", advice, evidence)
