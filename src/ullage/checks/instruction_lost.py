"""`instruction-lost`: the newest instruction of a user did not outlive a compaction."""

from collections.abc import Iterator

from ullage.arrivals.kept import is_kept
from ullage.arrivals.negations import forbidden, inverted_in
from ullage.arrivals.standing_rules import without_rules
from ullage.checks.crossed import Crossed, found
from ullage.cutter.excerpt import excerpt
from ullage.transcript.finding import Finding

NAME = "instruction-lost"
SHOWN = 400


def check(one: Crossed) -> Iterator[Finding]:
    """Report that the newest instruction is gone, or that what it forbids is wanted now."""
    if not one.turns:
        return
    newest = one.turns[-1]
    against = next(
        (
            (rule.text, sentence)
            for rule in forbidden(newest.text)
            if (sentence := inverted_in(rule, one.there)) is not None
        ),
        None,
    )
    gone = is_gone(one)
    if not gone and against is None:
        return
    evidence: dict[str, object] = {
        "instruction": excerpt(newest.text, SHOWN),
        "message": newest.index,
        "gone": gone,
        "inverted": None
        if against is None
        else {"forbidden": against[0], "now": excerpt(against[1], SHOWN)},
    }
    yield found(one, NAME, "error", evidence, advice(gone=gone, inverted=against is not None))


def is_gone(one: Crossed) -> bool:
    """Whether the newest instruction is gone; where there is one only, it is the task."""
    return len(one.turns) > 1 and not is_kept(without_rules(one.turns[-1].text), one.there)


def advice(*, gone: bool, inverted: bool) -> str:
    """Return what to do."""
    what = "The newest instruction of the user is gone"
    if inverted:
        what += ", and what it forbids is wanted now" if gone else ": what it forbids is wanted now"
        what = what if gone else what.replace(" is gone:", " is turned round:")
    return (
        f"{what}. Keep the newest user message as it is, outside of what is summarised, "
        "and put it behind the summary."
    )
