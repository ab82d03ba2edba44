"""`setting-ignored`: a setting was sent, and the reply shows that it had no effect."""

import json
from collections.abc import Callable, Iterator, Mapping

from ullage.checks.served import Served, finding
from ullage.transcript.finding import Finding
from ullage.wire.least import Least
from ullage.wire.reply import Reply
from ullage.wire.request import Request

NAME = "setting-ignored"
# Settings that a reply repeats as they were in force. A model is left out: an alias comes back as
# the version that it stands for.
REPEATED = (
    "truncation",
    "max_output_tokens",
    "parallel_tool_calls",
    "temperature",
    "top_p",
    "store",
    "previous_response_id",
    "reasoning.effort",
)
# A count of our provider's, so nearly exact; some add the tokens that end a turn.
OVER_LIMIT = 1.05
Contradiction = Mapping[str, object]


def check(served: Served) -> Iterator[Finding]:
    """Report each setting that the reply contradicts."""
    reply, request = served.exchange.reply, served.exchange.request
    if reply is None or request is None or served.exchange.kind != "turn":
        return
    if reply.label in ("cut-by-server", "broken-stream", "malformed"):
        return
    for name, contradicts in EFFECTS.items():
        seen = contradicts(request, reply, served.least)
        if seen is not None:
            yield report(served, name, seen)
    for name in REPEATED:
        sent, repeated = request.settings.as_given.get(name), reply.echoes.get(name)
        if sent is not None and name in reply.echoes and sent != repeated:
            yield report(served, name, {"sent": sent, "in_force": repeated})


def report(served: Served, name: str, seen: Contradiction) -> Finding:
    """Return the finding about one setting."""
    advice = (
        f"{name} was sent and had no effect: the server does not know it, or something on the way "
        "took it out. Set it where the server takes it from."
    )
    return finding(served, NAME, "warning", advice, {"setting": name, **seen})


def output_limit(request: Request, reply: Reply, _: Least | None) -> Contradiction | None:
    """Tell that more was written than the limit; passes of the server's own are not under it."""
    limit, usage = request.settings.output_limit, reply.usage
    if limit is None or usage is None or usage.output is None or len(usage.iterations) > 1:
        return None
    if usage.output <= OVER_LIMIT * limit + 1:
        return None
    return {"sent": limit, "output_tokens": usage.output}


def stream(request: Request, reply: Reply, _: Least | None) -> Contradiction | None:
    """Tell that a stream was asked for and one document came."""
    if not request.settings.stream or reply.streamed:
        return None
    return {"sent": True, "streamed": False}


def tool_choice(request: Request, reply: Reply, _: Least | None) -> Contradiction | None:
    """Tell that calls were made though forbidden, or none though required."""
    choice, calls = request.settings.tool_choice, len(reply.message.calls)
    forced = choice == "required" and not calls and reply.label == "complete"
    if not (choice == "none" and calls) and not forced:
        return None
    return {"sent": choice, "calls": calls}


def parallel_calls(request: Request, reply: Reply, _: Least | None) -> Contradiction | None:
    """Tell that several calls were made though one at a time was asked for."""
    calls = len(reply.message.calls)
    if request.settings.parallel_calls is not False or calls < 2:
        return None
    return {"sent": False, "calls": calls}


def json_answer(request: Request, reply: Reply, _: Least | None) -> Contradiction | None:
    """Tell that JSON was asked for and the whole answer is none."""
    text = reply.message.text
    if not request.settings.json_answer or reply.label != "complete" or not text.strip():
        return None
    if reply.message.calls or is_json(text):
        return None
    return {"sent": "JSON", "answer_chars": len(text)}


def window(request: Request, reply: Reply, least: Least | None) -> Contradiction | None:
    """Tell that less was read than was sent, though the window asked for would have held it."""
    asked, usage = request.settings.window, reply.usage
    if asked is None or least is None or usage is None or not usage.input:
        return None
    if least.tokens > asked or usage.input >= least.low:
        return None
    return {"sent": asked, "prompt_tokens": usage.input, "sent_tokens_low": least.low}


def is_json(text: str) -> bool:
    """Whether an answer is JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


EFFECTS: Mapping[str, Callable[[Request, Reply, Least | None], Contradiction | None]] = {
    "output limit": output_limit,
    "stream": stream,
    "tool_choice": tool_choice,
    "parallel calls": parallel_calls,
    "response format": json_answer,
    "num_ctx": window,
}
