"""Pydantic AI's messages as messages of a chat, part by part, and back."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic_ai.messages import (
    BinaryContent,
    ImageUrl,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from ullage.integrate.adapters.entries import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a message of the chat comes from; `part` is None where it is the whole message."""

    message: int
    part: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """A history as messages of a chat, and where each one comes from.

    It is measured and not sent. Parts that say nothing to the model stay with their message.
    """

    messages: list[dict[str, Any]]
    places: list[Place]


def as_chat(history: Sequence[ModelMessage]) -> Chat:
    """Return what a history says: a reply is one message, a request one for each of its parts."""
    chat = Chat(messages=[], places=[])
    for at, message in enumerate(history):
        for part, said in spoken(message):
            chat.messages.append(said)
            chat.places.append(Place(message=at, part=part))
    return chat


def spoken(message: ModelMessage) -> Iterator[tuple[int | None, dict[str, Any]]]:
    """Yield what a message says, each with the part that says it."""
    if isinstance(message, ModelResponse):
        yield None, reply(message)
        return
    silent = True
    for at, part in enumerate(message.parts):
        said = request_part(part)
        if said is not None:
            silent = False
            yield at, said
    if silent:  # of no use to shorten, and not to be lost: it stays as system texts stay
        yield None, {"role": "system", "content": ""}


def reply(message: ModelResponse) -> dict[str, Any]:
    """Return a reply of the model with its calls."""
    text = "".join(part.content for part in message.parts if isinstance(part, TextPart))
    calls = [
        {
            "id": part.tool_call_id,
            "type": "function",
            "function": {"name": part.tool_name, "arguments": part.args_as_json_str()},
        }
        for part in message.parts
        if isinstance(part, ToolCallPart)
    ]
    said: dict[str, Any] = {"role": "assistant", "content": text}
    return {**said, "tool_calls": calls} if calls else said


def request_part(part: Any) -> dict[str, Any] | None:
    """Return what a part of a request says; None for one that the model is not shown."""
    if isinstance(part, SystemPromptPart):
        return {"role": "system", "content": part.content}
    if isinstance(part, UserPromptPart):
        return {"role": "user", "content": content_of(part.content)}
    if isinstance(part, ToolReturnPart):
        text = part.model_response_str()
        shown = [{"type": "text", "text": text}, *map(block, part.files)] if part.files else text
        return {"role": "tool", "tool_call_id": part.tool_call_id, "content": shown}
    words = getattr(part, "model_response", None)  # what asks for another try
    if not callable(words):
        return None
    if getattr(part, "tool_name", None):
        return {"role": "tool", "tool_call_id": part.tool_call_id, "content": words()}
    return {"role": "user", "content": words()}


def content_of(content: Any) -> Any:
    """Return what a user said: a text, or blocks."""
    return content if isinstance(content, str) else [block(one) for one in content]


def block(item: Any) -> dict[str, Any]:
    """Return one item of a prompt as a block."""
    if isinstance(item, str):
        return {"type": "text", "text": item}
    if isinstance(item, ImageUrl):
        return {"type": "image_url", "image_url": {"url": item.url}}
    if isinstance(item, BinaryContent) and item.is_image:
        return {"type": "image_url", "image_url": {"url": item.data_uri}}
    if isinstance(item, BinaryContent):
        return {"type": "file", "file": {"file_data": item.data_uri}}
    text = getattr(item, "content", None)
    return {"type": "text", "text": text if isinstance(text, str) else json.dumps(repr(item))}


def as_messages(
    history: Sequence[ModelMessage], chat: Chat, entries: Sequence[Entry]
) -> list[ModelMessage]:
    """Return the messages to send: the very objects, where all of their parts are untouched."""
    made: list[ModelMessage] = []
    placed: set[int] = set()
    for group in together(chat, entries):
        place = group[0].place
        if place is None:
            made.append(new_message(group[0].message))
            continue
        at = chat.places[place].message
        made.append(rebuilt(history[at], chat, group, first=at not in placed))
        placed.add(at)
    return made


def together(chat: Chat, entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Yield the entries that follow each other and come from one message."""
    group: list[Entry] = []
    for entry in entries:
        same = bool(group) and origin(chat, group[-1]) is not None
        if same and origin(chat, group[-1]) == origin(chat, entry):
            group.append(entry)
            continue
        if group:
            yield group
        group = [entry]
    if group:
        yield group


def origin(chat: Chat, entry: Entry) -> int | None:
    """Return the message that an entry comes from; None for one of ours."""
    return None if entry.place is None else chat.places[entry.place].message


def rebuilt(
    message: ModelMessage, chat: Chat, group: Sequence[Entry], *, first: bool
) -> ModelMessage:
    """Return a message with those of its parts that are left; the silent ones stay with them."""
    if isinstance(message, ModelResponse):
        return message
    spoken_parts = {at for at, _ in spoken(message) if at is not None}
    left: dict[int, Any] = {}
    for entry in group:
        place = chat.places[entry.place or 0]
        if place.part is not None:
            said = chat.messages[entry.place or 0]
            left[place.part] = reworded(message.parts[place.part], said, entry.message)
    silent = {at for at in range(len(message.parts)) if at not in spoken_parts} if first else set()
    parts = [
        left.get(at, part) for at, part in enumerate(message.parts) if at in left or at in silent
    ]
    same = len(parts) == len(message.parts) and all(
        one is other for one, other in zip(parts, message.parts, strict=True)
    )
    return message if same else replace(message, parts=parts)


def reworded(part: Any, was: Mapping[str, Any], said: Mapping[str, Any] | None) -> Any:
    """Return a part of a request with another text."""
    if said is None or said.get("content") == was.get("content"):
        return part
    text = said["content"]
    if isinstance(part, ToolReturnPart):
        if type(part) is ToolReturnPart:
            return replace(part, content=text)
        # One whose content has a type of its own: its text is a plain result's.
        return ToolReturnPart(
            tool_name=part.tool_name,
            content=text,
            tool_call_id=part.tool_call_id,
            timestamp=part.timestamp,
        )
    return UserPromptPart(content=text)


def new_message(said: Mapping[str, Any]) -> ModelMessage:
    """Return a message of ours."""
    if said["role"] == "tool":
        return ModelRequest(
            parts=[
                ToolReturnPart(
                    tool_name="unknown", content=said["content"], tool_call_id=said["tool_call_id"]
                )
            ]
        )
    if said["role"] == "assistant":
        return ModelResponse(parts=[TextPart(content=said["content"])])
    return ModelRequest(parts=[UserPromptPart(content=said["content"])])
