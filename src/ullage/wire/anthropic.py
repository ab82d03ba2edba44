"""Anthropic Messages: requests and replies, streamed or not, and prompts that are only counted.

Clearing and compaction happen on the server: the request shows the full history although the model
saw less. `applied_edits` may be empty all the same; the proof is a block of type `compaction`, or
a pass of that kind in `usage.iterations`. A stream has ended with `message_stop`.
"""

from collections.abc import Callable, Iterator, Mapping

from ullage.transcript.message import Message, Role
from ullage.wire.anthropic_usage import usage_of
from ullage.wire.body_parts import tools_in
from ullage.wire.contents import text_of
from ullage.wire.draft import Draft, DraftCall, Stop
from ullage.wire.events import Event
from ullage.wire.marks import mark, marks
from ullage.wire.members import (
    Object,
    compact,
    inside,
    listed,
    number,
    objects,
    read_object,
    text,
)
from ullage.wire.reply import AppliedEdit
from ullage.wire.request import Request
from ullage.wire.settings import settings_of, unseen_of
from ullage.wire.unfinished import Body

PATH_END = "/v1/messages"
COUNT_END = "/messages/count_tokens"
# As Google's cloud serves it.
VERTEX = ("/publishers/anthropic/", (":rawPredict", ":streamRawPredict"))
ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}
CALL, RESULT, COMPACTION = "tool_use", "tool_result", "compaction"
THOUGHTS = ("thinking", "redacted_thinking")
# Known blocks without a text that is measured; what the server's own tools found ends alike.
SILENT = ("image", "server_tool_use", "mcp_tool_use", "container_upload", "tool_addition")
SILENT_END = "_tool_result"
BLOCKS = (CALL, RESULT, "tool_reference", *SILENT)
STOPS: Mapping[str, Stop] = {
    "max_tokens": "limit",
    "model_context_window_exceeded": "limit",
    "pause_turn": "server",
    "refusal": "server",
    "compaction": "server",
}
NORMAL = ("end_turn", "stop_sequence", "tool_use")


def is_messages(path: str) -> bool:
    """Whether a request target makes a reply."""
    plain = path.partition("?")[0]
    return plain.endswith(PATH_END) or (VERTEX[0] in plain and plain.endswith(VERTEX[1]))


def is_count(path: str) -> bool:
    """Whether a request target has a prompt counted; the server's edits are counted in."""
    return path.partition("?")[0].endswith(COUNT_END)


def is_request(document: Object) -> bool:
    """Whether a document is a request body that only this shape can be."""
    if not isinstance(document.get("messages"), list):
        return False
    if "system" in document or "anthropic_version" in document:
        return True
    messages = objects(document["messages"])
    return any(text(block, "type") in BLOCKS for one in messages for block in blocks_of(one))


def is_reply(document: Object) -> bool:
    """Whether a document is a reply of this shape, or one event of a stream."""
    kind = text(document, "type") or ""
    if kind == "message":
        return isinstance(document.get("content"), list) and "stop_reason" in document
    return kind in EVENTS


def request(document: Object) -> Request:
    """Read a request body that has been parsed; each result is a message of its own."""
    system, raw = text_of(document.get("system")), listed(document.get("messages"))
    messages = [Message(role="system", text=system)] if system else []
    strange = 0
    for one in raw:
        role = ROLES.get(text(one, "role") or "") if isinstance(one, dict) else None
        if isinstance(one, dict) and role is not None:
            messages += read_message(one, role)
            strange += sum(not is_known(block) for block in blocks_of(one))
        else:
            strange += 1
    tools = [dict(one) for one in tools_in(document.get("tools"))]
    blocks = [block for one in objects(raw) for block in blocks_of(one)]
    return Request(
        messages=messages,
        model=text(document, "model"),
        unseen=unseen_of(document),
        settings=settings_of(document),
        tools=len(tools),
        compactions=sum(text(one, "type") == COMPACTION for one in blocks),
        head=mark([document.get("system"), tools]),
        marks=marks(raw),
        not_understood=strange,
    )


def blocks_of(message: Object) -> list[Object]:
    """Return the blocks of a message; one that is a text has none."""
    return objects(message.get("content"))


def is_known(block: Object) -> bool:
    """Whether a block is of a kind that we know."""
    kind = text(block, "type") or ""
    known = ("text", "document", "search_result", COMPACTION, *THOUGHTS, *BLOCKS)
    return kind in known or kind.endswith(SILENT_END)


def read_message(raw: Object, role: Role) -> Iterator[Message]:
    """Yield the results of a message first, then what it says and calls itself."""
    results, said, calls = [], [], []
    content = raw.get("content")
    if isinstance(content, str):
        said.append(content)
    for block in objects(content):
        kind = text(block, "type")
        if kind == RESULT:
            results.append(read_result(block))
        elif kind == CALL:
            calls.append(read_call(block).done())
        else:
            said.append(said_in(block))
    yield from results
    text_said = "".join(said)
    if text_said or calls or not results:
        yield Message(role=role, text=text_said, calls=tuple(calls))


def said_in(block: Object) -> str:
    """Return the text of a block: its own, a document's, or that of a compacted history."""
    kind = text(block, "type")
    if kind == COMPACTION:
        return text_of(block.get("content"))
    if kind == "document":
        source = inside(block, "source")
        return text(source, "data") or "" if text(source, "type") == "text" else ""
    if kind == "search_result":
        return text_of(block.get("content"))
    return text(block, "text") or ""


def read_result(block: Object) -> Message:
    """Read the result of a call."""
    return Message(
        role="tool", text=text_of(block.get("content")), answers=text(block, "tool_use_id")
    )


def read_call(block: Object) -> DraftCall:
    """Read a call; its arguments are an object, which a stream gives in pieces of JSON."""
    given = block.get("input")
    return DraftCall(
        call_id=text(block, "id"),
        name=text(block, "name") or "",
        arguments=[compact(given)] if given else [],
    )


def add_body(draft: Draft, body: Body) -> Draft:
    """Add a reply that has been taken apart into its document or its events."""
    for event in body.events:
        add_event(draft, event)
    if not body.streamed:
        add_document(draft, body.document)
    for call in draft.calls.values():
        if not call.arguments:  # a call without any has an empty object
            call.arguments.append("{}")
    return draft


def add_event(draft: Draft, event: Event) -> None:
    """Add one event of a stream."""
    document = read_object(event.data)
    kind = text(document, "type") or ""
    if kind in EVENTS:
        draft.known = True
        EVENTS[kind](draft, document)
    else:
        draft.not_understood += not event.torn


def start(draft: Draft, document: Object) -> None:
    """Begin the message."""
    add_head(draft, inside(document, "message"))


def start_block(draft: Draft, document: Object) -> None:
    """Begin a block: mostly without its content."""
    add_block(draft, number(document, "index"), inside(document, "content_block"))


def add_delta(draft: Draft, document: Object) -> None:
    """Add a piece of a block."""
    place, delta = number(document, "index"), inside(document, "delta")
    kind = text(delta, "type") or ""
    if kind == "text_delta":
        draft.write(place, text(delta, "text"))
    elif kind == "input_json_delta":
        if place in draft.calls:  # else that of a tool of the server's
            draft.call(place).arguments.append(text(delta, "partial_json") or "")
    elif kind == "thinking_delta":
        draft.think(place, text(delta, "thinking"))
    elif kind == "compaction_delta":
        add_compaction(draft, place, delta)
    elif kind not in ("signature_delta", "citations_delta"):
        draft.not_understood += 1


def end_block(_: Draft, __: Object) -> None:
    """Pass over the end of a block, and over signs of life."""


def add_end(draft: Draft, document: Object) -> None:
    """Add the reason for the end and the final count."""
    add_head(draft, {**inside(document, "delta"), **document})


def stop(draft: Draft, _: Object) -> None:
    """Take in that the stream has ended."""
    draft.ended = True


EVENTS: Mapping[str, Callable[[Draft, Object], None]] = {
    "message_start": start,
    "content_block_start": start_block,
    "content_block_delta": add_delta,
    "content_block_stop": end_block,
    "message_delta": add_end,
    "message_stop": stop,
    "ping": end_block,
    "error": Draft.fail,
}


def add_document(draft: Draft, document: Object) -> None:
    """Add a whole reply."""
    draft.known = isinstance(document.get("content"), list)
    if document.get("error"):
        draft.fail(document)
    add_head(draft, document)
    for place, block in enumerate(blocks_of(document)):
        add_block(draft, place, block)


def add_head(draft: Draft, document: Object) -> None:
    """Add what a reply says of itself, first or last; a later count goes before an earlier one."""
    draft.model = text(document, "model") or draft.model
    if usage := inside(document, "usage"):
        draft.usage = usage_of(usage, draft.usage)
    managed = inside(document, "context_management")
    if isinstance(managed.get("applied_edits"), list):
        draft.applied_edits = tuple(map(read_edit, objects(managed["applied_edits"])))
    word = text(document, "stop_reason")
    draft.finish(word, STOPS)
    draft.not_understood += word is not None and word not in (*STOPS, *NORMAL)


def read_edit(raw: Object) -> AppliedEdit:
    """Read one clearing that the server did."""
    return AppliedEdit(
        kind=text(raw, "type") or "untyped",
        cleared_tool_uses=number(raw, "cleared_tool_uses"),
        cleared_input_tokens=number(raw, "cleared_input_tokens"),
    )


def add_block(draft: Draft, place: object, block: Object) -> None:
    """Add a block, whole or just begun."""
    kind = text(block, "type") or ""
    if kind == "text":
        draft.write(place, text(block, "text"))
    elif kind == CALL:
        draft.calls[place] = read_call(block)
    elif kind in THOUGHTS:
        draft.think(place, text(block, "thinking", "data"))
    elif kind == COMPACTION:
        add_compaction(draft, place, block)
    elif kind in SILENT or kind.endswith(SILENT_END):
        draft.wrote = True
    else:
        draft.not_understood += 1


def add_compaction(draft: Draft, place: object, raw: Object) -> None:
    """Add a block that stands for older history, or a piece of its text."""
    held = draft.compactions.setdefault(place, [])
    held.append(text(raw, "content") or "")
