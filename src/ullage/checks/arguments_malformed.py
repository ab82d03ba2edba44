"""`arguments-malformed`: a call's arguments do not parse, and no limit is the cause."""

from collections.abc import Iterator
from dataclasses import replace

from ullage.checks.served import Served, finding
from ullage.cutter.excerpt import excerpt
from ullage.transcript.finding import Finding

NAME = "arguments-malformed"
LONGEST_SHOWN = 200
SAID = ("MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE")


def check(served: Served) -> Iterator[Finding]:
    """Report each call of a reply that ended normally and cannot be read."""
    reply = served.exchange.reply
    if reply is None or reply.label != "malformed":
        return
    advice = (
        "The model wrote arguments that are not JSON; the output limit is not the cause. Give it "
        "the error as the call's result, and do not raise the limit."
    )
    for call in reply.malformed_calls:
        evidence = {
            "finish_reason": reply.finish_reason,
            "arguments_chars": len(call.arguments),
            "arguments": excerpt(call.arguments, LONGEST_SHOWN),
        }
        found = finding(served, NAME, "error", advice, evidence)
        yield replace(found, tool=call.name, call_id=call.call_id)
    if not reply.malformed_calls and reply.finish_reason in SAID:
        yield finding(served, NAME, "error", advice, {"finish_reason": reply.finish_reason})
