"""LlamaIndex's messages as messages of a chat, one for one, and back."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, TextBlock

from ullage.integrate.adapters.carried import Kind
from ullage.integrate.adapters.entries import Entry, sent_as

ROLES = {
    "system": "system",
    "developer": "system",
    "assistant": "assistant",
    "chatbot": "assistant",
    "model": "assistant",
    "tool": "tool",
    "function": "tool",
}
NOT_SAID = ("tool_call", "cache")
"""Blocks of a message that are no part of what it says."""


def as_chat(messages: Sequence[ChatMessage]) -> list[dict[str, Any]]:
    """Return what a history says; it is measured and not sent."""
    return [chat_message(one) for one in messages]


def role_of(message: ChatMessage) -> str:
    """Return who a message is from, in the words of a chat."""
    return ROLES.get(message.role, "user")


def chat_message(message: ChatMessage) -> dict[str, Any]:
    """Return one message as a message of a chat."""
    role, more = role_of(message), message.additional_kwargs
    said: dict[str, Any] = {"role": role, "content": content_of(message)}
    calls = list(calls_of(message))
    if role == "assistant" and calls:
        return {**said, "tool_calls": calls}
    call = more.get("tool_call_id") or more.get("call_id")
    if role == "tool" and call:
        return {**said, "tool_call_id": call}
    return {**said, "role": "user"} if role == "tool" else said


def content_of(message: ChatMessage) -> Any:
    """Return what a message says: a text, or blocks where there is more than that."""
    held = [one for one in message.blocks if one.block_type not in NOT_SAID]
    if all(isinstance(one, TextBlock) for one in held):
        return "".join(one.text for one in held)
    return [said_in(one) for one in held]


def said_in(block: Any) -> dict[str, Any]:
    """Return a block; a file stands for all that is no text."""
    if isinstance(block, TextBlock):
        return {"type": "text", "text": block.text}
    if block.block_type == "thinking":
        return {"type": "text", "text": block.content or ""}
    return {"type": "file"}


def calls_of(message: ChatMessage) -> Iterator[dict[str, Any]]:
    """Yield the calls of a reply: blocks, or what older models' classes keep beside them."""
    blocks = [one for one in message.blocks if one.block_type == "tool_call"]
    for one in blocks:
        given = one.tool_kwargs
        arguments = given if isinstance(given, str) else json.dumps(given)
        function = {"name": one.tool_name, "arguments": arguments}
        yield {"id": one.tool_call_id, "type": "function", "function": function}
    for one in () if blocks else message.additional_kwargs.get("tool_calls") or ():
        yield one if isinstance(one, dict) else one.model_dump()


def as_messages(
    given: Sequence[ChatMessage], chat: Sequence[Mapping[str, Any]], entries: Sequence[Entry]
) -> list[ChatMessage]:
    """Return the messages to send: the very objects, where they say the same."""
    return sent_as(given, chat, entries, new=new_message, reworded=reworded)


def reworded(
    message: ChatMessage, chat: Mapping[str, Any], said: Mapping[str, Any] | None
) -> ChatMessage:
    """Return a message with other texts, where the first one stood; its calls and files stay."""
    if said is None or said.get("content") == chat["content"]:
        return message
    texts = [TextBlock(text=one) for one in texts_in(said["content"])]
    at = next((at for at, one in enumerate(message.blocks) if isinstance(one, TextBlock)), 0)
    before, behind = (
        [one for one in part if not isinstance(one, TextBlock)]
        for part in (message.blocks[:at], message.blocks[at:])
    )
    return message.model_copy(update={"blocks": [*before, *texts, *behind]})


def texts_in(content: Any) -> list[str]:
    """Return the texts of what a message says."""
    if isinstance(content, str):
        return [content]
    return [one["text"] for one in content if one.get("type") == "text"]


def new_message(said: Mapping[str, Any]) -> ChatMessage:
    """Return a message of ours."""
    call = said.get("tool_call_id")
    return ChatMessage(
        role=said["role"],
        content=said["content"],
        additional_kwargs={"tool_call_id": call} if call else {},
    )


KIND: Kind[ChatMessage] = Kind(
    is_user=lambda one: bool(one.role == "user"),
    is_reply=lambda one: role_of(one) == "assistant",
    text=lambda one: one.content or "",
    make=lambda text: ChatMessage(role="user", content=text),
)
