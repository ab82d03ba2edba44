"""Turns as replies of Anthropic Messages, whole or as a stream of events. Pure."""

from collections.abc import Iterator, Mapping

from ullage.probe.request import ModelRequest
from ullage.probe.said import (
    WINDOW,
    Json,
    call_id,
    event,
    has_text,
    pieces,
    reply_id,
    tokens_said,
)
from ullage.probe.script import FinishReason, Refusal, Turn

STOP_REASONS: Mapping[FinishReason, str] = {
    "stop": "end_turn",
    "length": "max_tokens",
    "tool_calls": "tool_use",
    "content_filter": "refusal",
}
ERRORS: Mapping[int, str] = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


def whole(turn: Turn, request: ModelRequest) -> Json:
    """Build the `message` object of a reply.

    The arguments of a call are an object here: of a call that was cut short they are empty, where
    a stream gives the pieces that there are.
    """
    blocks = [
        block | {"input": call.arguments_object or {}}
        for block, call in zip(call_blocks(turn, request), turn.calls, strict=True)
    ]
    said = [text_block(turn.text)] if has_text(turn) else []
    return envelope(request) | {
        "content": [*said, *blocks],
        "stop_reason": STOP_REASONS[turn.finished_by],
        "usage": usage(request, tokens_said(turn)),
    }


def events(turn: Turn, request: ModelRequest) -> Iterator[bytes]:
    """Build the events of a streamed reply."""
    for made in steps(turn, request):
        yield event(made, str(made["type"]))


def steps(turn: Turn, request: ModelRequest) -> Iterator[Json]:
    """Build the events: the head, a sign of life, each block in pieces, the end."""
    yield {"type": "message_start", "message": envelope(request)}
    yield {"type": "ping"}
    said = [(text_block(""), text_deltas(turn.text))] if has_text(turn) else []
    called = [
        (block, argument_deltas(call.arguments_text))
        for block, call in zip(call_blocks(turn, request), turn.calls, strict=True)
    ]
    for index, (block, deltas) in enumerate([*said, *called]):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": STOP_REASONS[turn.finished_by], "stop_sequence": None}
    counted = {"output_tokens": tokens_said(turn)}
    yield {"type": "message_delta", "delta": delta, "usage": counted}
    yield {"type": "message_stop"}


def text_block(said: str) -> Json:
    """Build a block of text."""
    return {"type": "text", "text": said}


def call_blocks(turn: Turn, request: ModelRequest) -> list[Json]:
    """Build a block for each call, as it begins: without arguments."""
    return [
        {"type": "tool_use", "id": call_id(request, index), "name": call.name, "input": {}}
        for index, call in enumerate(turn.calls)
    ]


def text_deltas(said: str) -> Iterator[Json]:
    """Build the pieces of a text."""
    for piece in pieces(said):
        yield {"type": "text_delta", "text": piece}


def argument_deltas(said: str) -> Iterator[Json]:
    """Build the pieces of a call's arguments; the first one is empty, as Anthropic sends it."""
    for piece in ("", *pieces(said)):
        yield {"type": "input_json_delta", "partial_json": piece}


def envelope(request: ModelRequest) -> Json:
    """Build a message that has just begun; nothing in it depends on a clock."""
    return {
        "id": reply_id("msg_", request),
        "type": "message",
        "role": "assistant",
        "model": request.model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage(request, 0),
    }


def usage(request: ModelRequest, wrote: int) -> Json:
    """Build the usage: a quarter of the characters, rounded up; nothing is cached."""
    return {
        "input_tokens": request.tokens,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": wrote,
        "service_tier": "standard",
    }


def count(request: ModelRequest) -> Json:
    """Build the count of a prompt."""
    return {"input_tokens": request.tokens}


def error(refused: Refusal) -> Json:
    """Build an error; an overflow in the words that harnesses look for."""
    kind = ERRORS.get(
        refused.status, "api_error" if refused.status >= 500 else "invalid_request_error"
    )
    message = refused.message
    if refused.kind == "overflow":
        message = f"prompt is too long: {refused.tokens} tokens > {refused.window} maximum"
    return {"type": "error", "error": {"type": kind, "message": message}}


def model_list(names: list[str]) -> Json:
    """List the models."""
    return {
        "data": [one_model(name) for name in names],
        "has_more": False,
        "first_id": names[0] if names else None,
        "last_id": names[-1] if names else None,
    }


def one_model(name: str) -> Json:
    """Describe a model."""
    return {
        "type": "model",
        "id": name,
        "display_name": name,
        "created_at": "1970-01-01T00:00:00Z",
        "lifecycle": "active",
        "max_input_tokens": WINDOW,
    }
