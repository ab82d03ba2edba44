"""Gemini: `generateContent` and its stream, as events (`alt=sse`) or as one list of documents.

A stream has ended when its candidate has a `finishReason`, and the list form with its bracket.
"""

import re
from collections.abc import Iterator, Mapping

from ullage.transcript.message import Message, Role
from ullage.transcript.served import Usage
from ullage.wire.body_parts import tools_in
from ullage.wire.draft import Draft, DraftCall, Stop
from ullage.wire.marks import mark, marks
from ullage.wire.members import (
    Object,
    compact,
    inside,
    number,
    objects,
    read_object,
    text,
)
from ullage.wire.request import Request
from ullage.wire.settings import settings_of, unseen_of
from ullage.wire.unfinished import Body

PATH = re.compile(r"/models/[^/:]+:(?:generateContent|streamGenerateContent)\Z")
COUNT = re.compile(r"/models/[^/:]+:countTokens\Z")
ROLES: Mapping[str, Role] = {
    "user": "user",
    "model": "assistant",
    "function": "user",
    "tool": "user",
    "system": "system",
}
CALLED, RETURNED = ("functionCall", "function_call"), ("functionResponse", "function_response")
# What a result is wrapped in where the tool returned a text.
WRAPPINGS = ("output", "result", "content", "return_value", "error")
SILENT = (
    "inlineData",
    "inline_data",
    "fileData",
    "file_data",
    "executableCode",
    "executable_code",
    "codeExecutionResult",
    "code_execution_result",
    "toolCall",
    "toolResponse",
    "thoughtSignature",
)
STOPS: Mapping[str, Stop] = {
    "MAX_TOKENS": "limit",
    "MALFORMED_FUNCTION_CALL": "malformed",
    "MALFORMED_RESPONSE": "malformed",
}
NORMAL = "STOP"


def is_gemini(path: str) -> bool:
    """Whether a request target makes a reply, on either of Google's clouds."""
    return PATH.search(path.partition("?")[0]) is not None


def is_count(path: str) -> bool:
    """Whether a request target has a prompt counted."""
    return COUNT.search(path.partition("?")[0]) is not None


def is_request(document: Object) -> bool:
    """Whether a document is a request body of this shape."""
    return isinstance(document.get("contents"), (str, list, dict))


def is_reply(document: Object) -> bool:
    """Whether a document is a reply of this shape, or one event of a stream."""
    names = ("candidates", "usageMetadata", "promptFeedback")
    return any(isinstance(document.get(name), (list, dict)) for name in names)


def request(document: Object) -> Request:
    """Read a request body that has been parsed; each result is a message of its own."""
    system = inside(document, "systemInstruction", "system_instruction")
    contents = document.get("contents")
    raw = contents if isinstance(contents, list) else [contents] if contents else []
    said = "".join(said_in(part) for part in objects(system.get("parts")))
    messages, strange = [Message(role="system", text=said)] if system else [], 0
    for one in raw:
        if isinstance(one, str):
            messages.append(Message(role="user", text=one))
        elif isinstance(one, dict) and (role := ROLES.get(text(one, "role") or "user")):
            messages += read_content(one, role)
            strange += sum(not is_known(part) for part in objects(one.get("parts")))
        else:
            strange += 1
    tools = [dict(one) for one in tools_in(document.get("tools"))]
    return Request(
        messages=messages,
        model=text(document, "model"),
        unseen=unseen_of(document),
        settings=settings_of(document),
        tools=len(tools),
        head=mark([dict(system), tools]),
        marks=marks(raw),
        not_understood=strange,
    )


def is_known(part: Object) -> bool:
    """Whether a part is of a kind that we know."""
    return any(name in part for name in ("text", *CALLED, *RETURNED, *SILENT))


def read_content(raw: Object, role: Role) -> Iterator[Message]:
    """Yield the results of a message first, then what it says and calls itself."""
    parts = objects(raw.get("parts"))
    results = [read_result(held) for part in parts if (held := inside(part, *RETURNED))]
    calls = [read_call(held).done() for part in parts if (held := inside(part, *CALLED))]
    said = "".join(map(said_in, parts))
    yield from results
    if said or calls or not results:
        yield Message(role=role, text=said, calls=tuple(calls))


def said_in(part: Object) -> str:
    """Return the text of a part; thoughts are not part of what is said."""
    return "" if part.get("thought") else text(part, "text") or ""


def read_result(held: Object) -> Message:
    """Read the result of a call: an object, or a text wrapped in one."""
    returned = inside(held, "response")
    wrapped = [returned.get(name) for name in WRAPPINGS] if len(returned) == 1 else []
    inner = next((one for one in wrapped if isinstance(one, str)), None)
    return Message(
        role="tool",
        text=compact(returned) if inner is None else inner,
        answers=text(held, "id"),
        name=text(held, "name"),
    )


def read_call(held: Object) -> DraftCall:
    """Read a call; its arguments are an object."""
    return DraftCall(
        call_id=text(held, "id"),
        name=text(held, "name") or "",
        arguments=[compact(held.get("args") or {})],
    )


def add_body(draft: Draft, body: Body) -> Draft:
    """Add a reply that has been taken apart into its document or its events."""
    for event in body.events:
        document = read_object(event.data)
        add_document(draft, document)
        draft.not_understood += not (is_reply(document) or "error" in document or event.torn)
    if body.streamed:
        draft.ended = body.whole and draft.finish_reason is not None
    else:
        add_document(draft, body.document)
    return draft


def add_document(draft: Draft, document: Object) -> None:
    """Add a whole reply, or what one event of a stream adds to it."""
    draft.known = draft.known or is_reply(document)
    draft.model = text(document, "modelVersion") or draft.model
    if usage := inside(document, "usageMetadata"):
        draft.usage = usage_of(usage)
    if document.get("error"):
        draft.fail(document)
    blocked = text(inside(document, "promptFeedback"), "blockReason")
    draft.finish(blocked, {} if blocked is None else {blocked: "server"})
    candidates = objects(document.get("candidates"))
    first = candidates[0] if candidates and not number(candidates[0], "index") else {}
    for part in objects(inside(first, "content").get("parts")):
        add_part(draft, part)
    word = text(first, "finishReason")
    if word is not None and word != NORMAL:
        draft.finish(word, {word: "server", **STOPS})
    elif word is not None:
        draft.finish(word, STOPS)


def add_part(draft: Draft, part: Object) -> None:
    """Add one part of the answer."""
    if held := inside(part, *CALLED):
        draft.calls[len(draft.calls)] = read_call(held)
    elif part.get("thought"):
        draft.think("thought", text(part, "text"))
    elif "text" in part:
        draft.write("text", text(part, "text"))
    elif is_known(part):
        draft.wrote = draft.wrote or list(part) != ["thoughtSignature"]
    else:
        draft.not_understood += 1


def usage_of(raw: Object) -> Usage:
    """Return the tokens of a reply; what is thought stands beside what is written."""
    read = (number(raw, "promptTokenCount"), number(raw, "toolUsePromptTokenCount"))
    wrote = (number(raw, "candidatesTokenCount"), number(raw, "thoughtsTokenCount"))
    return Usage(
        input=added(*read),
        output=added(*wrote),
        reasoning=wrote[1],
        cached=number(raw, "cachedContentTokenCount"),
    )


def added(*figures: int | None) -> int | None:
    """Return the sum of the figures that are known."""
    known = [one for one in figures if one is not None]
    return sum(known) if known else None
