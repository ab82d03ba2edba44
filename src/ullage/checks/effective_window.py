"""`effective-window`: the window is smaller than the prompt that was sent."""

from collections.abc import Iterator

from ullage.checks.served import Served, finding
from ullage.checks.served_short import tokens_read
from ullage.counting.models import READ_ON, window_of
from ullage.transcript.finding import Finding
from ullage.wire.least import Least

NAME = "effective-window"
ALIKE = 0.02
"""Prompts that differ and of which the same was read, within this share, show a window."""


def check(served: Served) -> Iterator[Finding]:
    """Report a prompt that is too large for the window asked for, published, or seen in force."""
    request, least = served.exchange.request, served.least
    if least is None:
        return
    asked = request.settings.window if request else None
    published = window_of(request.model) if request and request.model else None
    window = asked or published
    if window is not None and least.low > window:
        known = "request" if asked else f"published figures, read on {READ_ON}"
        yield too_small(served, least, window, known)
    elif read := plateau(served):
        yield too_small(served, least, read, "the same tokens read of several prompts")


def plateau(served: Served) -> int | None:
    """Return what was read of this prompt and of one earlier, the first time that it is alike."""
    read = tokens_read(served)
    if read is None:
        return None
    alike = [one for one in served.read_short if abs(one - read) <= ALIKE * read]
    return read if len(alike) == 1 else None


def too_small(served: Served, least: Least, window: int, known: str) -> Finding:
    """Return the finding about a window."""
    evidence = {
        "window": window,
        "window_from": known,
        "sent_tokens": least.tokens,
        "sent_tokens_low": least.low,
        "method": least.method,
    }
    advice = (
        f"The prompt is about {least.tokens} tokens ({least.low} at the least), the window "
        f"{window}: not all of it can be read. Ask for a larger window, or send less."
    )
    return finding(served, NAME, "error", advice, evidence)
