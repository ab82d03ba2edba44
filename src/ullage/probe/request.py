"""What the scripted model reads in a chat request. Pure."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

OUR_CALL = re.compile(r"\bcall_\d+_[0-9a-f]{8}_\d+\b")
"""The id of a call that the scripted model made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """A chat request as far as the script needs it; `tools` is None where none were sent along.

    `chars` counts the texts: contents, calls with their arguments, and tool definitions.
    `fingerprint` tells requests apart, so that ids differ between conversations. `answered` tells
    that a call was made in this turn of the user's, and its result is there.
    """

    assistant_messages: int
    tools: tuple[str, ...] | None
    chars: int
    stream: bool
    include_usage: bool
    fingerprint: str
    answered: bool = False


def read_request(body: Mapping[str, object]) -> ChatRequest:
    """Read a body; members that are missing or of another shape count as absent."""
    messages = objects(body.get("messages"))
    tools = objects(body["tools"]) if body.get("tools") else None
    options = body.get("stream_options")
    wire = json.dumps(body, sort_keys=True).encode()
    return ChatRequest(
        assistant_messages=sum(message.get("role") == "assistant" for message in messages),
        tools=None if tools is None else tuple(tool_name(tool) for tool in tools),
        chars=sum(len(text) for message in messages for text in texts(message))
        + sum(len(json.dumps(tool, ensure_ascii=False)) for tool in tools or ()),
        stream=body.get("stream") is True,
        include_usage=isinstance(options, dict) and options.get("include_usage") is True,
        fingerprint=hashlib.sha256(wire).hexdigest()[:8],
        answered=is_answered(messages),
    )


def is_answered(messages: Sequence[Mapping[str, object]]) -> bool:
    """Whether a call was made since the user spoke last.

    Some harnesses send results as the user's words: then the last reply is a call of ours.
    """
    if messages and messages[-1].get("role") == "tool":
        return True
    replies = [message for message in messages if message.get("role") == "assistant"]
    return bool(replies) and OUR_CALL.search(json.dumps(replies[-1])) is not None


def objects(value: object) -> list[dict[str, object]]:
    """Return the objects of a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def tool_name(tool: Mapping[str, object]) -> str:
    """Return a tool's name, nested under `function` or not."""
    function = tool.get("function")
    name = function.get("name") if isinstance(function, dict) else tool.get("name")
    return str(name)


def texts(message: Mapping[str, object]) -> Iterator[str]:
    """Yield what a message says: its content, whole or in parts, and its calls."""
    content = message.get("content")
    if isinstance(content, str):
        yield content
    for part in objects(content):
        if isinstance(part.get("text"), str):
            yield str(part["text"])
    for call in objects(message.get("tool_calls")):
        if isinstance(function := call.get("function"), dict):
            yield f"{function.get('name', '')}{function.get('arguments', '')}"
