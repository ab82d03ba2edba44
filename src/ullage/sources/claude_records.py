"""One record of Claude Code: what kind it is, and the messages in it.

The format is internal to the program and changes with it; names are spelled in camelCase in its own
files and in snake_case in what its SDK streams.
"""

from collections.abc import Iterator, Mapping, Sequence

from ullage.sources.lineage import Kind, Node
from ullage.sources.record import Numbered
from ullage.sources.times import seconds_of
from ullage.transcript.finding import Source
from ullage.transcript.message import Message
from ullage.transcript.transcript import Entry
from ullage.wire.anthropic import add_document, read_message
from ullage.wire.contents import text_of
from ullage.wire.draft import Draft
from ullage.wire.members import Object, compact, inside, number, objects, text

BOUNDARY, MICRO = "compact_boundary", "microcompact_boundary"
SYNTHETIC = "<synthetic>"
"""The model of what the program itself wrote in place of a reply: an error, a note."""

SILENT = frozenset(
    {
        "agent-name",
        "agent-setting",
        "ai-title",
        "atis-latch",
        "attribution-snapshot",
        "auth_status",
        "bridge-session",
        "content-replacement",
        "custom-title",
        "file-history-snapshot",
        "frame-link",
        "last-prompt",
        "mode",
        "permission-mode",
        "pr-link",
        "progress",
        "queue-operation",
        "rate_limit_event",
        "relocated",
        "result",
        "started",
        "stream_event",
        "summary",
        "tag",
        "task-summary",
        "tool_progress",
        "tool_use_summary",
        "worktree-state",
    }
)
"""Records that are known and hold no message of the conversation."""

KNOWN = frozenset({"user", "assistant", "system", "attachment"}) | SILENT
INTERRUPTED = "[Request interrupted by user"

ATTACHED: Mapping[str, Sequence[str]] = {
    "queued_command": ("prompt",),
    "file": ("content", "file", "content"),
    "edited_text_file": ("snippet",),
    "hook_additional_context": ("content",),
    "nested_memory": ("content", "content"),
}
"""Attachments whose text the model is given, and where it stands; its wrapping is not recorded."""


def kind_of(value: Object) -> Kind:
    """Say what a record holds."""
    what = text(value, "type")
    if what == "assistant":
        return "reply" if inside(value, "message") else "nothing"
    if what == "attachment":
        return "aside" if attached(value) else "nothing"
    if what != "user" or not inside(value, "message"):
        return "nothing"
    blocks = objects(inside(value, "message").get("content"))
    if any(text(one, "type") == "tool_result" for one in blocks):
        return "result"
    said = text_of(inside(value, "message").get("content"))
    aside = value.get("isMeta") or is_summary(value) or said.startswith(INTERRUPTED)
    return "aside" if aside else "prompt"


def is_summary(value: Object) -> bool:
    """Whether a record is the summary of a compaction."""
    return (value.get("isCompactSummary") or value.get("is_compact_summary")) is True


def boundary_of(value: Object) -> str | None:
    """Return what kind of compaction a record begins; None for any other record."""
    what = text(value, "subtype") if text(value, "type") == "system" else None
    return what if what in (BOUNDARY, MICRO) else None


def metadata_of(value: Object) -> Object:
    """Return what a boundary says of its compaction."""
    names = ("compactMetadata", "compact_metadata", "microcompactMetadata", "microcompact_metadata")
    return inside(value, *names)


def kept_by(value: Object) -> frozenset[str]:
    """Return the keys that a boundary names as kept, as far as it names them one by one."""
    meta = metadata_of(value)
    listed = inside(meta, "preservedMessages", "preserved_messages").get("uuids")
    segment = segment_of(meta)
    ends = (text(segment, "headUuid", "head_uuid"), text(segment, "tailUuid", "tail_uuid"))
    named = listed if isinstance(listed, list) else []
    return frozenset(one for one in (*named, *ends) if isinstance(one, str))


def segment_of(meta: Object) -> Object:
    """Return the ends of the stretch that a compaction kept."""
    return inside(meta, "preservedSegment", "preserved_segment")


def family_of(value: Object) -> str | None:
    """Return what the records of one reply have in common."""
    return text(inside(value, "message"), "id") if text(value, "type") == "assistant" else None


def nodes_of(records: Sequence[Numbered]) -> list[Node]:
    """Return records as nodes of a tree, in their order."""
    seen: dict[str, str] = {}
    first: dict[str, str] = {}
    found = []
    for one in records:
        value, own = one.value, text(one.value, "uuid")
        mark = mark_of(value)
        again = first.get(mark) if mark is not None else None
        # A key that was there with something else in it was blanked by somebody.
        key = again or (None if own in seen else own)
        if key is not None and own is not None and again is None:
            seen[own] = key
            if mark is not None:
                first[mark] = key
        parent = text(value, "parentUuid")
        boundary = boundary_of(value)
        found.append(
            Node(
                record=one,
                key=key,
                parent=parent or (text(value, "logicalParentUuid") if boundary else None),
                kind=kind_of(value) if again is None else "nothing",
                orphan=parent is not None or "parentUuid" not in value,
                family=family_of(value),
                alias=None if again is None else own,
                keeps=kept_by(value) if boundary == BOUNDARY else None,
            )
        )
    return found


def mark_of(value: Object) -> str | None:
    """Return what a message and its replay have in common, which may have a key of its own."""
    message = inside(value, "message")
    if not message or seconds_of(value.get("timestamp")) is None:
        return None
    return compact([value.get("timestamp"), value.get("type"), message])


def entries_of(value: Object, place: Source) -> Iterator[Entry]:
    """Yield the messages of a record of a user, of a tool or of the program."""
    at, key = seconds_of(value.get("timestamp")), text(value, "uuid")
    if text(value, "type") == "attachment":
        message = Message(role="user", text=attached(value))
        yield Entry(message=message, source=place, at=at, key=key)
        return
    raw = inside(value, "message")
    failed = {
        text(one, "tool_use_id"): one.get("is_error") is True
        for one in objects(raw.get("content"))
        if text(one, "type") == "tool_result"
    }
    hidden = value.get("isVisibleInTranscriptOnly") is True and not is_summary(value)
    for message in read_message(raw, "user"):
        yield Entry(
            message=message,
            source=place,
            at=at,
            failed=message.role == "tool" and failed.get(message.answers, False),
            key=key,
            in_context=not hidden,
        )


def attached(value: Object) -> str:
    """Return the text of an attachment; empty where it gives the model none that is known."""
    held: object = inside(value, "attachment")
    for name in ATTACHED.get(text(inside(value, "attachment"), "type") or "", ("",)):
        held = held.get(name) if isinstance(held, dict) else None
    return text_of(held)


def reply_of(records: Sequence[Numbered], place: Source) -> Entry:
    """Return the one reply that records with the same message id tell, block by block.

    The count of tokens is repeated in each; the last one is that of the whole.
    """
    first, last = records[0].value, records[-1].value
    heads = [inside(one.value, "message") for one in records]
    blocks = [block for one in heads for block in blocks_in(one)]
    head = {name: held for one in heads for name, held in one.items() if held is not None}
    draft = Draft(ended=True)
    add_document(draft, {**head, "content": blocks})
    for call in draft.calls.values():
        call.arguments = call.arguments or ["{}"]
    reply = draft.done()
    written_by_program = reply.model == SYNTHETIC or last.get("isApiErrorMessage") is True
    return Entry(
        message=reply.message,
        source=place,
        at=seconds_of(first.get("timestamp")),
        usage=reply.usage,
        label=None if reply.finish_reason is None or written_by_program else reply.label,
        finish_reason=reply.finish_reason,
        model=None if reply.model == SYNTHETIC else reply.model,
        key=text(first, "uuid"),
        in_context=not written_by_program,
    )


def blocks_in(message: Object) -> list[Object]:
    """Return the blocks of a reply; a text alone is one."""
    content = message.get("content")
    return [{"type": "text", "text": content}] if isinstance(content, str) else objects(content)


def tokens(meta: Object, *names: str) -> int | None:
    """Return a number of tokens that a boundary tells; one of 0 is not known."""
    return number(meta, *names) or None
