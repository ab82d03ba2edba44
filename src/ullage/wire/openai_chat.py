"""OpenAI chat completions: request and reply bodies, streamed or not, as messages.

Readers are tolerant: what they do not know they pass over and count; nothing here raises on data.
Many other servers speak this shape; what only they add is read where it matters for a loss.
A stream has ended when its first choice has a `finish_reason`, or with `[DONE]`.
"""

from collections.abc import Iterator, Mapping

from ullage.transcript.message import Message, Role, ToolCall
from ullage.transcript.served import Usage
from ullage.wire.body_parts import tools_in
from ullage.wire.contents import text_of
from ullage.wire.draft import Draft, Stop
from ullage.wire.events import Event
from ullage.wire.marks import mark, marks
from ullage.wire.members import (
    Object,
    inside,
    listed,
    number,
    objects,
    read_object,
    text,
    written,
)
from ullage.wire.request import Request
from ullage.wire.settings import settings_of, unseen_of
from ullage.wire.unfinished import Body

ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
PATH_END = "/chat/completions"
STOPS: Mapping[str, Stop] = {
    "length": "limit",
    "max_tokens": "limit",
    "content_filter": "server",
    "error": "server",
    "insufficient_system_resource": "server",
}
NORMAL = ("stop", "tool_calls", "function_call")
REASONING = ("reasoning_content", "reasoning")
# What an answer may hold besides text and calls.
OTHERS = ("audio", "images", "annotations")


def is_chat(path: str) -> bool:
    """Whether a request target is one of this shape (Azure's paths end the same way)."""
    return path.partition("?")[0].endswith(PATH_END)


def is_request(document: Object) -> bool:
    """Whether a document is a request body of this shape."""
    return isinstance(document.get("messages"), list)


def is_reply(document: Object) -> bool:
    """Whether a document is a reply of this shape, or one event of a stream."""
    return isinstance(document.get("choices"), list)


def request(document: Object) -> Request:
    """Read a request body that has been parsed."""
    raw = listed(document.get("messages"))
    messages, strange = [], 0
    for one in raw:
        word = one.get("role") if isinstance(one, dict) else None
        if isinstance(one, dict) and isinstance(word, str) and word in ROLES:
            messages.append(read_message(one, ROLES[word]))
        else:
            strange += 1
    tools = [*tools_in(document.get("tools")), *tools_in(document.get("functions"))]
    return Request(
        messages=messages,
        model=text(document, "model"),
        unseen=unseen_of(document),
        settings=settings_of(document),
        tools=len(tools),
        head=mark([dict(one) for one in tools]),
        marks=marks(raw),
        not_understood=strange,
    )


def read_message(raw: Object, role: Role) -> Message:
    """Read one message of a request or a reply."""
    return Message(
        role=role,
        text=text_of(raw.get("content")),
        calls=tuple(read_calls(raw)),
        answers=text(raw, "tool_call_id"),
        name=text(raw, "name"),
    )


def read_calls(raw: Object) -> Iterator[ToolCall]:
    """Yield the tool calls of a message; the older form has one, without an id."""
    for one in [*objects(raw.get("tool_calls")), raw]:
        called = inside(one, "function", "custom", "function_call")
        if called:
            yield ToolCall(
                call_id=None if one is raw else text(one, "id"),
                name=text(called, "name") or "",
                arguments=arguments_of(called),
            )


def arguments_of(called: Object) -> str:
    """Return the arguments of a call, or what a custom tool is given; some servers send objects."""
    raw = called.get("arguments", called.get("input", ""))
    return "" if raw is None else written(raw)


def add_body(draft: Draft, body: Body) -> Draft:
    """Add a reply that has been taken apart into its document or its events."""
    for event in body.events:
        add_event(draft, event)
    if not body.streamed:
        add_document(draft, body.document, "message")
        draft.known = draft.known and bool(inside(first_choice(body.document), "message"))
    return draft


def add_event(draft: Draft, event: Event) -> None:
    """Add one event of a stream."""
    if event.data.strip() == "[DONE]":
        draft.ended = True
        return
    document = read_object(event.data)
    add_document(draft, document, "delta")
    draft.not_understood += not (draft_knows(document) or event.torn)
    draft.ended = draft.ended or draft.finish_reason is not None


def draft_knows(document: Object) -> bool:
    """Whether an event is one of this shape."""
    return is_reply(document) or "error" in document


def add_document(draft: Draft, document: Object, holder: str) -> None:
    """Add a whole reply, whose choice holds a `message`, or a chunk, whose choice has a `delta`."""
    draft.known = draft.known or is_reply(document)
    draft.model = text(document, "model") or draft.model
    if usage := inside(document, "usage"):
        draft.usage = usage_of(usage)
    if document.get("error"):
        draft.fail(document)
    choice = first_choice(document)
    add_message(draft, inside(choice, holder))
    word = text(choice, "finish_reason")
    draft.finish(word, STOPS)
    draft.not_understood += word is not None and word not in (*STOPS, *NORMAL)


def first_choice(document: Object) -> Object:
    """Return the first choice of a reply; a chunk of another choice has none."""
    choices = objects(document.get("choices"))
    return choices[0] if choices and not number(choices[0], "index") else {}


def add_message(draft: Draft, raw: Object) -> None:
    """Add a message, or what a chunk adds to it."""
    draft.write("content", text_of(raw.get("content")))
    draft.write("refusal", text(raw, "refusal"))
    draft.think("reasoning", text(raw, *REASONING))
    draft.wrote = draft.wrote or any(raw.get(name) for name in OTHERS)
    for place, one in enumerate(objects(raw.get("tool_calls"))):
        add_call(draft, number(one, "index") if "index" in one else place, one)
    if called := inside(raw, "function_call"):
        add_call(draft, "function_call", {"function": called})


def add_call(draft: Draft, key: object, raw: Object) -> None:
    """Add a call, or what a chunk adds to it."""
    call = draft.call(key)
    called = inside(raw, "function", "custom")
    call.call_id = text(raw, "id") or call.call_id
    call.free = call.free or "custom" in raw
    # Most servers send the name once, some in pieces, some with every piece again.
    name = text(called, "name") or ""
    call.name += "" if name == call.name else name
    call.arguments.append(arguments_of(called))


def usage_of(raw: Object) -> Usage:
    """Return the tokens of a reply; the names in `…_details` are OpenAI's."""
    return Usage(
        input=number(raw, "prompt_tokens"),
        output=number(raw, "completion_tokens"),
        reasoning=number(inside(raw, "completion_tokens_details"), "reasoning_tokens"),
        cached=number(inside(raw, "prompt_tokens_details"), "cached_tokens"),
    )
