"""OpenAI chat completions: request and reply bodies, streamed or not, as messages.

Readers are tolerant: what they do not know they pass over and count; nothing here raises on data.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ullage.transcript.message import Message, Role, ToolCall

ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
PATH_END = "/chat/completions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request body as messages; `not_understood` counts what has a shape that we do not know.

    `follows` is the id of what the server puts before these messages, None where they are all.
    """

    messages: Sequence[Message]
    model: str | None = None
    not_understood: int = 0
    follows: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply as one message; `finish_reason` is the provider's word, None where there is none."""

    message: Message
    finish_reason: str | None
    complete: bool


@dataclass(slots=True)
class Building:
    """A streamed message as far as it has come."""

    text: list[str] = field(default_factory=list)
    calls: dict[int, dict[str, str]] = field(default_factory=dict)
    finish_reason: str | None = None


def is_chat(path: str) -> bool:
    """Whether a request target is one of this shape (Azure's paths end the same way)."""
    return path.partition("?")[0].endswith(PATH_END)


def read_request(body: bytes) -> Request:
    """Read a request body; one that is not JSON, or has no messages, has none."""
    document = read_object(body)
    raw = document.get("messages")
    messages, strange = [], 0
    for one in raw if isinstance(raw, list) else []:
        word = one.get("role") if isinstance(one, dict) else None
        if isinstance(word, str) and word in ROLES:
            messages.append(read_message(one, ROLES[word]))
        else:
            strange += 1
    model = document.get("model")
    return Request(
        messages=messages,
        model=model if isinstance(model, str) else None,
        not_understood=strange,
    )


def read_object(body: bytes) -> dict[str, object]:
    """Return a JSON object, or an empty one for anything else."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def read_message(raw: Mapping[str, object], role: Role) -> Message:
    """Read one message of a request or a reply."""
    answers, name = raw.get("tool_call_id"), raw.get("name")
    return Message(
        role=role,
        text=text_of(raw.get("content")),
        calls=tuple(read_calls(raw.get("tool_calls"))),
        answers=answers if isinstance(answers, str) else None,
        name=name if isinstance(name, str) else None,
    )


def text_of(content: object) -> str:
    """Return the text of a content: a string, or the texts of its parts joined."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(text_of(part.get("text")) for part in content if isinstance(part, dict))
    return ""


def read_calls(raw: object) -> Iterator[ToolCall]:
    """Yield the tool calls of a message."""
    for one in raw if isinstance(raw, list) else []:
        called = one.get("function") if isinstance(one, dict) else None
        if isinstance(called, dict):
            call_id = one.get("id")
            yield ToolCall(
                call_id=call_id if isinstance(call_id, str) else None,
                name=str(called.get("name", "")),
                arguments=str(called.get("arguments", "")),
            )


def read_reply(body: bytes) -> Reply:
    """Read a whole reply: an event stream is rebuilt into its message."""
    if body.lstrip().startswith((b"data:", b"event:", b":", b"id:", b"retry:")):
        return rebuild(body)
    choice = first_choice(read_object(body))
    raw = choice.get("message")
    message = read_message(raw if isinstance(raw, dict) else {}, "assistant")
    finish = choice.get("finish_reason")
    return Reply(
        message=message,
        finish_reason=finish if isinstance(finish, str) else None,
        complete=isinstance(raw, dict),
    )


def first_choice(document: Mapping[str, object]) -> dict[str, object]:
    """Return the first choice of a reply or of a chunk."""
    choices = document.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else {}


def rebuild(body: bytes) -> Reply:
    """Put a streamed message together from its deltas."""
    built, done = Building(), False
    for data in events(body):
        if data == "[DONE]":
            done = True
            continue
        add_chunk(built, read_object(data.encode("utf-8", "surrogatepass")))
    calls = tuple(
        ToolCall(call_id=one["id"] or None, name=one["name"], arguments=one["arguments"])
        for _, one in sorted(built.calls.items())
    )
    message = Message(role="assistant", text="".join(built.text), calls=calls)
    return Reply(message=message, finish_reason=built.finish_reason, complete=done)


def events(body: bytes) -> Iterator[str]:
    """Yield the data of each event of a stream; several data lines of one event are joined."""
    lines: list[str] = []
    # Not splitlines(): U+2028 may stand raw inside a JSON string.
    for line in body.decode("utf-8", "replace").replace("\r\n", "\n").split("\n"):
        if line.startswith("data:"):
            lines.append(line.removeprefix("data:").removeprefix(" "))
        elif not line and lines:
            yield "\n".join(lines)
            lines = []


def add_chunk(built: Building, chunk: Mapping[str, object]) -> None:
    """Add one chunk's delta to the message."""
    choice = first_choice(chunk)
    delta = choice.get("delta")
    finish = choice.get("finish_reason")
    if isinstance(finish, str):
        built.finish_reason = finish
    if not isinstance(delta, dict):
        return
    built.text.append(text_of(delta.get("content")))
    calls = delta.get("tool_calls")
    for one in calls if isinstance(calls, list) else []:
        if not isinstance(one, dict) or not isinstance(one.get("index", 0), int):
            continue
        call = built.calls.setdefault(one.get("index", 0), {"id": "", "name": "", "arguments": ""})
        called = one.get("function")
        called = called if isinstance(called, dict) else {}
        call["id"] = str(one.get("id") or call["id"])
        call["name"] += str(called.get("name") or "")
        call["arguments"] += str(called.get("arguments") or "")
