"""One side of a comparison as it is read from a file: messages of a body, or free text."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ullage.arrivals.values import MARK
from ullage.transcript.message import Message, Role
from ullage.wire.members import Object
from ullage.wire.readers import request_shape

ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "agent": "assistant",
    "tool": "tool",
    "function": "tool",
}
_SPEAKER = re.compile(
    rf"^(?:#{{1,4}} |\*\*|\[)?(?P<role>{'|'.join(ROLES)})(?:\*\*|\])?(?:\*\*)?:(?:\*\*)?[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
LEAST_SPEAKERS = 2
"""A text is a conversation if so many of its lines begin with who speaks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What a text says: its messages (None where it is no body), and all of it as one text."""

    text: str
    messages: tuple[Message, ...] | None = None

    @property
    def conversation(self) -> tuple[Message, ...]:
        """The messages; those of a plain text by the words before its lines (`User: …`).

        A text without them is one message of the assistant: nobody can tell what a user said.
        """
        return self.messages if self.messages is not None else spoken(self.text)


def side(text: str) -> Side:
    """Read a request body of any provider, a list of messages or one message; else plain text."""
    messages = messages_in(text)
    if messages is None:
        return Side(text=text)
    return Side(text="\n\n".join(one.text for one in messages), messages=tuple(messages))


def messages_in(text: str) -> Sequence[Message] | None:
    """Return the messages of a text that is a body; None where it is none."""
    try:
        document = json.loads(text.removeprefix(MARK))
    except (ValueError, RecursionError):
        return None
    for body in bodies(document):
        shape = request_shape(body)
        messages = shape.request(body).messages if shape is not None else ()
        if messages:
            return messages
    return None


def bodies(document: object) -> Sequence[Object]:
    """Return the bodies that a document may be: itself, or one with its messages or items."""
    if isinstance(document, dict):
        request = document.get("request")
        inner = [request] if isinstance(request, dict) else []
        return [document, *inner, *([*wrapped([document])] if is_message(document) else ())]
    if isinstance(document, list) and document and all(map(is_message, document)):
        return wrapped(document)
    return ()


def wrapped(messages: Sequence[object]) -> Sequence[Object]:
    """Return the bodies in which a list of messages may stand."""
    return [{"messages": messages}, {"input": messages}, {"contents": messages}]


def is_message(one: object) -> bool:
    """Whether an object is a message or an item of a body."""
    if not isinstance(one, dict):
        return False
    return ("role" in one and bool({"content", "parts", "tool_calls"} & one.keys())) or (
        isinstance(one.get("type"), str) and bool({"output", "call_id", "content"} & one.keys())
    )


def spoken(text: str) -> tuple[Message, ...]:
    """Read a plain text as a conversation."""
    found = list(_SPEAKER.finditer(text))
    if len(found) < LEAST_SPEAKERS:
        return (Message(role="assistant", text=text),)
    ends = [one.start() for one in found[1:]] + [len(text)]
    return tuple(
        Message(role=ROLES[one["role"].casefold()], text=text[one.end() : end].strip())
        for one, end in zip(found, ends, strict=True)
    )
