"""Turns as Gemini replies, whole or as a stream of events or of one list. Pure."""

import json
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

FINISH_REASONS: Mapping[FinishReason, str] = {
    "stop": "STOP",
    "length": "MAX_TOKENS",
    "tool_calls": "STOP",
    "content_filter": "SAFETY",
}
MALFORMED = "MALFORMED_FUNCTION_CALL"
ERRORS: Mapping[int, str] = {
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
}
METHODS = ["generateContent", "countTokens", "streamGenerateContent"]
WRITTEN = 8_192


def whole(turn: Turn, request: ModelRequest) -> Json:
    """Build a reply.

    A call is one object here. One whose arguments were cut short does not come at all, and the
    reason for the end says why, as Gemini does it.
    """
    said: list[Json] = [{"text": turn.text}] if has_text(turn) else []
    return last([*said, *calls(turn, request)], turn, request)


def events(turn: Turn, request: ModelRequest) -> Iterator[bytes]:
    """Build a stream: events, or one list where those were not asked for."""
    if not request.listed:
        yield from map(event, documents(turn, request))
        return
    for place, one in enumerate(documents(turn, request)):
        yield (b",\r\n" if place else b"[") + json.dumps(one).encode() + b"\n"
    yield b"]\n"


def documents(turn: Turn, request: ModelRequest) -> Iterator[Json]:
    """Build the documents of a stream: a piece of text or a call in each, the end in the last."""
    parts: list[Json] = [{"text": piece} for piece in pieces(turn.text)]
    parts += calls(turn, request)
    *before, final = [[part] for part in parts] or [[{"text": ""}] if has_text(turn) else []]
    for part in before:
        yield document(part, request)
    yield last(final, turn, request)


def document(parts: list[Json], request: ModelRequest, **end: object) -> Json:
    """Build a document that says `parts`; nothing in it depends on a clock."""
    content = {"parts": parts, "role": "model"}
    return {
        "candidates": [{"content": content, **end, "index": 0}],
        "modelVersion": request.model,
        "responseId": reply_id("", request),
    }


def last(parts: list[Json], turn: Turn, request: ModelRequest) -> Json:
    """Build the document that says `parts` and ends the reply."""
    ended = document(parts, request, finishReason=finish_reason(turn))
    return ended | {"usageMetadata": usage(turn, request)}


def calls(turn: Turn, request: ModelRequest) -> list[Json]:
    """Build a part for each call whose arguments are an object."""
    return [
        {"functionCall": {"id": call_id(request, index), "name": call.name, "args": arguments}}
        for index, call in enumerate(turn.calls)
        if (arguments := call.arguments_object) is not None
    ]


def finish_reason(turn: Turn) -> str:
    """Return the reason for the end."""
    is_broken = any(call.arguments_object is None for call in turn.calls)
    if is_broken and turn.finished_by != "length":
        return MALFORMED
    return FINISH_REASONS[turn.finished_by]


def usage(turn: Turn, request: ModelRequest) -> Json:
    """Build the usage: a quarter of the characters, rounded up; nothing is cached."""
    wrote = tokens_said(turn)
    return {
        "promptTokenCount": request.tokens,
        "candidatesTokenCount": wrote,
        "totalTokenCount": request.tokens + wrote,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": request.tokens}],
    }


def count(request: ModelRequest) -> Json:
    """Build the count of a prompt."""
    return {"totalTokens": request.tokens}


def error(refused: Refusal) -> Json:
    """Build an error; an overflow in the words that harnesses look for."""
    word = ERRORS.get(refused.status, "INTERNAL" if refused.status >= 500 else "INVALID_ARGUMENT")
    message = refused.message
    if refused.kind == "overflow":
        message = (
            f"The input token count ({refused.tokens}) exceeds the maximum number of tokens "
            f"allowed ({refused.window})."
        )
    return {"error": {"code": refused.status, "message": message, "status": word}}


def model_list(names: list[str]) -> Json:
    """List the models."""
    return {"models": [one_model(name) for name in names]}


def one_model(name: str) -> Json:
    """Describe a model."""
    return {
        "name": f"models/{name}",
        "version": "1",
        "displayName": name,
        "inputTokenLimit": WINDOW,
        "outputTokenLimit": WRITTEN,
        "supportedGenerationMethods": METHODS,
    }
