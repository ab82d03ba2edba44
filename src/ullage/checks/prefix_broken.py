"""`prefix-broken`: a request does not begin with the one before it, so no cache can help it."""

from collections.abc import Iterator, Sequence

from ullage.checks.served import Served, finding
from ullage.checks.stated import is_stated
from ullage.transcript.finding import Finding
from ullage.wire.marks import Mark

NAME = "prefix-broken"


def check(served: Served) -> Iterator[Finding]:
    """Report the first message that is not what it was in the request before."""
    request, before = served.exchange.request, served.before
    # What follows a reply on the server does not repeat what came before; another model has a
    # cache of its own.
    if request is None or before is None or request.follows:
        return
    if (request.model, served.exchange.path) != (before.model, before.path):
        return
    head_kept = request.head == before.head
    at = first_difference(request.marks, before.marks) if head_kept else 0
    # With tools and without: the other one is a summary or a title, not the same agent's turn.
    if at is None or (at == 0 and bool(request.tools) != bool(before.tools)):
        return
    if not goes_on(request.marks, before.marks, at) or (head_kept and shortened_at(served, at)):
        return
    kept = sum(one.chars for one in before.marks[:at])
    evidence = {
        "first_diff": at,
        "where": "messages" if head_kept else "system text or tools",
        "before": {"exchange": before.number, "line": before.line},
        "prefix_chars_kept": kept,
        "prefix_chars": sum(one.chars for one in before.marks),
        "chars_after": sum(one.chars for one in request.marks[at:]),
    }
    what = f"Message {at} is" if head_kept else "System text or tools are"
    remedy = (
        "Shorten history seldom and much at a time, never at a place that moves from turn to turn."
        if head_kept
        else "Keep them the same from turn to turn: no time of day, no tools that come and go."
    )
    advice = (
        f"{what} not what was sent one request earlier: all behind it is read anew at full price, "
        f"however few tokens are left. {remedy}"
    )
    yield finding(served, NAME, "warning", advice, evidence, boundary="retain")


def shortened_at(served: Served, at: int) -> bool:
    """Whether Ullage shortened the history there, for a budget: that has to be read anew."""
    found = (served.exchange.body.get(name) for name in ("messages", "input", "contents"))
    raw = next((one for one in found if isinstance(one, list)), [])
    return at < len(raw) and is_stated(raw[at])


def goes_on(now: Sequence[Mark], before: Sequence[Mark], at: int) -> bool:
    """Whether a request carries on what another held, not only begins in the same way.

    It says more than that one, or has messages of it behind the first difference.
    """
    held = {one.number for one in before[at:]}
    return len(now) > len(before) or any(one.number in held for one in now[at:])


def first_difference(now: Sequence[Mark], before: Sequence[Mark]) -> int | None:
    """Return where two lists first differ, None where one begins with the other."""
    pairs = enumerate(zip(now, before, strict=False))
    return next((at for at, (one, other) in pairs if one != other), None)
