"""`effective-window`: the window is smaller than the prompt that was sent."""

from collections.abc import Iterator

from ullage.checks.served import Served, finding
from ullage.counting.models import READ_ON, window_of
from ullage.transcript.finding import Finding

NAME = "effective-window"


def check(served: Served) -> Iterator[Finding]:
    """Report a prompt that is, at the least, larger than the window asked for or published."""
    request, least = served.exchange.request, served.least
    if request is None or least is None:
        return
    published = window_of(request.model) if request.model else None
    window = request.settings.window or published
    if window is None or least.low <= window:
        return
    asked = request.settings.window is not None
    evidence = {
        "window": window,
        "window_from": "request" if asked else f"published figures, read on {READ_ON}",
        "sent_tokens": least.tokens,
        "sent_tokens_low": least.low,
        "method": least.method,
    }
    advice = (
        f"The prompt is about {least.tokens} tokens ({least.low} at the least), the window "
        f"{window}: not all of it can be read. Ask for a larger window, or send less."
    )
    yield finding(served, NAME, "error", advice, evidence)
