"""OpenAI Responses: requests and replies, streamed or not, and the calls that compact a history.

Tolerant as the reader of chat completions is: what is not known is passed over and counted. A
stream has ended with `response.completed`, `.incomplete`, `.failed` or `.cancelled`; each of these
holds the whole reply, which then counts instead of its pieces.
"""

import re
from collections.abc import Callable, Mapping

from ullage.transcript.message import Message
from ullage.transcript.served import Usage
from ullage.wire.body_parts import tools_in
from ullage.wire.contents import text_of
from ullage.wire.draft import Draft, DraftCall, Stop
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
from ullage.wire.openai_chat import ROLES
from ullage.wire.request import Request
from ullage.wire.settings import followed, scalars, settings_of, unseen_of
from ullage.wire.unfinished import Body

PATH_END = "/responses"
COMPACT_END = "/responses/compact"
COUNT_END = "/responses/input_tokens"
FETCHED = re.compile(r"/responses/(?!compact|input_tokens)[\w-]+/?\Z")
RESULT_END = "_call_output"
CALLS = ("function_call", "custom_tool_call")
# Known items without a text of their own that is measured: reasoning is the model's, a reference
# names an item that the server holds, and what the server called itself never left it.
COMPACTION = "compaction"
SILENT = ("reasoning", "item_reference", COMPACTION)
SILENT_END = ("_call", "_list_tools", "_approval_request", "_approval_response")
STOPS: Mapping[str, Stop] = {
    "max_output_tokens": "limit",
    "max_tokens": "limit",
    "incomplete": "server",
    "content_filter": "server",
    "failed": "server",
    "cancelled": "server",
}
PENDING = ("queued", "in_progress")
LAST_EVENTS = tuple(
    f"response.{word}" for word in ("completed", "incomplete", "failed", "cancelled")
)
EVENTS = ("response.", "error", "keepalive")


def is_responses(path: str) -> bool:
    """Whether a request target makes a reply."""
    return plain(path).endswith(PATH_END)


def is_compact(path: str) -> bool:
    """Whether a request target has a history compacted."""
    return plain(path).endswith(COMPACT_END)


def is_count(path: str) -> bool:
    """Whether a request target has a prompt counted."""
    return plain(path).endswith(COUNT_END)


def is_fetch(path: str) -> bool:
    """Whether a request target asks for a reply that was made before."""
    return FETCHED.search(plain(path)) is not None


def plain(path: str) -> str:
    """Return a request target without its query."""
    return path.partition("?")[0]


def is_request(document: Object) -> bool:
    """Whether a document is a request body of this shape."""
    return isinstance(document.get("input"), (str, list)) and "contents" not in document


def is_reply(document: Object) -> bool:
    """Whether a document is a reply of this shape, or one event of a stream."""
    kind, what = text(document, "type") or "", text(document, "object") or ""
    return what.split(".")[0] == "response" or kind.startswith("response.")


def request(document: Object) -> Request:
    """Read a request body that has been parsed; without an input it has no messages.

    `follows` is the reply, or the conversation, whose items the server puts before these.
    """
    instructions, given = document.get("instructions"), document.get("input")
    messages, strange = [], 0
    if isinstance(instructions, str):
        messages.append(Message(role="system", text=instructions))
    if isinstance(given, str):
        messages.append(Message(role="user", text=given))
    for item in listed(given):
        message = read_item(item) if isinstance(item, dict) else None
        if message is not None:
            messages.append(message)
        elif not (isinstance(item, dict) and is_silent(item.get("type"))):
            strange += 1
    tools = [dict(one) for one in tools_in(document.get("tools"))]
    return Request(
        messages=messages,
        model=text(document, "model"),
        follows=followed(document),
        unseen=unseen_of(document),
        settings=settings_of(document),
        tools=len(tools),
        compactions=sum(text(one, "type") == COMPACTION for one in objects(given)),
        head=mark([instructions, tools]),
        marks=marks(listed(given) or [given]),
        not_understood=strange,
    )


def read_item(item: Object) -> Message | None:
    """Read one item of the input; None where it is no message, call or result."""
    kind, role = item.get("type", "message"), item.get("role")
    if kind == "message" and isinstance(role, str) and role in ROLES:
        return Message(role=ROLES[role], text=text_of(item.get("content")))
    if not isinstance(kind, str):
        return None
    if kind.endswith(RESULT_END):
        said = output_text(item.get("output"))
        return Message(role="tool", text=said, answers=text(item, "call_id"))
    if kind in CALLS:
        return Message(role="assistant", text="", calls=(read_call(item).done(),))
    return None


def read_call(item: Object) -> DraftCall:
    """Read a call; what a custom tool is given is a text of its own form."""
    said = item.get("arguments", item.get("input", ""))
    return DraftCall(
        call_id=text(item, "call_id"),
        name=text(item, "name") or "",
        arguments=["" if said is None else written(said)],
        free=item.get("type") != "function_call",
    )


def output_text(output: object) -> str:
    """Return the text of a result: a string, text parts, or what a shell printed."""
    if isinstance(output, list):
        return "".join(part_text(part) for part in objects(output))
    return text_of(output)


def part_text(part: Object) -> str:
    """Return the text of one part of a result."""
    return "".join(text_of(part.get(name)) for name in ("text", "stdout", "stderr"))


def is_silent(kind: object) -> bool:
    """Whether items of a type are known to carry nothing that is measured."""
    return isinstance(kind, str) and (kind in SILENT or kind.endswith(SILENT_END))


def add_body(draft: Draft, body: Body) -> Draft:
    """Add a reply that has been taken apart; the last event of a stream begins a new draft."""
    for event in body.events:
        document = read_object(event.data)
        draft = add_event(draft, document, text(document, "type") or event.name or "", event)
    if not body.streamed:
        add_response(draft, body.document)
    return draft


def add_event(draft: Draft, document: Object, kind: str, event: Event) -> Draft:
    """Add one event of a stream; the last one replaces all that its pieces gave."""
    if kind in LAST_EVENTS and inside(document, "response"):
        whole = Draft(streamed=True, ended=True, not_understood=draft.not_understood)
        add_response(whole, inside(document, "response"))
        return whole
    if kind == "response.output_item.done":
        forget(draft, place := number(document, "output_index"))
        add_item(draft, place, inside(document, "item"))
    elif kind in PIECES:
        PIECES[kind](draft, document)
    elif kind == "error" or "error" in document:
        draft.fail(document)
    elif inside(document, "response"):
        add_head(draft, inside(document, "response"))
    elif not kind.startswith(EVENTS) and not event.torn and event.data.strip() != "[DONE]":
        draft.not_understood += 1
    return draft


def add_text(draft: Draft, document: Object) -> None:
    """Add a piece of an answer's text, or of a refusal."""
    draft.write(number(document, "output_index"), text(document, "delta"))


def add_reasoning(draft: Draft, document: Object) -> None:
    """Count a piece of what is thought before the answer."""
    draft.think(number(document, "output_index"), text(document, "delta"))


def add_arguments(draft: Draft, document: Object) -> None:
    """Add a piece of a call's arguments."""
    draft.call(number(document, "output_index")).arguments.append(text(document, "delta") or "")


def begin_item(draft: Draft, document: Object) -> None:
    """Begin an item: a call has its name and no arguments yet."""
    item = inside(document, "item")
    if text(item, "type") in CALLS:
        draft.calls[number(document, "output_index")] = read_call(item)


PIECES: Mapping[str, Callable[[Draft, Object], None]] = {
    "response.output_text.delta": add_text,
    "response.refusal.delta": add_text,
    "response.reasoning_text.delta": add_reasoning,
    "response.reasoning_summary_text.delta": add_reasoning,
    "response.function_call_arguments.delta": add_arguments,
    "response.custom_tool_call_input.delta": add_arguments,
    "response.output_item.added": begin_item,
}


def forget(draft: Draft, place: object) -> None:
    """Forget the pieces of an item that has come as a whole."""
    for held in (draft.texts, draft.calls, draft.reasoning):
        held.pop(place, None)


def add_response(draft: Draft, document: Object) -> None:
    """Add a whole reply."""
    add_head(draft, document)
    draft.known = is_reply(document) or isinstance(document.get("output"), list)
    for place, item in enumerate(objects(document.get("output"))):
        add_item(draft, place, item)
    if usage := inside(document, "usage"):
        draft.usage = usage_of(usage)
    if document.get("error"):
        draft.fail(document)


def add_head(draft: Draft, document: Object) -> None:
    """Add what a reply says of itself, before or after its output is there."""
    draft.known = draft.known or is_reply(document)
    draft.model = text(document, "model") or draft.model
    draft.echoes = scalars(document)
    conversation = inside(document, "conversation")
    held = (text(document, "id"), text(conversation, "id") or text(document, "conversation"))
    draft.ids = tuple(one for one in held if one is not None)
    status = text(document, "status")
    if status in PENDING:
        draft.pending = not draft.streamed
        draft.ended = False
        return
    reason = text(inside(document, "incomplete_details"), "reason")
    draft.finish(status, STOPS)
    if reason is not None:
        draft.finish(reason, {reason: "server", **STOPS})


def add_item(draft: Draft, place: object, item: Object) -> None:
    """Add one whole item of the output."""
    kind = text(item, "type") or ""
    if kind == "message":
        # A compacted history repeats what the user said; only the model's own is the answer.
        for said in objects(item.get("content")) if item.get("role") != "user" else []:
            draft.write(place, text(said, "text", "refusal"))
    elif kind in CALLS:
        draft.calls[place] = read_call(item)
    elif kind == "reasoning":
        for part in [*objects(item.get("summary")), *objects(item.get("content"))]:
            draft.think(place, text(part, "text"))
    elif kind == COMPACTION:
        draft.compactions[place] = []  # encrypted
    elif is_silent(kind):
        draft.wrote = True
    else:
        draft.not_understood += 1


def usage_of(raw: Object) -> Usage:
    """Return the tokens of a reply."""
    return Usage(
        input=number(raw, "input_tokens"),
        output=number(raw, "output_tokens"),
        reasoning=number(inside(raw, "output_tokens_details"), "reasoning_tokens"),
        cached=number(inside(raw, "input_tokens_details"), "cached_tokens"),
    )
