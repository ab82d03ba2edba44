"""Strands' messages as Anthropic's, one for one, and back: calls and results stand in blocks."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ullage.integrate.adapters.carried import Kind
from ullage.integrate.adapters.entries import Entry, sent_as

Block = dict[str, Any]
PLACE = "title"
"""Under this name a block that is no text, call or result says which of its message it is."""


def as_anthropic(messages: Sequence[Mapping[str, Any]]) -> list[Block]:
    """Return what a history says; it is measured and not sent."""
    return [
        {
            "role": one["role"],
            "content": [block_of(at, block) for at, block in enumerate(one["content"])],
            **({"protected": True} if is_pinned(one) else {}),
        }
        for one in messages
    ]


def is_pinned(message: Mapping[str, Any]) -> bool:
    """Whether a message is pinned, as Strands' own trims know it."""
    custom = (message.get("metadata") or {}).get("custom") or {}
    return custom.get("pinned") is True


def block_of(at: int, block: Mapping[str, Any]) -> Block:
    """Return one block; what Anthropic has no name for is a document without a text."""
    if "text" in block:
        return {"type": "text", "text": block["text"]}
    if "toolUse" in block:
        use = block["toolUse"]
        return {
            "type": "tool_use",
            "id": use["toolUseId"],
            "name": use["name"],
            "input": use["input"],
        }
    if "toolResult" in block:
        result = block["toolResult"]
        return {
            "type": "tool_result",
            "tool_use_id": result["toolUseId"],
            "content": [said_of(one) for one in result["content"]],
            **({"is_error": True} if result.get("status") == "error" else {}),
        }
    return {"type": "document", PLACE: str(at)}


def said_of(block: Mapping[str, Any]) -> Block:
    """Return a block of a result."""
    text = text_in(block)
    return {"type": "document"} if text is None else {"type": "text", "text": text}


def text_in(block: Mapping[str, Any]) -> str | None:
    """Return the text of a block of a result; None of an image or a file."""
    if "text" in block:
        text: str = block["text"]
        return text
    return json.dumps(block["json"], ensure_ascii=False) if "json" in block else None


def as_messages(
    given: Sequence[Mapping[str, Any]], said: Sequence[Mapping[str, Any]], entries: Sequence[Entry]
) -> list[Mapping[str, Any]]:
    """Return the messages to send: the very objects, where they say the same."""
    return sent_as(given, said, entries, new=new_message, reworded=reworded)


def new_message(said: Mapping[str, Any]) -> Block:
    """Return a message of ours."""
    content = said["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return {"role": said["role"], "content": [back({}, one) for one in blocks]}


def reworded(
    message: Mapping[str, Any], was: Mapping[str, Any], said: Mapping[str, Any] | None
) -> Mapping[str, Any]:
    """Return a message that says something else; blocks that say the same stay as they are."""
    if said is None or said["content"] == was["content"]:
        return message
    content = said["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    own = {json.dumps(name_of(one)): at for at, one in reversed(list(enumerate(was["content"])))}
    made = []
    for block in blocks:
        at = own.get(json.dumps(name_of(block)))
        same = at is not None and was["content"][at] == block
        given = {} if at is None else message["content"][at]
        made.append(given if same else back(given, block))
    return {**message, "content": made}


def name_of(block: Mapping[str, Any]) -> list[Any]:
    """Return what tells a block from the others of its message."""
    kind = block["type"]
    key = {"tool_use": "id", "tool_result": "tool_use_id", "text": "text"}.get(kind, PLACE)
    return [kind, block.get(key)]


def back(given: Mapping[str, Any], block: Mapping[str, Any]) -> Block:
    """Return a block of ours as Strands has it; `given` is the one that it stands for."""
    if block["type"] == "tool_result":
        content = block["content"]
        texts = [content] if isinstance(content, str) else [one["text"] for one in content]
        result = given.get("toolResult", {"toolUseId": block["tool_use_id"], "status": "success"})
        return {"toolResult": {**result, "content": [{"text": one} for one in texts]}}
    return {"text": block["text"]}


def text_of(message: Mapping[str, Any]) -> str:
    """Return the texts of a message, without those of its results."""
    return "".join(one["text"] for one in message["content"] if "text" in one)


KIND: Kind[Mapping[str, Any]] = Kind(
    is_user=lambda one: (
        one["role"] == "user" and not any("toolResult" in block for block in one["content"])
    ),
    is_reply=lambda one: one["role"] == "assistant",
    text=text_of,
    make=lambda text: {"role": "user", "content": [{"text": text}]},
)
