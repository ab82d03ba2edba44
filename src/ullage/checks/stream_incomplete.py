"""`stream-incomplete`: a reply stopped without its terminal event."""

from collections.abc import Iterator

from ullage.checks.served import Served, finding
from ullage.transcript.finding import Finding

NAME = "stream-incomplete"


def check(served: Served) -> Iterator[Finding]:
    """Report a stream without its end, and a body whose JSON ends early."""
    reply = served.exchange.reply
    if reply is None or reply.label != "broken-stream":
        return
    calls = reply.message.calls
    evidence = {
        "streamed": reply.streamed,
        "written_chars": len(reply.message.text),
        "calls": len(calls),
        "tool_call_usable": reply.calls_usable if calls else None,
    }
    advice = (
        "The reply broke off: no terminal event came. Ask again; do not take the text for an "
        "answer, and do not carry out its calls."
    )
    yield finding(served, NAME, "error", advice, evidence)
