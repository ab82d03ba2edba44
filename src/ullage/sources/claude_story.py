"""The records of one conversation of Claude Code, told in their order, with its compactions.

A compaction is a boundary, a summary, or both; what it kept is named, or written once more behind
it. The summary stands first, then what was kept; where the kept hangs on the boundary itself, it
stands before the summary.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ullage.sources.claude_produced import produced_of
from ullage.sources.claude_records import (
    BOUNDARY,
    MICRO,
    boundary_of,
    entries_of,
    is_summary,
    kept_by,
    metadata_of,
    reply_of,
    segment_of,
    tokens,
)
from ullage.sources.lineage import Node, Strand
from ullage.sources.opened import Opened
from ullage.sources.record import Numbered
from ullage.sources.story import Story
from ullage.transcript.finding import Source
from ullage.transcript.message import Message, ToolCall
from ullage.transcript.transcript import Compaction, Entry
from ullage.wire.members import Object, inside, listed, read_object, text

CLEARED = "[Old tool result content cleared]"
"""What stands in the place of a result that a microcompaction cleared."""


@dataclass(slots=True)
class Opening:
    """A compaction that is not over: until the next message, more of it may come."""

    draft: Compaction
    boundary: str | None
    anchor: str | None = None
    summary: list[int] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Told:
    """One conversation: its story, and what its records say besides."""

    opened: Opened
    story: Story = field(default_factory=Story)
    shared: int = 0
    version: str | None = None
    tools: tuple[str, ...] = ()
    agents: dict[str, str] = field(default_factory=dict)
    replies: dict[str, list[Numbered]] = field(default_factory=dict)
    reply_at: dict[str, int] = field(default_factory=dict)
    places: dict[str, list[int]] = field(default_factory=dict)
    calls: dict[str, ToolCall] = field(default_factory=dict)
    open: Opening | None = None

    def take(self, node: Node) -> None:
        """Take in the next record."""
        value = node.record.value
        self.version = text(value, "version", "claude_code_version") or self.version
        named = [one for one in listed(value.get("tools")) if isinstance(one, str)]
        self.tools = tuple(named) or self.tools
        boundary = boundary_of(value)
        if boundary == BOUNDARY:
            self.begin(node.record, metadata_of(value))
        elif boundary == MICRO:
            self.clear(node.record, metadata_of(value))
        elif node.alias is not None:
            self.keep_again(node)
        elif node.kind == "reply":
            self.reply(node)
        elif node.kind != "nothing":
            self.messages(node)

    def reply(self, node: Node) -> None:
        """Take in a reply, or one more block of one."""
        self.close()
        family = node.family or f"line {node.record.line}"
        records = self.replies.setdefault(family, [])
        records.append(node.record)
        entry = reply_of(records, self.place(records[0]))
        self.calls.update({one.call_id: one for one in entry.message.calls if one.call_id})
        if len(records) == 1:
            self.reply_at[family] = self.story.add(entry)
        else:
            self.story.change(self.reply_at[family], entry)
        self.note(node, self.reply_at[family])

    def messages(self, node: Node) -> None:
        """Take in what a user, a tool or the program says."""
        value = node.record.value
        summary = is_summary(value)
        if summary and self.open is None:
            self.begin(node.record, {})
        elif not summary and node.kind != "aside":
            self.close()
        for entry in entries_of(value, self.place(node.record)):
            index = self.story.add(self.known(entry, node.record))
            self.note(node, index)
            if summary and self.open is not None:
                self.open.summary.append(index)

    def known(self, entry: Entry, record: Numbered) -> Entry:
        """Return an entry with what was produced, where it is a result."""
        if entry.message.role != "tool":
            return entry
        value = record.value
        answers = entry.message.answers or text(value, "sourceToolUseID")
        call = self.calls.get(answers or "")
        agent = text(inside(value, "toolUseResult"), "agentId")
        if agent and answers:
            self.agents.setdefault(agent, answers)
        asked: Object = read_object(call.arguments) if call else {}
        produced = produced_of(value, entry.message.text, asked, self.opened, record.line)
        message = replace(entry.message, answers=answers)
        return replace(entry, message=message, produced=None if entry.failed else produced)

    def begin(self, record: Numbered, meta: Object) -> None:
        """Begin a compaction, at its boundary or at a summary without one."""
        self.close()
        segment = segment_of(meta)
        opening = Opening(
            draft=Compaction(
                at=len(self.story.entries),
                act="summarise",
                trigger=text(meta, "trigger"),
                tokens_before=tokens(meta, "preTokens", "pre_tokens"),
                tokens_after=tokens(meta, "postTokens", "post_tokens"),
                source=self.place(record),
            ),
            boundary=text(record.value, "uuid"),
            anchor=text(segment, "anchorUuid", "anchor_uuid"),
        )
        opening.kept = self.kept(kept_by(record.value), segment)
        self.open = opening

    def kept(self, keys: frozenset[str], segment: Object) -> list[int]:
        """Return the entries in force that a compaction kept: those named, or a whole stretch."""
        named = {index for key in keys for index in self.places.get(key, ())}
        ends = [
            self.places.get(text(segment, *names) or "", [])
            for names in (("headUuid", "head_uuid"), ("tailUuid", "tail_uuid"))
        ]
        if all(ends) and len(keys) <= len(ends):
            named |= set(range(min(ends[0]), max(ends[1]) + 1))
        return [index for index in self.story.now if index in named]

    def keep_again(self, node: Node) -> None:
        """Take in a record that is written once more behind a compaction, which kept it."""
        if self.open is not None and node.key is not None:
            opening, there = self.open, self.places.get(node.key, ())
            opening.kept += [
                one for one in there if one < opening.draft.at and one not in opening.kept
            ]

    def close(self) -> None:
        """End the compaction that is open: no more of it can come."""
        opening, self.open = self.open, None
        if opening is None:
            return
        kept_first = opening.anchor is not None and opening.anchor == opening.boundary
        parts = (opening.kept, opening.summary) if kept_first else (opening.summary, opening.kept)
        stands = [*parts[0], *parts[1]]
        later = [index for index in self.story.now if index >= opening.draft.at]
        self.story.compact(
            replace(
                opening.draft,
                after=tuple(stands) if stands else None,
                summary=tuple(opening.summary),
            )
        )
        self.story.now += [index for index in later if index not in self.story.now]

    def clear(self, record: Numbered, meta: Object) -> None:
        """Take in that the texts of some results were cleared."""
        self.close()
        ids = listed(meta.get("compactedToolIds", meta.get("compacted_tool_ids")))
        gone = listed(meta.get("clearedAttachmentUUIDs", meta.get("cleared_attachment_uuids")))
        entries, now = self.story.entries, list(self.story.now)
        dropped = {index for key in gone for index in self.places.get(str(key), ())}
        cleared = [index for index in now if is_answer(entries[index].message, ids)]
        at, place = len(entries), self.place(record)
        stand_in = {}
        for index in cleared:
            message = replace(entries[index].message, text=CLEARED)
            entries.append(Entry(message=message, source=place, key=entries[index].key))
            stand_in[index] = len(entries) - 1
        before = tokens(meta, "preTokens", "pre_tokens")
        freed = tokens(meta, "tokensSaved", "tokens_saved")
        self.story.compact(
            Compaction(
                at=at,
                act="elide",
                after=tuple(stand_in.get(one, one) for one in now if one not in dropped),
                cleared=tuple(cleared),
                trigger=text(meta, "trigger"),
                tokens_before=before,
                tokens_after=None if before is None or freed is None else before - freed,
                source=place,
            )
        )

    def place(self, record: Numbered) -> Source:
        """Return where a record stands."""
        return Source(path=self.opened.name, line=record.line)

    def note(self, node: Node, index: int) -> None:
        """Remember which entries a record became."""
        if node.key is not None:
            self.places.setdefault(node.key, []).append(index)


def tell(strand: Strand, opened: Opened) -> Told:
    """Tell the records of one conversation."""
    told = Told(opened=opened)
    for number, node in enumerate(strand.nodes):
        if number == strand.shared:
            told.shared = len(told.story.entries)
        told.take(node)
    told.close()
    if strand.shared >= len(strand.nodes):
        told.shared = len(told.story.entries)
    return told


def is_answer(message: Message, ids: Sequence[object]) -> bool:
    """Whether a message is the result of one of some calls, and not cleared yet."""
    return message.role == "tool" and message.answers in ids and message.text != CLEARED
