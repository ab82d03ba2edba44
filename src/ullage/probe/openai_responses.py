"""Turns as OpenAI Responses, whole or as a stream of events, and compacted histories. Pure."""

from collections.abc import Iterator, Mapping, Sequence

from ullage.probe.openai_chat import openai_error
from ullage.probe.request import ModelRequest
from ullage.probe.said import Json, call_id, event, has_text, pieces, reply_id, tokens_said
from ullage.probe.script import Call, FinishReason, Refusal, Turn

# What stops a reply early, by the word of a turn; any other end is a whole reply.
CUT_BY: Mapping[FinishReason, str] = {
    "length": "max_output_tokens",
    "content_filter": "content_filter",
}
# Settings that a reply repeats, with the values that OpenAI gives where a request says nothing.
REPEATED: Mapping[str, object] = {
    "background": False,
    "max_output_tokens": None,
    "parallel_tool_calls": True,
    "previous_response_id": None,
    "store": True,
    "temperature": 1.0,
    "tool_choice": "auto",
    "top_p": 1.0,
    "truncation": "disabled",
}


def whole(turn: Turn, request: ModelRequest) -> Json:
    """Build the `response` object of a reply."""
    items = [done(one, turn, request) for one in opened(turn, request)]
    reason = CUT_BY.get(turn.finished_by)
    return envelope(request) | {
        "status": status(turn),
        "incomplete_details": {"reason": reason} if reason else None,
        "output": items,
        "usage": usage(request.tokens, tokens_said(turn)),
    }


def events(turn: Turn, request: ModelRequest) -> Iterator[bytes]:
    """Build the events of a streamed reply, numbered."""
    for number, made in enumerate(steps(turn, request)):
        yield event(made | {"sequence_number": number}, str(made["type"]))


def steps(turn: Turn, request: ModelRequest) -> Iterator[Json]:
    """Build the events: the head twice, each item in pieces, and the whole reply."""
    for word in ("created", "in_progress"):
        yield {"type": f"response.{word}", "response": envelope(request)}
    for place, item in enumerate(opened(turn, request)):
        at = {"output_index": place}
        yield {"type": "response.output_item.added", **at, "item": item}
        at_item = at | {"item_id": item["id"]}
        if item["type"] == "message":
            yield from text_steps(turn.text, at_item)
        else:
            yield from call_steps(call_of(item, turn, request), at_item)
        yield {"type": "response.output_item.done", **at, "item": done(item, turn, request)}
    word = "incomplete" if turn.finished_by in CUT_BY else "completed"
    yield {"type": f"response.{word}", "response": whole(turn, request)}


def text_steps(said: str, at: Json) -> Iterator[Json]:
    """Build the events of a text."""
    at = at | {"content_index": 0}
    yield {"type": "response.content_part.added", **at, "part": text_part("")}
    for piece in pieces(said):
        yield {"type": "response.output_text.delta", **at, "delta": piece, "logprobs": []}
    yield {"type": "response.output_text.done", **at, "text": said, "logprobs": []}
    yield {"type": "response.content_part.done", **at, "part": text_part(said)}


def call_steps(call: Call, at: Json) -> Iterator[Json]:
    """Build the events of a call's arguments."""
    for piece in pieces(call.arguments_text):
        yield {"type": "response.function_call_arguments.delta", **at, "delta": piece}
    said = {"name": call.name, "arguments": call.arguments_text}
    yield {"type": "response.function_call_arguments.done", **at, **said}


def opened(turn: Turn, request: ModelRequest) -> Sequence[Json]:
    """Build the items of a reply as they begin: without their content."""
    head = {"status": "in_progress"}
    message: Json = {
        "id": reply_id("msg_", request),
        "type": "message",
        **head,
        "role": "assistant",
    }
    calls: list[Json] = [
        {
            "id": f"fc_{call_id(request, index)}",
            "type": "function_call",
            **head,
            "call_id": call_id(request, index),
            "name": call.name,
            "arguments": "",
        }
        for index, call in enumerate(turn.calls)
    ]
    return [message | {"content": []}, *calls] if has_text(turn) else calls


def done(item: Json, turn: Turn, request: ModelRequest) -> Json:
    """Build an item as it ends; the last one of a reply that was cut is not whole."""
    is_last = item["id"] == opened(turn, request)[-1]["id"]
    ended = item | {"status": status(turn) if is_last else "completed"}
    if item["type"] == "message":
        return ended | {"content": [text_part(turn.text)]}
    return ended | {"arguments": call_of(item, turn, request).arguments_text}


def call_of(item: Json, turn: Turn, request: ModelRequest) -> Call:
    """Return the call that an item stands for."""
    ids = [call_id(request, index) for index in range(len(turn.calls))]
    return turn.calls[ids.index(str(item["call_id"]))]


def status(turn: Turn) -> str:
    """Say whether a reply came to its end."""
    return "incomplete" if turn.finished_by in CUT_BY else "completed"


def text_part(said: str) -> Json:
    """Build the one part of a message."""
    return {"type": "output_text", "text": said, "annotations": [], "logprobs": []}


def envelope(request: ModelRequest) -> Json:
    """Build a reply that has just begun; nothing in it depends on a clock."""
    asked = request.settings.as_given
    return {
        "id": reply_id("resp_", request),
        "object": "response",
        "created_at": 0,
        "status": "in_progress",
        "error": None,
        "incomplete_details": None,
        "instructions": asked.get("instructions"),
        "metadata": {},
        "model": request.model,
        "output": [],
        "text": {"format": {"type": "text"}},
        "tools": [],
        "usage": None,
        **{name: asked.get(name, value) for name, value in REPEATED.items()},
    }


def usage(read: int, wrote: int) -> Json:
    """Build the usage: a quarter of the characters, rounded up; nothing is cached."""
    return {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": wrote,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": read + wrote,
    }


def compacted(request: ModelRequest) -> Json:
    """Build a compacted history: what the user said, and one item that stands for the rest."""
    said = [one.text for one in request.messages if one.role == "user"]
    users = [
        {
            "id": f"{reply_id('msg_', request)}-{place}",
            "type": "message",
            "status": "completed",
            "role": "user",
            "content": [{"type": "input_text", "text": text}],
        }
        for place, text in enumerate(said)
    ]
    rest = {
        "id": reply_id("cmp_", request),
        "type": "compaction",
        "encrypted_content": f"ullage-scripted {request.fingerprint}",
    }
    return {
        "id": reply_id("resp_", request),
        "object": "response.compaction",
        "created_at": 0,
        "output": [*users, rest],
        "usage": usage(request.tokens, 0),
    }


def count(request: ModelRequest) -> Json:
    """Build the count of a prompt."""
    return {"object": "response.input_tokens", "input_tokens": request.tokens}


def error(refused: Refusal) -> Json:
    """Build an error; an overflow in the words that harnesses look for."""
    return openai_error(
        refused,
        "Your input exceeds the context window of this model. Please adjust your input and try "
        "again.",
        "input",
    )
