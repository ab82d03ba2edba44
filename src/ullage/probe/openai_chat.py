"""Turns as OpenAI chat replies, whole or as a stream of events. Pure."""

import json
import math
from collections.abc import Iterator, Mapping

from ullage.probe.request import ModelRequest
from ullage.probe.script import Turn

MODEL = "scripted"
FINGERPRINT = "ullage-scripted"
DONE = b"data: [DONE]\n\n"

Json = dict[str, object]

# Small and not a divisor of common lengths, so that readers meet every kind of split.
PIECE = 7


def completion(turn: Turn, request: ModelRequest) -> Json:
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
        yield b"data: " + json.dumps(chunk).encode() + b"\n\n"
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
    yield {"role": "assistant", "content": None if turn.calls else ""}
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
        "id": f"chatcmpl-scripted-{request.assistant_messages}-{request.fingerprint}",
        "object": kind,
        "created": 0,
        "model": MODEL,
        "system_fingerprint": FINGERPRINT,
        "choices": choices,
    }


def content(turn: Turn) -> str | None:
    """Return the text, or null where the reply is calls."""
    return None if turn.calls else turn.text


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


def call_id(request: ModelRequest, index: int) -> str:
    """Name a call: the same in the same request, another in every other."""
    return f"call_{request.assistant_messages}_{request.fingerprint}_{index}"


def usage(turn: Turn, request: ModelRequest) -> Json:
    """Estimate the tokens as a quarter of the characters, rounded up; no tokenizer is involved."""
    said = len(turn.text) + sum(len(call.name + call.arguments_text) for call in turn.calls)
    prompt, completed = math.ceil(request.chars / 4), math.ceil(said / 4)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completed,
        "total_tokens": prompt + completed,
    }


def pieces(text: str) -> Iterator[str]:
    """Split a text for streaming; nothing is left out."""
    for start in range(0, len(text), PIECE):
        yield text[start : start + PIECE]
