"""What the reply to a `tools/call` gives to a model, as text. Pure; stdio and HTTP share it.

Read from the MCP schemas 2024-11-05 to 2026-07-28 (package `mcp-types` 2.3.0).
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Json = Mapping[str, object]

JOINT = "\n"
"""What clients put between text blocks differs; the join by content does not mind white space."""


CALL_ID = "claudecode/toolUseId"
"""Where Claude Code says which call of its model this is (measured with 2.1.332, 2026-11)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call as the client asked for it; `arguments` is canonical JSON.

    `call_id` is the model's name for the call, where the client says it.
    """

    tool: str
    arguments: str
    call_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Produced:
    """What a server returned for a call; `is_error` as the server says."""

    tool: str
    arguments: str
    text: str
    is_error: bool
    call_id: str | None = None


def call_of(params: object) -> ToolCall | None:
    """Read the `params` of a `tools/call`; None where they name no tool."""
    if not isinstance(params, Mapping) or not isinstance(name := params.get("name"), str):
        return None
    arguments = params.get("arguments")
    meta = params.get("_meta")
    call_id = meta.get(CALL_ID) if isinstance(meta, Mapping) else None
    return ToolCall(
        tool=name,
        arguments=canonical({} if arguments is None else arguments),
        call_id=call_id if isinstance(call_id, str) else None,
    )


def produced(call: ToolCall, reply: Json) -> Produced | None:
    """Read the reply to a call; None where it holds no result yet, or none that can be read.

    A JSON-RPC error counts as a result: clients show its message to the model.
    """
    if isinstance(error := reply.get("error"), Mapping):
        return made(call, str(error.get("message", "")), is_error=True)
    result = reply.get("result")
    if not isinstance(result, Mapping) or not is_final(result):
        return None
    return made(call, text_of(result), is_error=result.get("isError") is True)


def made(call: ToolCall, text: str, *, is_error: bool) -> Produced:
    """Put a call and what it gave together."""
    return Produced(
        tool=call.tool,
        arguments=call.arguments,
        text=text,
        is_error=is_error,
        call_id=call.call_id,
    )


def is_final(result: Json) -> bool:
    """Whether a result is the call's own: not a task's number, not a question to the client."""
    if result.get("resultType", "complete") != "complete":
        return False
    return any(name in result for name in ("content", "structuredContent", "toolResult"))


def task_of(reply: Json) -> str | None:
    """Return the task that a server started instead of answering at once, where it did."""
    result = reply.get("result")
    task = result.get("task") if isinstance(result, Mapping) else None
    name = task.get("taskId") if isinstance(task, Mapping) else None
    return name if isinstance(name, str) else None


def text_of(result: Json) -> str:
    """Return what a model is given of a `CallToolResult`.

    The text blocks, one under the other; where there are none, the structured content as JSON;
    where there is none either, each block by type and size. A picture beside texts is left out: a
    description that the model is never given would look like a loss.
    """
    content = result.get("content")
    blocks = content if isinstance(content, list) else []
    if texts := [block for block in blocks if is_text(block)]:
        return JOINT.join(map(block_text, texts))
    structured = result.get("structuredContent", result.get("toolResult"))
    if structured is not None:
        return compact(structured)
    return JOINT.join(map(block_text, blocks))


def is_text(block: object) -> bool:
    """Whether a block carries text of its own."""
    if not isinstance(block, Mapping):
        return False
    if block.get("type") == "resource":
        resource = block.get("resource")
        return isinstance(resource, Mapping) and isinstance(resource.get("text"), str)
    return isinstance(block.get("text"), str)


def block_text(block: object) -> str:
    """Return one block as text."""
    if not isinstance(block, Mapping):
        return compact(block)
    describe = BLOCKS.get(str(block.get("type")), other_text)
    return describe(block)


def plain_text(block: Json) -> str:
    """Return a text block's text."""
    text = block.get("text")
    return text if isinstance(text, str) else other_text(block)


def media_text(block: Json) -> str:
    """Describe an image or a sound: its bytes are not kept."""
    return f"[{block.get('type')}: {block.get('mimeType')}, {bytes_in(block.get('data'))} bytes]"


def resource_text(block: Json) -> str:
    """Return an embedded text, or describe what is not text."""
    resource = block.get("resource")
    if not isinstance(resource, Mapping):
        return other_text(block)
    if isinstance(text := resource.get("text"), str):
        return text
    size = bytes_in(resource.get("blob"))
    return f"[resource {resource.get('uri')}: {resource.get('mimeType')}, {size} bytes]"


def link_text(block: Json) -> str:
    """Describe a link to a resource."""
    return f"[resource link {block.get('uri')}: {block.get('name')}]"


def other_text(block: Json) -> str:
    """Return a block of a type that is not known as JSON."""
    return compact(block)


BLOCKS: Mapping[str, Callable[[Json], str]] = {
    "text": plain_text,
    "image": media_text,
    "audio": media_text,
    "resource": resource_text,
    "resource_link": link_text,
}


def bytes_in(data: object) -> int:
    """Return how many bytes a base64 text stands for."""
    if not isinstance(data, str):
        return 0
    return len(data.rstrip("=")) * 3 // 4


def canonical(value: object) -> str:
    """Write arguments as the other tool taps do: two spellings of one call are equal."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def compact(value: object) -> str:
    """Write a value as compact JSON, its members in the server's order."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
