"""Agno's messages as messages of a chat, one for one, and back."""

from collections.abc import Mapping, Sequence
from typing import Any

from agno.models.message import Message

from ullage.integrate.adapters.carried import Kind
from ullage.integrate.adapters.entries import Entry, sent_as

ROLES = {
    "system": "system",
    "developer": "system",
    "assistant": "assistant",
    "model": "assistant",
    "tool": "tool",
}
MEDIA = ("images", "audio", "videos", "files")


def as_chat(messages: Sequence[Message], *, compressed: bool = False) -> list[dict[str, Any]]:
    """Return what a history says; it is measured and not sent.

    `compressed`: where the framework has a shorter text for a result, that is what it sends.
    """
    return [chat_message(one, compressed=compressed) for one in messages]


def chat_message(message: Message, *, compressed: bool) -> dict[str, Any]:
    """Return one message as a message of a chat."""
    role = ROLES.get(message.role, "user")
    said: dict[str, Any] = {"role": role, "content": content_of(message, compressed=compressed)}
    if role == "assistant" and message.tool_calls:
        return {**said, "tool_calls": message.tool_calls}
    if role == "tool" and message.tool_call_id:
        return {**said, "tool_call_id": message.tool_call_id}
    # Of an older kind, which holds several results: it is passed on as it is.
    return {**said, "role": "user"} if role == "tool" else said


def content_of(message: Message, *, compressed: bool) -> Any:
    """Return what a message says: a text, or blocks where there is more than that."""
    shorter = getattr(message, "compressed_content", None) if compressed else None
    given = message.content if shorter is None else shorter
    media = [{"type": "file"} for name in MEDIA if getattr(message, name)]
    if isinstance(given, str) and not media:
        return given
    blocks = given if isinstance(given, list) else [{"type": "text", "text": given or ""}]
    held = [one if isinstance(one, dict) else {"type": "text", "text": str(one)} for one in blocks]
    return [*held, *media] if held or media else ""


def as_messages(
    given: Sequence[Message], chat: Sequence[Mapping[str, Any]], entries: Sequence[Entry]
) -> list[Message]:
    """Return the messages to send: the very objects, where they say the same."""
    return sent_as(given, chat, entries, new=new_message, reworded=reworded)


def reworded(message: Message, chat: Mapping[str, Any], said: Mapping[str, Any] | None) -> Message:
    """Return a message with another content; its id, calls and media stay."""
    if said is None or said.get("content") == chat["content"]:
        return message
    return message.model_copy(update={"content": said["content"], "compressed_content": None})


def new_message(said: Mapping[str, Any]) -> Message:
    """Return a message of ours."""
    return Message(
        role=said["role"], content=said["content"], tool_call_id=said.get("tool_call_id")
    )


KIND: Kind[Message] = Kind(
    is_user=lambda one: bool(one.role == "user"),
    is_reply=lambda one: ROLES.get(one.role) == "assistant",
    text=lambda one: one.content if isinstance(one.content, str) else "",
    make=lambda text: Message(role="user", content=text),
)
