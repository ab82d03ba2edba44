"""smolagents' messages as messages of a chat, and back.

The framework writes a step as up to four messages of text: what the model said, the calls, images,
what came of it. Here a step is a reply with one call and the result of that: so the two move
together, and a result is known as one. Several calls of a step are one: their results are one text.
"""

import ast
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from smolagents.models import ChatMessage, MessageRole

from ullage.integrate.adapters.carried import Kind
from ullage.integrate.adapters.entries import Entry

USER, ASSISTANT = MessageRole.USER, MessageRole.ASSISTANT
CALL, RESULT = MessageRole.TOOL_CALL, MessageRole.TOOL_RESPONSE
CALLING = "Calling tools:\n"
PROCEED = "Now proceed and carry out this plan."
"""What the framework says in the user's name behind each plan of the model's."""

ROLES = {"system": MessageRole.SYSTEM, "user": USER, "assistant": ASSISTANT, "tool": RESULT}
SAID_BY = {MessageRole.SYSTEM: "system"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """A history as messages of a chat; each stands for some of the framework's, by position.

    It is measured and not sent.
    """

    messages: list[dict[str, Any]]
    places: list[range]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """The calls of a step, as the one that they count as; `frame` is the rest of their text."""

    name: str = "step"
    arguments: str = "{}"
    frame: str = ""


def as_chat(given: Sequence[ChatMessage]) -> Chat:
    """Return what a history says."""
    chat = Chat(messages=[], places=[])
    calls = Calls()
    for place in grouped(given):
        group = [given[at] for at in place]
        if came_of_step(group, is_after_reply=bool(chat.messages) and is_reply(chat.messages[-1])):
            answered(chat, group, place, calls)
            calls = Calls()
            continue
        if group[0].role in (ASSISTANT, CALL):
            calls = calls_in("".join(text_of(one) for one in group if one.role == CALL))
        chat.messages.append(said(group, calls))
        chat.places.append(place)
    return chat


def came_of_step(group: Sequence[ChatMessage], *, is_after_reply: bool) -> bool:
    """Whether messages are what came of a step."""
    return bool(group[-1].role == RESULT) or (is_after_reply and has_images_alone(group[0]))


def is_reply(message: Mapping[str, Any]) -> bool:
    """Whether a message of the chat is a reply whose result is not there yet."""
    return bool(message["role"] == "assistant")


def answered(chat: Chat, group: Sequence[ChatMessage], place: range, calls: Calls) -> None:
    """Add what came of a step, and the call to the reply before it.

    Of a step that failed early the framework keeps no reply: one without a word stands for it.
    """
    if not chat.messages or not is_reply(chat.messages[-1]):
        chat.messages.append({"role": "assistant", "content": ""})
        chat.places.append(range(place.start, place.start))
    name = f"step-{len(chat.messages)}"
    function = {"name": calls.name, "arguments": calls.arguments}
    chat.messages[-1]["tool_calls"] = [{"id": name, "type": "function", "function": function}]
    chat.messages.append({"role": "tool", "tool_call_id": name, "content": content_of(group)})
    chat.places.append(place)


def grouped(given: Sequence[ChatMessage]) -> list[range]:
    """Return the positions of the messages that are one."""
    starts = [at for at in range(len(given)) if at == 0 or not joins(given[at], given[at - 1])]
    return [range(start, stop) for start, stop in pairwise([*starts, len(given)])]


def joins(one: ChatMessage, before: ChatMessage) -> bool:
    """Whether a message is the rest of the one before it."""
    if one.role == CALL:
        return bool(before.role == ASSISTANT)
    if one.role == RESULT:
        return bool(before.role == RESULT) or has_images_alone(before)
    return bool(one.role == USER and before.role == ASSISTANT and text_alone(one) == PROCEED)


def said(group: Sequence[ChatMessage], calls: Calls) -> dict[str, Any]:
    """Return a group of messages as one of a chat."""
    if group[0].role not in (ASSISTANT, CALL):
        return {"role": SAID_BY.get(group[0].role, "user"), "content": content_of(group)}
    told = [text_of(one) for one in group if one.role != CALL]
    return {"role": "assistant", "content": "\n".join([*told, *filter(None, [calls.frame])])}


def calls_in(text: str) -> Calls:
    """Read what the framework writes of the calls of a step: what Python prints of them."""
    try:
        found = [one["function"] for one in ast.literal_eval(text.removeprefix(CALLING))]
        named = [(str(one["name"]), one["arguments"]) for one in found]
    except (ValueError, SyntaxError, TypeError, KeyError, RecursionError, MemoryError):
        return Calls(frame=text)
    if not named:
        return Calls(frame=text)
    for name, arguments in named:
        text = text.replace(repr(arguments), "", 1).replace(name, "", 1)
    one = [code_or_arguments(arguments) for _, arguments in named]
    return Calls(
        name=", ".join(name for name, _ in named),
        arguments=json.dumps(one[0] if len(one) == 1 else {"calls": one}, ensure_ascii=False),
        frame=text,
    )


def code_or_arguments(arguments: object) -> object:
    """Return arguments by name; the code of an agent that writes it is one."""
    return {"code": arguments} if isinstance(arguments, str) else arguments


def content_of(group: Sequence[ChatMessage]) -> Any:
    """Return what messages say: a text, or blocks where there are images.

    A line break behind a result is the one that joins it to what is said next in the same name.
    """
    text = "\n".join(text_of(one) for one in group if not has_images_alone(one))
    text += "\n" if group[-1].role == RESULT else ""
    images = [block for one in group for block in images_of(one)]
    return [{"type": "text", "text": text}, *images] if images else text


def images_of(message: ChatMessage) -> list[dict[str, Any]]:
    """Return the images of a message; they are not counted, and not to be shortened."""
    return [
        {"type": "image_url", "image_url": {"url": ""}}
        for block in blocks(message)
        if block.get("type") != "text"
    ]


def text_of(message: ChatMessage) -> str:
    """Return the texts of a message."""
    if isinstance(message.content, str):
        return message.content
    return "\n".join(str(one["text"]) for one in blocks(message) if one.get("type") == "text")


def text_alone(message: ChatMessage) -> str:
    """Return the text of a message that is a text and nothing else."""
    return text_of(message) if len(blocks(message)) <= 1 else ""


def has_images_alone(message: ChatMessage) -> bool:
    """Whether a message in the user's name holds what a step saw, and no word."""
    found = blocks(message)
    return bool(found) and message.role == USER and all(one.get("type") != "text" for one in found)


def blocks(message: ChatMessage) -> Sequence[Mapping[str, Any]]:
    """Return the blocks of a message."""
    return message.content if isinstance(message.content, list) else ()


def as_messages(
    given: Sequence[ChatMessage], chat: Chat, entries: Sequence[Entry]
) -> list[ChatMessage]:
    """Return the messages to send: the very objects, where they say the same."""
    made: list[ChatMessage] = []
    for entry in entries:
        if entry.place is None:
            made.append(new_message(entry.message))
            continue
        was = chat.messages[entry.place]["content"]
        if entry.message is None or entry.message.get("content") == was:
            made.extend(given[at] for at in chat.places[entry.place])
        else:
            made.append(new_message(entry.message))
    return made


def new_message(message: Mapping[str, Any]) -> ChatMessage:
    """Return a message with a text of ours."""
    content = message["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return ChatMessage(role=ROLES[message["role"]], content=blocks)


KIND: Kind[ChatMessage] = Kind(
    is_user=lambda one: bool(one.role == USER),
    is_reply=lambda one: one.role in (ASSISTANT, CALL),
    text=text_alone,
    make=lambda text: new_message({"role": "user", "content": text}),
)
