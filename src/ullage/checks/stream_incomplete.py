"""`stream-incomplete`: a reply stopped without its terminal event."""

from collections.abc import Iterator

from ullage.checks.served import Served, finding
from ullage.transcript.finding import Finding
from ullage.wire.failures import NOT_WAITED_FOR

NAME = "stream-incomplete"
BROKE_OFF = (
    "The reply broke off: no terminal event came. Ask again; do not take the text for an answer, "
    "and do not carry out its calls."
)
LEFT = "The client did not wait for the end. If it meant to, look at its time limit."


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
        "recorded": served.exchange.failure,
    }
    if served.exchange.failure in NOT_WAITED_FOR:
        yield finding(served, NAME, "note", LEFT, evidence)
    else:
        yield finding(served, NAME, "error", BROKE_OFF, evidence)
