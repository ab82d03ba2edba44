"""`served-short`: the server says that it read far fewer tokens than were sent."""

from collections.abc import Iterator

from ullage.checks.served import Served, finding
from ullage.cutter.excerpt import excerpt
from ullage.transcript.finding import Finding
from ullage.wire.request import Request

NAME = "served-short"
SMALLEST = 1_000
"""Below so many tokens, at the least, what a server adds or leaves out of a prompt weighs more
than what it could have cut."""

FAR_BELOW = 0.75
"""A share of the lower bound. Servers that cut down to half of their window, as some do when a
prompt is a little too long, read less than this."""

LONGEST_SHOWN = 120


def check(served: Served) -> Iterator[Finding]:
    """Report a prompt of which the server read less than can be explained by how it counts."""
    least, read = served.least, tokens_read(served)
    if read is None or least is None:
        return
    request = served.exchange.request
    evidence = {
        "prompt_tokens": read,
        "sent_tokens": least.tokens,
        "sent_tokens_low": least.low,
        "method": least.method,
        "truncation": request.settings.truncation if request else None,
        "front": front(request) if request else None,
    }
    advice = (
        f"The server read {read} tokens of a prompt of about {least.tokens} ({least.low} at "
        "the least). Such servers drop the front: the system text, the tools, the task. Raise the "
        "window that the server runs with, or send less. If it leaves out of its count what it had "
        "in a cache, nothing was lost."
    )
    yield finding(served, NAME, "error", advice, evidence)


def tokens_read(served: Served) -> int | None:
    """Return what the server read of a prompt that was served short; None for every other one."""
    reply, least = served.exchange.reply, served.least
    if reply is None or reply.usage is None or least is None or least.low < SMALLEST:
        return None
    read = reply.usage.input
    return read if read and read < FAR_BELOW * least.low else None


def front(request: Request) -> str | None:
    """Return what stood at the front of a request, where such servers cut first."""
    if not request.messages:
        return None
    first = request.messages[0]
    return f"{first.role}: {excerpt(first.text, LONGEST_SHOWN)}"
