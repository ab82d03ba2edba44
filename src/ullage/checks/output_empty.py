"""`output-empty`: a normal end, and nothing was written."""

from collections.abc import Iterator

from ullage.checks.served import Served, finding
from ullage.transcript.finding import Finding

NAME = "output-empty"


def check(served: Served) -> Iterator[Finding]:
    """Report an answer without text and without calls; one that is still to come is none."""
    reply = served.exchange.reply
    if reply is None or reply.shortfall != "empty":
        return
    usage = reply.usage
    evidence = {
        "finish_reason": reply.finish_reason,
        "output_tokens": usage.output if usage else None,
        "reasoning_tokens": usage.reasoning if usage else None,
        "reasoning_chars": reply.reasoning_chars,
    }
    advice = "The model ended its turn without an answer: ask again, and do not take it for done."
    if reply.reasoning_chars or (usage and usage.reasoning):
        advice = "The model thought and then wrote nothing: ask again, with less to think about."
    yield finding(served, NAME, "warning", advice, evidence)
