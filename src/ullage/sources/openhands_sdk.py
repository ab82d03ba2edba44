"""The OpenHands SDK (version 1): events, told by their `kind`, and logs of its completions.

A conversation is a folder with a file for each event: the first of them reads all, in their order,
and the others are read with it. The same goes for a folder of completion logs, which hold the
prompts as they were sent.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from ullage.sources.bodies import exchange_of
from ullage.sources.condensed import SUMMARY, Condensation, View
from ullage.sources.drafts import Draft
from ullage.sources.form import Form
from ullage.sources.opened import Opened, is_object
from ullage.sources.record import Damaged, Plain, Record
from ullage.sources.times import seconds_of
from ullage.transcript.finding import Source
from ullage.transcript.message import Message, ToolCall
from ullage.transcript.transcript import Entry, Transcript
from ullage.wire.contents import text_of
from ullage.wire.exchange import Exchange
from ullage.wire.members import NOTHING, Object, compact, inside, listed, number, objects, text
from ullage.wire.openai_chat import ROLES, read_calls, read_message
from ullage.wire.request import Request

FORM_NAME = "openhands-sdk"
EVENT_FILE = re.compile(r"event-(\d{5,})-[0-9A-Fa-f-]{8,}\.json")
LOG_FILE = re.compile(r".*-(\d{9,}\.\d+)(?:-\w+)?\.json")
"""The names of such files; the number is the place of an event, or the second of a completion."""
EXECUTION = re.compile(r"EXECUTION RESULT of \[([^\]\n]*)\]:\n")
"""How a result begins that is in a user's message, for models without function calling."""
QUIET = (
    "ConversationStateUpdateEvent",
    "ConversationErrorEvent",
    "PauseEvent",
    "LLMCompletionLogEvent",
    "TokenEvent",
    "StreamingDeltaEvent",
    "HookExecutionEvent",
)
"""Events that are no message."""


@dataclass(slots=True)
class Conversation:
    """A conversation while it is read; `asked` is why a condensation was asked for."""

    draft: Draft
    view: View = field(default_factory=View)
    asked: str | None = None

    def add(self, event: Object, source: Source) -> None:
        """Add an event."""
        self.draft.records += 1
        kind = text(event, "kind") or "without a kind"
        key = text(event, "id") or f"place {self.draft.records}"
        if kind == "Condensation":
            self.condense(key, event, source)
        elif kind == "CondensationRequest":
            self.asked = text(event, "reason") or "asked for"
        elif kind in KINDS:
            entry = KINDS[kind](event)
            at = seconds_of(event.get("timestamp"))
            self.draft.add(replace(entry, source=source, at=at, key=key))
            self.view.add(key)
            if kind == "SystemPromptEvent":
                self.draft.base = replace(self.draft.base, tools=tools_of(event))
        elif kind not in QUIET:
            self.draft.unread[kind] += 1

    def condense(self, key: str, event: Object, source: Source) -> None:
        """Add a condensation."""
        named = {one for one in listed(event.get("forgotten_event_ids")) if isinstance(one, str)}
        condensation = Condensation(
            key=key,
            forgets=named.__contains__,
            names_summaries=any(one.endswith(SUMMARY) for one in named),
            summary=text(event, "summary"),
            offset=number(event, "summary_offset"),
            trigger=self.asked,
            at=seconds_of(event.get("timestamp")),
        )
        self.asked = None
        self.view.condense(condensation, self.draft, source)


def system(event: Object) -> Entry:
    """Read a system prompt and what was added to it for this conversation."""
    parts = [inside(event, "system_prompt"), inside(event, "dynamic_context")]
    return Entry(message=Message(role="system", text=text_of(parts)))


def message(event: Object) -> Entry:
    """Read what was said, by a person or the model."""
    raw = inside(event, "llm_message")
    said = text_of(raw.get("content")) + text_of(event.get("extended_content"))
    role = ROLES.get(text(raw, "role") or "", "user")
    return Entry(message=replace(read_message(raw, role), text=said))


def action(event: Object) -> Entry:
    """Read a call; one that ends the run is the answer."""
    thought = text_of(event.get("thought"))
    raw = inside(event, "tool_call")
    name = text(raw, "name") or text(event, "tool_name") or ""
    if name == "finish":
        final = text(inside(event, "action"), "message")
        return Entry(message=Message(role="assistant", text=final or thought))
    # The call is that of a chat message, or flat: its name and its arguments beside its id.
    given = raw.get("arguments", compact(dict(inside(event, "action"))))
    flat = ToolCall(
        call_id=text(event, "tool_call_id") or text(raw, "id"),
        name=name,
        arguments=given if isinstance(given, str) else compact(given),
    )
    wrote = next(read_calls({"tool_calls": [raw]}), flat)
    return Entry(message=Message(role="assistant", text=thought, calls=(wrote,)))


def result(event: Object) -> Entry:
    """Read what came of a call, or why it was not made."""
    held = inside(event, "observation")
    reason = text(event, "rejection_reason")
    said = text(event, "error") or (f"Action rejected: {reason}" if reason is not None else "")
    given = held.get("content", held.get("output"))
    return Entry(
        message=Message(
            role="tool",
            text=(text_of(given) if held else said) + text_of(event.get("extended_content")),
            answers=text(event, "tool_call_id"),
            name=text(event, "tool_name"),
        ),
        failed=not held or held.get("is_error") is True,
    )


KINDS: Mapping[str, Callable[[Object], Entry]] = {
    "SystemPromptEvent": system,
    "MessageEvent": message,
    "ActionEvent": action,
    "ObservationEvent": result,
    "AgentErrorEvent": result,
    "UserRejectObservation": result,
}
ALL_KINDS = (*KINDS, *QUIET, "Condensation", "CondensationRequest")


def tools_of(event: Object) -> tuple[str, ...]:
    """Return the names of the tools that a system prompt comes with."""
    named = (text(one, "name", "title") for one in objects(event.get("tools")))
    return tuple(one for one in named if one is not None)


def is_event(one: object) -> bool:
    """Whether a value is an event of version 1."""
    return is_object(one) and one.get("kind") in ALL_KINDS and {"id", "source"} <= one.keys()


def is_log(one: object) -> bool:
    """Whether a value is the log of one completion."""
    members = {"messages", "response", "cost", "latency_sec"}
    return is_object(one) and members <= one.keys() and isinstance(one["messages"], list)


def turn_of(name: str, pattern: re.Pattern[str]) -> float | None:
    """Return the number in the name of a file; None for a name of another kind."""
    found = pattern.fullmatch(name)
    return float(found[1]) if found else None


def together(opened: Opened, pattern: re.Pattern[str]) -> Iterator[Opened]:
    """Yield the files of a folder that are one, in their order, for the first; none for the others.

    A file with a name of its own is one by itself.
    """
    if opened.path is None or turn_of(opened.path.name, pattern) is None:
        yield opened
        return
    names = (one.name for one in opened.path.parent.iterdir())
    turns = sorted((turn, name) for name in names if (turn := turn_of(name, pattern)) is not None)
    if turns[0][1] != opened.path.name:
        return
    for _, name in turns:
        found = opened.beside(name)
        if found is not None:
            # In the words of whoever named the first.
            yield replace(found, name=str(Path(opened.name).with_name(name)))


def session_of(opened: Opened) -> str:
    """Return the name of a conversation: that of its folder, where a file is only one event."""
    path = opened.path
    if path is None or turn_of(path.name, EVENT_FILE) is None:
        return opened.name
    folder = path.resolve().parent
    return folder.parent.name if folder.name == "events" else folder.name


def held_in(opened: Opened) -> Iterator[tuple[object, Source] | Damaged]:
    """Yield the values of a file, a document or lines, each with its place."""
    if is_object(opened.document) or isinstance(opened.document, list):
        values = opened.document if isinstance(opened.document, list) else [opened.document]
        line = 1 if opened.one_line else None
        for value in values:
            yield value, Source(path=opened.name, line=line)
        return
    for one in opened.lines():
        if one.fault is not None:
            yield Damaged(line=one.number, why=one.fault, chars=one.chars, saved=len(one.values))
        for value in one.values:
            yield value, Source(path=opened.name, line=one.number)


def event_records(opened: Opened) -> Iterator[Record]:
    """Yield the conversation of a file, or of the folder whose first event it is."""
    base = Transcript(
        session=session_of(opened),
        form=FORM_NAME,
        entries=(),
        source=Source(path=opened.name),
        agent="OpenHands SDK",
    )
    conversation = Conversation(draft=Draft(base=base))
    files = 0
    for file in together(opened, EVENT_FILE):
        files += 1
        for one in held_in(file):
            if isinstance(one, Damaged):
                yield one
            elif is_object(one[0]):
                conversation.add(one[0], one[1])
            else:
                yield Plain(line=one[1].line)
    if files:
        yield conversation.draft.done()


def log_records(opened: Opened) -> Iterator[Record]:
    """Yield the exchanges of a file, or of the folder whose first completion it is."""
    order = count(1)
    for file in together(opened, LOG_FILE):
        for one in held_in(file):
            if isinstance(one, Damaged):
                yield one
            elif is_object(one[0]) and is_log(one[0]):
                yield completion(one[0], one[1], next(order))
            else:
                yield Plain(line=one[1].line)


def completion(document: Object, place: Source, order: int) -> Exchange:
    """Return the exchange of a log, with its window, and its results told as such."""
    found = exchange_of(document, place, order) or Exchange(number=order, source=place)
    if found.request is None:
        return found
    window = number(document, "context_window")
    settings = replace(found.request.settings, window=window or found.request.settings.window)
    messages = told(found.request, objects(document.get("raw_messages")))
    return replace(found, request=replace(found.request, messages=messages, settings=settings))


def told(request: Request, raw: Sequence[Object]) -> list[Message]:
    """Return the messages as they were sent, with the calls that were put into their texts.

    For models without function calling the log holds the messages also as they were before.
    """
    sent = list(request.messages)
    if len(raw) == len(sent):
        roles = [
            ROLES.get(text(one, "role") or "", one_sent.role)
            for one, one_sent in zip(raw, sent, strict=True)
        ]
        return [
            replace(read_message(one, role), text=one_sent.text)
            for one, role, one_sent in zip(raw, roles, sent, strict=True)
        ]
    return [
        replace(one, role="tool", name=found[1])
        if one.role == "user" and (found := EXECUTION.match(one.text))
        else one
        for one in sent
    ]


def records(opened: Opened) -> Iterator[Record]:
    """Yield what a file holds."""
    first: object = opened.document if is_object(opened.document) else NOTHING
    heads = [first, *opened.head[:1]] if not isinstance(opened.document, list) else [NOTHING]
    yield from (log_records if any(map(is_log, heads)) else event_records)(opened)


def fits(opened: Opened) -> bool:
    """Whether a file is an event or more, or the log of a completion."""
    held: object = opened.document
    if isinstance(held, list):
        return bool(held) and all(map(is_event, held[:3]))
    if is_object(held):
        return is_event(held) or is_log(held)
    return bool(opened.head) and all(is_event(one) or is_log(one) for one in opened.head[:3])


OPENHANDS_SDK = Form(
    name=FORM_NAME,
    what="events of the OpenHands SDK, and the logs of its completions",
    fits=fits,
    records=records,
)
