"""`prefix-broken`: a request does not begin with the one before it, so no cache can help it."""

from collections.abc import Iterator

from ullage.checks.served import Served, finding
from ullage.transcript.finding import Finding

NAME = "prefix-broken"


def check(served: Served) -> Iterator[Finding]:
    """Report the first message that is not what it was in the request before."""
    request, before = served.exchange.request, served.before
    # What follows a reply on the server does not repeat what came before.
    if request is None or before is None or request.follows:
        return
    head_kept = request.head == before.head
    at = first_difference(request.marks, before.marks) if head_kept else 0
    # With tools and without: the other one is a summary or a title, not the same agent's turn.
    if at is None or (at == 0 and bool(request.tools) != bool(before.tools)):
        return
    kept = sum(one.chars for one in before.marks[:at])
    evidence = {
        "first_diff": at,
        "in": "messages" if head_kept else "system text or tools",
        "before": {"exchange": before.number, "line": before.line},
        "prefix_chars_kept": kept,
        "prefix_chars": sum(one.chars for one in before.marks),
        "chars_after": sum(one.chars for one in request.marks[at:]),
    }
    what = f"Message {at}" if head_kept else "What stands before the messages"
    advice = (
        f"{what} is not what it was one request earlier: all after it is read anew at full price, "
        "however few tokens are left. Shorten history seldom and much at a time, and never at a "
        "place that moves from turn to turn."
    )
    yield finding(served, NAME, "warning", advice, evidence, boundary="retain")


def first_difference(now: tuple[object, ...], before: tuple[object, ...]) -> int | None:
    """Return where two lists first differ, None where one begins with the other."""
    pairs = enumerate(zip(now, before, strict=False))
    return next((at for at, (one, other) in pairs if one != other), None)
