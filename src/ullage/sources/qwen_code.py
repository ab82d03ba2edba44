"""qwen-code: `~/.qwen/projects/<slug>/chats/<session>.jsonl`.

Records name their parents, as those of Claude Code do, and hold messages as Gemini has them. A
`system/chat_compression` holds the history that the model has from there on.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ullage.sources.form import Form
from ullage.sources.gemini_produced import produced_of, result_text
from ullage.sources.lineage import Kind, Node, Strand, strands
from ullage.sources.opened import Opened
from ullage.sources.record import Numbered, Record
from ullage.sources.story import Story
from ullage.sources.times import seconds_of
from ullage.sources.typed_lines import typed_records
from ullage.transcript.finding import Source
from ullage.transcript.message import Message
from ullage.transcript.transcript import Compaction, Entry, Transcript
from ullage.wire.gemini import ROLES, read_content, usage_of
from ullage.wire.members import Object, inside, number, objects, text

AGENT = "qwen-code"
KINDS = frozenset({"user", "assistant", "tool_result", "system"})
COMPRESSION = "chat_compression"


def fits(opened: Opened) -> bool:
    """Whether the first lines are records of qwen-code."""
    return any(is_record(one) for one in opened.head)


def is_record(value: Object) -> bool:
    """Whether an object is a message in its envelope, or one of its own records."""
    if "uuid" not in value or "sessionId" not in value or text(value, "type") not in KINDS:
        return False
    parts = isinstance(inside(value, "message").get("parts"), list)
    return parts or "systemPayload" in value or "toolCallResult" in value


def nodes_of(found: Sequence[Numbered]) -> list[Node]:
    """Return records as nodes of a tree, in their order."""
    seen: set[str] = set()
    nodes = []
    for one in found:
        key, parent = text(one.value, "uuid"), text(one.value, "parentUuid")
        again = key in seen
        seen |= {key} if key is not None else set()
        nodes.append(
            Node(
                record=one,
                key=key,
                parent=parent,
                kind="nothing" if again else kind_of(one.value),
                orphan=parent is not None or "parentUuid" not in one.value,
                alias=key if again else None,
            )
        )
    return nodes


def kind_of(value: Object) -> Kind:
    """Say what a record holds."""
    what = text(value, "type")
    if what == "system":
        return "aside" if text(value, "subtype") == COMPRESSION else "nothing"
    if not objects(inside(value, "message").get("parts")):
        return "nothing"
    if what == "tool_result":
        return "result"
    return "reply" if what == "assistant" else "prompt"


def tell(strand: Strand, opened: Opened) -> tuple[Story, int]:
    """Tell the records of one conversation; return how many entries are in another one, too."""
    story, shared = Story(), 0
    for number_of, node in enumerate(strand.nodes):
        if number_of == strand.shared:
            shared = len(story.entries)
        if node.alias is not None or node.kind == "nothing":
            continue
        if node.kind == "aside":
            compress(story, node.record, opened)
        else:
            for entry in entries_of(node.record, story, opened):
                story.add(entry)
    return story, shared if strand.shared < len(strand.nodes) else len(story.entries)


def entries_of(record: Numbered, story: Story, opened: Opened) -> Iterator[Entry]:
    """Yield the messages of a record."""
    value, place = record.value, Source(path=opened.name, line=record.line)
    raw, assistant = inside(value, "message"), text(value, "type") == "assistant"
    usage = inside(value, "usageMetadata")
    result = inside(value, "toolCallResult")
    for message in messages_in(raw, assistant=assistant):
        entry = Entry(
            message=message,
            source=place,
            at=seconds_of(value.get("timestamp")),
            usage=usage_of(usage) if assistant and usage else None,
            model=text(value, "model") if assistant else None,
            key=text(value, "uuid"),
        )
        failed = text(result, "status") in ("error", "cancelled")
        if message.role == "tool" and text(result, "callId") in (message.answers, None):
            produced = produced_of(
                result.get("resultDisplay"),
                message.text,
                message.name,
                text(value, "sessionId") or "",
                opened,
                record.line,
            )
            entry = replace(entry, failed=failed, produced=None if failed else produced)
        yield entry


def messages_in(raw: Object, *, assistant: bool) -> Iterator[Message]:
    """Yield the messages of a content; of a result, what is given is its output or its error."""
    results = {
        text(held, "id"): result_text(inside(held, "response"))
        for part in objects(raw.get("parts"))
        if (held := inside(part, "functionResponse"))
    }
    for message in read_content(raw, "assistant" if assistant else "user"):
        if message.role == "tool" and message.answers in results:
            yield replace(message, text=results[message.answers])
        else:
            yield message


def compress(story: Story, record: Numbered, opened: Opened) -> None:
    """Take in a compression: the history that it leaves."""
    payload = inside(record.value, "systemPayload")
    info = inside(payload, "info")
    place = Source(path=opened.name, line=record.line)
    begin = Compaction(
        at=len(story.entries),
        act="summarise",
        trigger=text(info, "trigger", "triggerReason"),
        tokens_before=number(info, "originalTokenCount") or None,
        tokens_after=number(info, "newTokenCount") or None,
        source=place,
    )
    if not isinstance(payload.get("compressedHistory"), list):
        story.compact(begin)
        return
    history = [
        Entry(message=message, source=place, at=seconds_of(record.value.get("timestamp")))
        for one in objects(payload["compressedHistory"])
        for message in messages_in(one, assistant=ROLES.get(text(one, "role") or "") == "assistant")
    ]
    done = story.become(history, begin)
    # The model's summary is the first of what is new; the program lets the model acknowledge it.
    fresh = [one for one in done.after or () if one >= done.at]
    said = [one for one in fresh if story.entries[one].message.role == "user"]
    story.compactions[-1] = replace(done, summary=tuple(said[:1]))


def records(opened: Opened) -> Iterator[Record]:
    """Yield the conversations of a file, and its damaged lines."""
    return typed_records(opened, KINDS, transcripts)


def transcripts(
    found: Sequence[Numbered], opened: Opened, unread: Counter[str]
) -> Iterator[Transcript]:
    """Yield the conversation that goes on, then its branches."""
    names = (text(one.value, "sessionId") for one in found)
    name = next((one for one in names if one), None) or Path(opened.name).stem
    versions = [one for each in found if (one := text(each.value, "version"))]
    for branch, strand in enumerate(strands(nodes_of(found))):
        story, shared = tell(strand, opened)
        if len(story.entries) <= shared:
            continue
        models = [one.model for one in story.entries if one.model]
        yield Transcript(
            session=f"{name}@{branch}" if branch else name,
            form=AGENT,
            entries=story.entries,
            compactions=story.compactions,
            source=Source(path=opened.name),
            agent=AGENT,
            version=versions[-1] if versions else None,
            model=models[-1] if models else None,
            shared=shared,
            records=0 if branch else len(found),
            unread={} if branch else unread,
        )


QWEN_CODE = Form(
    name="qwen-code",
    what="a session of qwen-code",
    fits=fits,
    records=records,
)
