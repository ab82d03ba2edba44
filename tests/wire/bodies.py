"""Bodies by hand, one of each shape, and the streams that say the same."""

import json
from collections.abc import Sequence
from typing import Any


def body(document: Any) -> bytes:
    return json.dumps(document).encode()


def stream(*documents: Any, named: bool = False, done: bool = False) -> bytes:
    """A stream of events, one a document."""
    lines = [
        (f"event: {one['type']}\n" if named else "") + f"data: {json.dumps(one)}\n\n"
        for one in documents
    ]
    return ("".join(lines) + ("data: [DONE]\n\n" if done else "")).encode()


def chunk(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "model": "m", "choices": [choice]}


def piece(arguments: str, **more: Any) -> dict[str, Any]:
    """A piece of a chat call."""
    return {"index": 0, "function": {"arguments": arguments, **more.pop("function", {})}, **more}


CHAT_STREAM = stream(
    chunk(role="assistant", content=""),
    chunk(reasoning_content="let me see"),
    chunk(content="I will "),
    chunk(content="look."),
    chunk(tool_calls=[piece("", id="call_1", function={"name": "find"})]),
    chunk(tool_calls=[piece('{"na')]),
    chunk(tool_calls=[piece('me":"é"}')]),
    chunk(finish="tool_calls"),
    {"choices": [], "usage": {"prompt_tokens": 90, "completion_tokens": 12}},
    done=True,
)


def response(status: str = "completed", **more: Any) -> dict[str, Any]:
    return {
        "id": "resp_1",
        "object": "response",
        "status": status,
        "model": "m",
        "output": [],
        "truncation": "disabled",
        **more,
    }


def said(text: str) -> dict[str, Any]:
    return {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": text}],
    }


CALLED = {"type": "function_call", "call_id": "call_1", "name": "find", "arguments": '{"name":"é"}'}
RESPONSES_USAGE = {
    "input_tokens": 90,
    "input_tokens_details": {"cached_tokens": 40},
    "output_tokens": 12,
    "output_tokens_details": {"reasoning_tokens": 5},
}


def event(kind: str, **members: Any) -> dict[str, Any]:
    return {"type": kind, **members}


RESPONSES_PIECES: Sequence[dict[str, Any]] = [
    event("response.created", response=response("in_progress")),
    event("response.output_item.added", output_index=0, item={"type": "message", "content": []}),
    event("response.output_text.delta", output_index=0, delta="I will "),
    event("response.output_text.delta", output_index=0, delta="look."),
    event("response.output_item.done", output_index=0, item=said("I will look.")),
    event("response.output_item.added", output_index=1, item={**CALLED, "arguments": ""}),
    event("response.function_call_arguments.delta", output_index=1, delta='{"na'),
    event("response.function_call_arguments.delta", output_index=1, delta='me":"é"}'),
    event("response.output_item.done", output_index=1, item=CALLED),
]
RESPONSES_STREAM = stream(
    *RESPONSES_PIECES,
    event(
        "response.completed",
        response=response(output=[said("I will look."), CALLED], usage=RESPONSES_USAGE),
    ),
    named=True,
)

ANTHROPIC_USAGE = {
    "input_tokens": 30,
    "cache_creation_input_tokens": 20,
    "cache_read_input_tokens": 40,
    "output_tokens": 1,
}
ANTHROPIC_STREAM = stream(
    event("message_start", message={"model": "m", "content": [], "usage": ANTHROPIC_USAGE}),
    event("content_block_start", index=0, content_block={"type": "thinking", "thinking": ""}),
    event("content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": "let me"}),
    event("content_block_delta", index=0, delta={"type": "signature_delta", "signature": "x"}),
    event("content_block_stop", index=0),
    event("ping"),
    event("content_block_start", index=1, content_block={"type": "text", "text": ""}),
    event("content_block_delta", index=1, delta={"type": "text_delta", "text": "I will "}),
    event("content_block_delta", index=1, delta={"type": "text_delta", "text": "look."}),
    event("content_block_stop", index=1),
    event(
        "content_block_start",
        index=2,
        content_block={"type": "tool_use", "id": "call_1", "name": "find", "input": {}},
    ),
    event("content_block_delta", index=2, delta={"type": "input_json_delta", "partial_json": ""}),
    event(
        "content_block_delta", index=2, delta={"type": "input_json_delta", "partial_json": '{"na'}
    ),
    event(
        "content_block_delta",
        index=2,
        delta={"type": "input_json_delta", "partial_json": 'me":"é"}'},
    ),
    event("content_block_stop", index=2),
    event("message_delta", delta={"stop_reason": "tool_use"}, usage={"output_tokens": 12}),
    event("message_stop"),
    named=True,
)


def candidate(*parts: Any, finish: str | None = None, **more: Any) -> dict[str, Any]:
    one: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    if finish is not None:
        one["finishReason"] = finish
    return {"candidates": [one], "modelVersion": "m", **more}


GEMINI_USAGE = {
    "promptTokenCount": 90,
    "cachedContentTokenCount": 40,
    "candidatesTokenCount": 7,
    "thoughtsTokenCount": 5,
}
GEMINI_CHUNKS = [
    candidate({"text": "let me", "thought": True}),
    candidate({"text": "I will "}),
    candidate({"text": "look."}),
    candidate(
        {"functionCall": {"id": "call_1", "name": "find", "args": {"name": "é"}}},
        finish="STOP",
        usageMetadata=GEMINI_USAGE,
    ),
]
GEMINI_STREAM = stream(*GEMINI_CHUNKS)
GEMINI_LIST = json.dumps(GEMINI_CHUNKS, indent=1).encode()
