"""Turns as OpenAI chat replies, whole or as a stream of events. Pure."""

from collections.abc import Iterator, Mapping

from ullage.probe.request import ModelRequest
from ullage.probe.said import (
    FINGERPRINT,
    Json,
    call_id,
    event,
    has_text,
    pieces,
    reply_id,
    tokens_said,
)
from ullage.probe.script import Refusal, Turn

DONE = b"data: [DONE]\n\n"


def whole(turn: Turn, request: ModelRequest) -> Json:
    """Build the `chat.completion` object of a reply."""
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": content(turn), **calls(turn, request)},
        "logprobs": None,
        "finish_reason": turn.finished_by,
    }
    return envelope("chat.completion", request, [choice]) | {"usage": usage(turn, request)}


def events(turn: Turn, request: ModelRequest) -> Iterator[bytes]:
    """Build the events of a streamed reply, `[DONE]` included."""
    for chunk in chunks(turn, request):
        yield event(chunk)
    yield DONE


def chunks(turn: Turn, request: ModelRequest) -> Iterator[Json]:
    """Build the `chat.completion.chunk` objects: role, pieces, finish, and usage if asked for."""
    for delta in deltas(turn, request):
        yield chunk(request, delta, None)
    yield chunk(request, {}, turn.finished_by)
    if request.include_usage:
        last = envelope("chat.completion.chunk", request, [])
        yield last | {"usage": usage(turn, request)}


def deltas(turn: Turn, request: ModelRequest) -> Iterator[Json]:
    """Build the pieces of a message: its text, then each call with its arguments in pieces."""
    yield {"role": "assistant", "content": "" if has_text(turn) else None}
    for piece in pieces(turn.text):
        yield {"content": piece}
    for index, call in enumerate(turn.calls):
        function = {"name": call.name, "arguments": ""}
        opened = {"id": call_id(request, index), "type": "function", "function": function}
        yield {"tool_calls": [{"index": index, **opened}]}
        for piece in pieces(call.arguments_text):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def chunk(request: ModelRequest, delta: Mapping[str, object], finish: str | None) -> Json:
    """Build one chunk; with usage asked for, all but the last say that it is not there yet."""
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    made = envelope("chat.completion.chunk", request, [choice])
    return made | {"usage": None} if request.include_usage else made


def envelope(kind: str, request: ModelRequest, choices: list[Json]) -> Json:
    """Build what whole replies and chunks share; nothing in it depends on a clock."""
    return {
        "id": reply_id("chatcmpl-", request),
        "object": kind,
        "created": 0,
        "model": request.model,
        "system_fingerprint": FINGERPRINT,
        "choices": choices,
    }


def content(turn: Turn) -> str | None:
    """Return the text, or null where the reply is calls alone."""
    return turn.text if has_text(turn) else None


def calls(turn: Turn, request: ModelRequest) -> Json:
    """Build the `tool_calls` member, where there is one."""
    made = [
        {
            "id": call_id(request, index),
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments_text},
        }
        for index, call in enumerate(turn.calls)
    ]
    return {"tool_calls": made} if made else {}


def usage(turn: Turn, request: ModelRequest) -> Json:
    """Estimate the tokens as a quarter of the characters, rounded up; no tokenizer is involved."""
    prompt, completed = request.tokens, tokens_said(turn)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completed,
        "total_tokens": prompt + completed,
    }


def error(refused: Refusal) -> Json:
    """Build an error; an overflow in the words that harnesses look for."""
    return openai_error(
        refused,
        f"This model's maximum context length is {refused.window} tokens. However, your messages "
        f"resulted in {refused.tokens} tokens. Please reduce the length of the messages.",
        "messages",
    )


def openai_error(refused: Refusal, overflow: str, prompt: str) -> Json:
    """Build an error in OpenAI's shape; `prompt` is the member that an overflow is laid to."""
    code, where, message = None, None, refused.message
    if refused.kind == "overflow":
        code, where, message = "context_length_exceeded", prompt, overflow
    elif refused.kind == "not-held":
        code, where = "previous_response_not_found", "previous_response_id"
    elif refused.status == 429:
        code = "rate_limit_exceeded"
    kind = "server_error" if refused.status >= 500 else "invalid_request_error"
    kind = "requests" if refused.status == 429 else kind
    return {"error": {"message": message, "type": kind, "param": where, "code": code}}


def model_list(names: list[str]) -> Json:
    """List the models."""
    return {"object": "list", "data": [one_model(name) for name in names]}


def one_model(name: str) -> Json:
    """Describe a model."""
    return {"id": name, "object": "model", "created": 0, "owned_by": FINGERPRINT}
