"""Saved conversations: a list of messages, with or without what was noted of it.

A request body is a list of messages, too. What tells a saved conversation is a name for the list
that no provider uses, or a member beside `messages` that no request has and no setting of one.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import PurePath

from ullage.errors import LoadError
from ullage.sources.form import Form
from ullage.sources.messages import Entries, is_message, paired
from ullage.sources.opened import NO_DOCUMENT, Opened, is_object
from ullage.sources.places import Places, Span, items, member
from ullage.sources.record import Damaged, Plain, Record
from ullage.transcript.finding import Source
from ullage.transcript.transcript import Transcript
from ullage.wire.body_parts import tools_in
from ullage.wire.members import Object, inside, listed, text

MESSAGES = "messages"
HISTORIES = (
    "traj",
    "trajectory",
    "history",
    "conversation",
    "conversations",
    "chat_history",
    MESSAGES,
)
SETTINGS = frozenset(
    (
        *("temperature", "top_p", "top_k", "seed", "n", "stop", "stop_sequences"),
        *("max_tokens", "max_completion_tokens", "stream", "stream_options", "tool_choice"),
        *("toolConfig", "response_format", "reasoning", "reasoning_effort", "thinking"),
        *("context_management", "parallel_tool_calls", "kwargs"),
        *("url", "uri", "path", "body", "sent_chars"),
    )
)
"""With one of these it is a request, or the record of one."""
SILENT = frozenset(
    (
        *("model", "system", "tools", "functions", "metadata", "user"),
        *("id", "custom_id", "method", "usage"),
    )
)
"""Both may have these."""
EXCHANGED = ("request", "response", "reply")
NAMES = (
    "session_id",
    "sessionId",
    "conversation_id",
    "id",
    "task_id",
    "uuid",
    "instance_id",
    "file_name",
)
OUTCOMES = ("reward", "score", "outcome", "success", "resolved", "is_correct", "passed")
LOOKED_AT = 5


def history_in(row: Object) -> str | None:
    """Return the name under which a row has its messages; None where it has none."""
    return next((name for name in HISTORIES if are_messages(row.get(name))), None)


def are_messages(value: object) -> bool:
    """Whether a value is a list of messages."""
    if not isinstance(value, list) or not value:
        return False
    return all(is_message(one) for one in islice(value, LOOKED_AT))


def is_row(value: object) -> bool:
    """Whether a value is a saved conversation."""
    if are_messages(value):
        return True
    if not is_object(value):
        return False
    name = history_in(value)
    if name != MESSAGES:
        return name is not None
    if SETTINGS & value.keys() or inside(value, *EXCHANGED):
        return False
    return bool(value.keys() - SILENT - {MESSAGES})


def fits(opened: Opened) -> bool:
    """Whether a file is a conversation, a list or lines of some, or lines of messages."""
    document = opened.document
    if document is NO_DOCUMENT:
        head = opened.head
        return bool(head) and (all(map(is_row, head)) or all(map(is_message, head)))
    if is_row(document):
        return True
    rows = islice(listed(document), LOOKED_AT)
    return bool(listed(document)) and all(map(is_row, rows))


@dataclass(slots=True)
class Reading:
    """The conversations of a file so far."""

    opened: Opened
    names: Counter[str] = field(default_factory=Counter)
    order: Iterator[int] = field(default_factory=lambda: count(1))

    def transcript(
        self, row: object, line: int | None, lines: Sequence[int | None] | None = None
    ) -> Transcript:
        """Return one conversation; `lines` are those of its messages, if they have their own."""
        about: Object = row if is_object(row) else {}
        raw = listed(row) or listed(about.get(history_in(about) or MESSAGES))
        entries = Entries()
        for at, one in enumerate(raw):
            own = lines[at] if lines is not None and at < len(lines) else line
            entries.add(one, Source(path=self.opened.name, line=own))
        return Transcript(
            session=self.name(about),
            form="chat",
            entries=paired(entries.found),
            source=Source(path=self.opened.name, line=line),
            agent=text(about, "agent", "agent_name"),
            model=text(about, "model", "model_name"),
            tools=tuple(tool_names(about)),
            outcome=outcome_of(about),
            unread=dict(entries.unread),
        )

    def name(self, row: Object) -> str:
        """Return the name of a conversation, which no other of the file has."""
        number = next(self.order)
        stem = PurePath(self.opened.name).name
        found = next((one for name in NAMES if (one := row.get(name)) not in (None, "")), None)
        # A bare number says nothing beside those of other files.
        named = f"{stem}#{found}" if isinstance(found, int) else found
        name = named if isinstance(named, str) else f"{stem}#{number}"
        self.names[name] += 1
        return name if self.names[name] == 1 else f"{name}#{self.names[name]}"


def tool_names(row: Object) -> Iterator[str]:
    """Yield the names of the tools that were offered."""
    for one in [*tools_in(row.get("tools")), *tools_in(row.get("functions"))]:
        name = text(inside(one, "function") or one, "name")
        if name:
            yield name


def outcome_of(row: Object) -> float | None:
    """Return the score of a row, a flag as 1 or 0; None where it has none."""
    found = (row.get(name) for name in OUTCOMES)
    return next((float(one) for one in found if isinstance(one, int | float)), None)


def records(opened: Opened) -> Iterator[Record]:
    """Yield the conversations of a file, one at a time."""
    if opened.document is NO_DOCUMENT:
        yield from of_lines(opened)
    else:
        yield from of_document(opened, opened.document)


def of_document(opened: Opened, document: object) -> Iterator[Record]:
    """Yield the conversations of one JSON document."""
    reading, places = Reading(opened), Places(opened.data)
    root = places.root()
    if is_row(document) or (is_object(document) and history_in(document)):
        yield reading.transcript(document, places.line(root), lines_in(places, root, document))
        return
    rows = listed(document)
    if not any(map(is_row, rows)):
        raise LoadError(f"{opened.name}: no conversation: no list of messages with roles")
    spans: Sequence[Span | None] = items(root) or [None] * len(rows)
    for row, span in zip(rows, spans, strict=False):
        line = places.line(span)
        if is_row(row):
            yield reading.transcript(row, line, lines_in(places, span, row))
        else:
            yield Plain(line=line)


def lines_in(places: Places, span: Span | None, row: object) -> list[int | None] | None:
    """Return the lines in which the messages of a row begin; None where they are not known."""
    name = history_in(row) if is_object(row) else None
    found = items(member(span, name) if name else span)
    return [places.line(one) for one in found] or None


def of_lines(opened: Opened) -> Iterator[Record]:
    """Yield the conversation of each line, or the one whose messages are the lines."""
    if opened.head and all(map(is_message, opened.head)):
        yield from one_a_line(opened)
        return
    reading, some = Reading(opened), False
    for line in opened.lines():
        if line.fault is not None:
            yield Damaged(
                line=line.number, why=line.fault, chars=line.chars, saved=len(line.values)
            )
        for value in line.values:
            some = some or is_row(value)
            yield (
                reading.transcript(value, line.number) if is_row(value) else Plain(line=line.number)
            )
    if not some:
        raise LoadError(f"{opened.name}: no conversation: no list of messages with roles")


def one_a_line(opened: Opened) -> Iterator[Record]:
    """Yield the one conversation of a file with a message in each line."""
    values: list[object] = []
    lines: list[int | None] = []
    for line in opened.lines():
        if line.fault is not None:
            yield Damaged(
                line=line.number, why=line.fault, chars=line.chars, saved=len(line.values)
            )
        values += line.values
        lines += [line.number] * len(line.values)
    yield Reading(opened).transcript(values, 1, lines)


CHAT = Form(
    name="chat",
    what="saved conversations: lists of messages of OpenAI, Anthropic, Gemini and others",
    fits=fits,
    records=records,
)
