"""`output-cut` and `output-cut-empty`: the answer was stopped by its limit."""

from collections.abc import Iterator

from ullage.checks.served import Served, finding
from ullage.transcript.finding import Finding

NAME = "output-cut"
EMPTY = "output-cut-empty"
WINDOW = "model_context_window_exceeded"


def check(served: Served) -> Iterator[Finding]:
    """Report an answer that a limit cut, in any provider's spelling."""
    reply, request = served.exchange.reply, served.exchange.request
    if reply is None or reply.label != "cut-by-limit":
        return
    calls = reply.message.calls
    blank = not reply.message.text.strip() and not calls
    usage = reply.usage
    evidence = {
        "finish_reason": reply.finish_reason,
        "output_limit": request.settings.output_limit if request else None,
        "output_tokens": usage.output if usage else None,
        "reasoning_tokens": usage.reasoning if usage else None,
        "tool_call_usable": False if calls else None,
    }
    advice = "Raise the output limit, or have the work done in smaller pieces. "
    if reply.finish_reason == WINDOW:
        advice = "Prompt and answer filled the window: send less. "
    if blank:
        advice += "Nothing was written: all of the limit went into reasoning, which it must leave "
        advice += "room for."
    elif calls:
        advice += "Do not carry out the call: its arguments may end anywhere."
    else:
        advice += "Do not take the answer for whole, even where it parses."
    name = EMPTY if blank else NAME
    yield finding(served, name, "error" if blank or calls else "warning", advice, evidence)
