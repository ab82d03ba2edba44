"""Codex: `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`, plain or compressed.

Each line has a type and a payload; files of 2025 have the items of the history without them. A
`compacted` line holds the new history whole, and the old one stays in the file.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ullage.sources.codex_items import (
    RUNNING,
    SILENT,
    is_known,
    is_opaque,
    message_of,
    produced_in,
    usage_of,
)
from ullage.sources.form import Form
from ullage.sources.opened import Opened, is_object
from ullage.sources.record import Damaged, Plain, Record
from ullage.sources.story import Story
from ullage.sources.times import seconds_of
from ullage.transcript.finding import Source
from ullage.transcript.transcript import Compaction, Entry, Produced, Transcript
from ullage.wire.members import Object, inside, number, objects, text

AGENT = "codex"
OWN_LINES = frozenset(
    {
        "session_meta",
        "turn_context",
        "world_state",
        "response_item",
        "event_msg",
        "compacted",
        "inter_agent_communication_metadata",
        "token_usage_record",
    }
)
COMPACTED_ITEM = "ContextCompaction"


def fits(opened: Opened) -> bool:
    """Whether the first lines are those of a rollout, in its present form or its first one."""
    head = opened.head
    if any(text(one, "type") in OWN_LINES and is_object(one.get("payload")) for one in head):
        return True
    return any(text(one, "record_type") == "state" for one in head) and any(
        "payload" not in one and text(one, "type") is not None and is_known(one) for one in head
    )


@dataclass(slots=True)
class Rollout:
    """One rollout as far as it has been read.

    `turns` are the entries with which turns began, `ids` the entries by the ids of their items.
    `noted` is the entry count at the last compaction, which an event tells once more.
    """

    opened: Opened
    story: Story = field(default_factory=Story)
    left: list[tuple[Story, int]] = field(default_factory=list)
    meta: Object | None = None
    model: str | None = None
    window: int | None = None
    last: int | None = None
    noted: int | None = None
    records: int = 0
    turns: list[int] = field(default_factory=list)
    ids: dict[str, int] = field(default_factory=dict)
    produced: dict[str, Produced] = field(default_factory=dict)
    unread: Counter[str] = field(default_factory=Counter)

    def take(self, value: Object, line: int) -> None:
        """Take in one line."""
        self.records += 1
        place = Source(path=self.opened.name, line=line)
        kind, payload = text(value, "type"), inside(value, "payload")
        if kind in OWN_LINES and "payload" in value:
            read = LINES.get(kind)
            if read is not None:
                read(self, payload, place, seconds_of(value.get("timestamp")))
        elif kind is not None and is_known(value):
            self.item(value, place, seconds_of(value.get("timestamp")))
        elif self.meta is None and kind is None and "id" in value:
            self.meta = value  # the first line of an old file
        elif text(value, "record_type") is None:
            self.unread[kind or "without a type"] += 1

    def described(self, payload: Object, place: Source, at: float | None) -> None:
        """Take in what a session says of itself; a copy of another one's may follow."""
        self.meta = self.meta or payload

    def turn(self, payload: Object, place: Source, at: float | None) -> None:
        """Take in what a turn says of itself."""
        self.model = text(payload, "model") or self.model

    def item(self, payload: Object, place: Source, at: float | None) -> None:
        """Take in one item of the history."""
        entry = self.entry(payload, place, at)
        if entry is None:
            if text(payload, "type") not in SILENT:
                self.unread[text(payload, "type") or "without a type"] += 1
            return
        self.name(payload, self.story.add(entry))

    def entry(self, payload: Object, place: Source, at: float | None) -> Entry | None:
        """Return an item as an entry; None for what is no message."""
        index = payload.get("index")
        if isinstance(index, int) and len(payload) == 1:  # an entry that is named
            return self.story.entries[index]
        message = message_of(payload)
        if message is None:
            return None
        model = self.model if message.role == "assistant" else None
        return Entry(message=message, source=place, at=at, model=model, key=text(payload, "id"))

    def name(self, payload: Object, index: int) -> None:
        """Remember an entry by the id of its item."""
        key = text(payload, "id")
        if key is not None:
            self.ids[key] = index

    def event(self, payload: Object, place: Source, at: float | None) -> None:
        """Take in an event."""
        found = produced_in(payload)
        if found is not None:
            self.produced[found[0]] = replace(found[1], source=place)
        read = EVENTS.get(text(payload, "type") or "")
        if read is not None:
            read(self, payload, place)

    def started(self, payload: Object, place: Source) -> None:
        """Take in that a turn began."""
        self.turns.append(len(self.story.entries))
        self.window = number(payload, "model_context_window") or self.window

    def counted(self, payload: Object, place: Source) -> None:
        """Take in how many tokens the last reply took, and how many there are in the context."""
        info = inside(payload, "info")
        usage = inside(info, "last_token_usage")
        self.window = number(info, "model_context_window") or self.window
        self.last = number(usage, "total_tokens") or self.last
        done = self.story.compactions[-1] if self.story.compactions else None
        if done is not None and done.tokens_after is None and usage:
            # Right behind a compaction only the sum is given.
            after = number(usage, "input_tokens") or number(usage, "total_tokens") or None
            self.story.compactions[-1] = replace(done, tokens_after=after)
        wrote = self.wrote()
        if usage and wrote is not None and self.story.entries[wrote].usage is None:
            self.story.change(wrote, replace(self.story.entries[wrote], usage=usage_of(usage)))

    def wrote(self) -> int | None:
        """Return the last entry that the model wrote; None where it has written nothing."""
        entries = self.story.entries
        backwards = range(len(entries) - 1, -1, -1)
        return next((at for at in backwards if entries[at].message.role == "assistant"), None)

    def compacted(self, payload: Object, place: Source, at: float | None) -> None:
        """Take in a new history: `replacement_history`, or entries that name or hold its items."""
        items = self.items(payload)
        history = [
            entry for one in items or () if (entry := self.entry(one, place, at)) is not None
        ]
        opaque = any(is_opaque(one) for one in items or ())
        told = self.drop_told()
        begin = Compaction(
            at=len(self.story.entries),
            act="summarise",
            opaque=opaque,
            tokens_before=self.last if told is None else told.tokens_before,
            source=place,
        )
        if items is None:
            self.story.compact(begin)
        else:
            done = self.story.become(history, begin)
            said = (text(payload, "message") or "").strip()
            summary = tuple(
                one
                for one in done.after or ()
                if said and one >= done.at and said in self.story.entries[one].message.text
            )
            self.story.compactions[-1] = replace(done, summary=summary)
        self.note()

    def items(self, payload: Object) -> list[Object] | None:
        """Return the items of a new history; None where a line does not hold them all."""
        if isinstance(payload.get("replacement_history"), list):
            return objects(payload["replacement_history"])
        if not isinstance(payload.get("replacement_history_entries"), list):
            return None
        found = []
        for one in objects(payload["replacement_history_entries"]):
            index = self.ids.get(text(one, "item_id") or "")
            if text(one, "type") == "reference" and index is None:
                return None
            found.append({"index": index} if index is not None else inside(one, "item"))
        return found

    def told(self, payload: Object, place: Source) -> None:
        """Take in an event that says what a `compacted` line says, too, before it or behind it."""
        item = inside(payload, "item")
        if item and text(item, "type") != COMPACTED_ITEM:
            return
        if self.noted == len(self.story.entries):
            return
        self.story.compact(
            Compaction(
                at=len(self.story.entries),
                act="summarise",
                tokens_before=self.last,
                source=place,
            )
        )
        self.note()

    def note(self) -> None:
        """Remember that the history was compacted here; what was counted before is no more."""
        self.noted, self.last = len(self.story.entries), None

    def drop_told(self) -> Compaction | None:
        """Forget a compaction that only an event has told, and return it: its line comes now."""
        done = self.story.compactions
        if done and done[-1].after is None and done[-1].at == len(self.story.entries):
            return done.pop()
        return None

    def rolled_back(self, payload: Object, place: Source) -> None:
        """Go back by some turns; what they said is a branch."""
        turns = number(payload, "num_turns") or 0
        known = [at for at in self.turns if at < len(self.story.entries)] or [
            at for at, one in enumerate(self.story.entries) if one.message.role == "user"
        ]
        if turns < 1 or not known:
            return
        cut = known[max(0, len(known) - turns)]
        left = self.story.rewind(cut)
        if left is not None:
            self.left.append((left, cut))
        self.turns = [at for at in self.turns if at < cut]
        self.ids = {key: at for key, at in self.ids.items() if at < cut}

    def transcripts(self) -> Iterator[Transcript]:
        """Yield the session, and the turns that were taken back."""
        for number_of, (story, shared) in enumerate([(self.story, 0), *self.left]):
            yield self.transcript(story, shared, number_of)

    def transcript(self, story: Story, shared: int, branch: int) -> Transcript:
        """Return one conversation of the rollout."""
        meta = self.meta or {}
        name = text(meta, "id", "session_id") or Path(self.opened.name).stem
        spawn = inside(inside(inside(meta, "source"), "subagent"), "thread_spawn")
        return Transcript(
            session=f"{name}@{branch}" if branch else name,
            form=AGENT,
            entries=[self.with_produced(one) for one in story.entries],
            compactions=story.compactions,
            source=Source(path=self.opened.name),
            agent=AGENT,
            version=text(meta, "cli_version"),
            model=self.model,
            window=self.window,
            tools=tuple(tool_names(meta)),
            shared=shared,
            parent=text(meta, "parent_thread_id") or text(spawn, "parent_thread_id"),
            parent_call=text(spawn, "spawn_call_id"),
            records=0 if branch else self.records,
            unread={} if branch else self.unread,
        )

    def with_produced(self, entry: Entry) -> Entry:
        """Return an entry with what was produced, which an event tells apart from it.

        A command that runs on gives its output to several calls, and the event has all of it.
        """
        found = self.produced.get(entry.message.answers or "")
        if entry.message.role != "tool" or found is None or RUNNING in entry.message.text:
            return entry
        return replace(entry, produced=found)


def tool_names(meta: Object) -> Iterator[str]:
    """Give the names of the tools that a session says it was offered."""
    for one in objects(meta.get("dynamic_tools")):
        inner = objects(one.get("tools")) or [one]
        yield from (name for each in inner if (name := text(each, "name")))


LINES: Mapping[str, Callable[[Rollout, Object, Source, float | None], None]] = {
    "session_meta": Rollout.described,
    "turn_context": Rollout.turn,
    "response_item": Rollout.item,
    "event_msg": Rollout.event,
    "compacted": Rollout.compacted,
}
EVENTS: Mapping[str, Callable[[Rollout, Object, Source], None]] = {
    "task_started": Rollout.started,
    "token_count": Rollout.counted,
    "context_compacted": Rollout.told,
    "item_completed": Rollout.told,
    "thread_rolled_back": Rollout.rolled_back,
}


def records(opened: Opened) -> Iterator[Record]:
    """Yield the session of a file, its turns that were taken back, and its damaged lines."""
    rollout = Rollout(opened=opened)
    for line in opened.lines():
        if line.fault is not None:
            yield Damaged(
                line=line.number, why=line.fault, chars=line.chars, saved=len(line.values)
            )
        for value in line.values:
            rollout.take(value if is_object(value) else {}, line.number)
    if rollout.story.entries or rollout.left:
        yield from rollout.transcripts()
    else:
        yield from (Plain() for _ in range(rollout.records))


CODEX = Form(
    name="codex",
    what="a rollout of Codex",
    fits=fits,
    records=records,
)
