"""`output-stopped`: the server ended the answer for a reason of its own."""

from collections.abc import Iterator

from ullage.checks.served import Served, finding
from ullage.transcript.finding import Finding

NAME = "output-stopped"
# The answer goes on when it is asked for: clients know these.
PAUSES = ("pause_turn", "compaction")


def check(served: Served) -> Iterator[Finding]:
    """Report an answer that a filter, a refusal, a pause or an error ended."""
    reply = served.exchange.reply
    if reply is None or reply.label != "cut-by-server":
        return
    paused = reply.finish_reason in PAUSES
    evidence = {
        "finish_reason": reply.finish_reason,
        "error": reply.error,
        "written_chars": len(reply.message.text),
    }
    advice = (
        "Send the reply back and ask the server to go on."
        if paused
        else "What was written before the stop is not an answer: do not take it for one."
    )
    yield finding(served, NAME, "note" if paused else "warning", advice, evidence)
