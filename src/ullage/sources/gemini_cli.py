"""Gemini CLI: `~/.gemini/tmp/<project>/chats/session-<time>-<id>.json` or `.jsonl`.

The first form is one document. The second is a log: a message is written again whenever more of it
is known, `$set` changes members of the session, and its `messages` are the history that the model
has from there on; `$rewindTo` takes back a message and all behind it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ullage.sources.form import Form
from ullage.sources.gemini_messages import Said, entries_of, messages_in
from ullage.sources.gemini_produced import FOLDER
from ullage.sources.opened import NO_DOCUMENT, Opened, is_object
from ullage.sources.record import Damaged, Plain, Record
from ullage.sources.story import Story
from ullage.transcript.finding import Source
from ullage.transcript.transcript import Act, Compaction, Entry, Transcript
from ullage.wire.members import Object, inside, text

AGENT = "gemini-cli"
SUBAGENT = "subagent"
KINDS = ("user", "gemini", "info", "error", "warning")


def fits(opened: Opened) -> bool:
    """Whether a file is a session: its document, or the first object of its lines, says so."""
    document = opened.document
    if is_object(document):
        return is_session(document) and (isinstance(document.get("messages"), list) or log(opened))
    return document is NO_DOCUMENT and log(opened)


def log(opened: Opened) -> bool:
    """Whether a file of lines begins with what a session says of itself."""
    head = opened.head
    if any(is_session(one) and "$set" not in one for one in head):
        return True
    marked = any("$rewindTo" in one or "$set" in one for one in head)
    return marked and any(text(one, "type") in KINDS and "id" in one for one in head)


def is_session(value: Object) -> bool:
    """Whether an object is the head of a session."""
    named = text(value, "sessionId") is not None and text(value, "projectHash") is not None
    return named and "uuid" not in value


@dataclass(slots=True)
class Session:
    """A session as far as it has been read.

    `told` are the messages that have become entries, by their ids, with the end of each in the
    story; `fresh` are those since, which may still be written again.
    """

    opened: Opened
    head: dict[str, object] = field(default_factory=dict)
    story: Story = field(default_factory=Story)
    told: dict[str, list[int]] = field(default_factory=dict)
    fresh: dict[str, Said] = field(default_factory=dict)
    left: list[tuple[Story, int]] = field(default_factory=list)
    records: int = 0
    unread: Counter[str] = field(default_factory=Counter)

    def take(self, value: Object, line: int | None) -> None:
        """Take in one line."""
        self.records += 1
        back = text(value, "$rewindTo")
        if back is not None:
            self.rewind(back)
        elif text(value, "id") is not None:
            self.message(Said(key=str(value["id"]), value=value, line=line))
        elif isinstance(value.get("$set"), dict):
            self.set(inside(value, "$set"), line)
        elif "sessionId" in value:
            self.set(value, line)
        else:
            self.unread[text(value, "type") or "without a type"] += 1

    def set(self, members: Object, line: int | None) -> None:
        """Take in members of the session; `messages` are a new history."""
        self.head.update({name: one for name, one in members.items() if name != "messages"})
        if isinstance(members.get("messages"), list):
            self.history(messages_in(members["messages"], line), line)

    def message(self, said: Said) -> None:
        """Take in a message, or more of one."""
        if said.key not in self.told:
            self.fresh[said.key] = said
            return
        there = [self.story.entries[at] for at in self.told[said.key]]
        answered = {one.message.answers for one in there if one.message.role == "tool"}
        for entry in self.entries(said):
            if entry.message.role == "tool" and entry.message.answers not in answered:
                self.told[said.key].append(self.story.add(entry))

    def entries(self, said: Said) -> list[Entry]:
        """Return the entries of a message."""
        return list(entries_of(said, text(self.head, "sessionId") or "", self.opened))

    def settle(self) -> None:
        """Make entries of the messages since the last time."""
        for said in self.fresh.values():
            self.told[said.key] = [self.story.add(entry) for entry in self.entries(said)]
        self.fresh = {}

    def history(self, messages: Sequence[Said], line: int | None) -> None:
        """Take in a new history: the first one, one that goes on, one cut back, one compacted."""
        if not self.told and not self.fresh:
            self.fresh = {one.key: one for one in messages}
            return
        self.settle()
        now = [self.story.entries[at].message for at in self.story.now]
        history = self.history_entries(messages)
        given = [one.message for one in history]
        same = sum(1 for _ in common(now, given))
        if same == len(given) < len(now):
            self.cut(self.story.now[same])
        elif same == len(now):
            for one in history[same:]:
                self.story.add(one)
        else:
            self.compact(history, line)
        self.name(messages)

    def history_entries(self, messages: Sequence[Said]) -> list[Entry]:
        """Return a history as entries; a result may stand in it twice, by its call and alone."""
        found: list[Entry] = []
        answered: set[str] = set()
        for said in messages:
            for entry in self.entries(said):
                answers = entry.message.answers
                if not entry.in_context or answers in answered:
                    continue
                answered |= {answers} if answers else set()
                found.append(entry)
        return found

    def compact(self, history: Sequence[Entry], line: int | None) -> None:
        """Take in a history in which something gave way to something else."""
        at, before = len(self.story.entries), list(self.story.now)
        done = self.story.become(
            history, Compaction(at=at, source=Source(path=self.opened.name, line=line))
        )
        after = done.after or ()
        fresh = [one for one in after if one >= at]
        entries = self.story.entries
        answers = {entries[one].message.answers for one in fresh} - {None}
        cleared = tuple(
            one for one in before if one not in after and entries[one].message.answers in answers
        )
        summary = tuple(one for one in fresh if entries[one].message.answers is None)
        act: Act = "elide" if cleared and not summary else "summarise" if summary else "trim"
        self.story.compactions[-1] = replace(
            done,
            act=act,
            cleared=cleared if act == "elide" else (),
            summary=summary if act == "summarise" else (),
        )

    def name(self, messages: Sequence[Said]) -> None:
        """Remember what the messages of a history became."""
        by_key: dict[str, list[int]] = {}
        for at in self.story.now:
            key = self.story.entries[at].key
            if key is not None:
                by_key.setdefault(key, []).append(at)
        for said in messages:
            self.told.setdefault(said.key, by_key.get(said.key, []))

    def rewind(self, key: str) -> None:
        """Take back a message and all behind it; all of them where it is not known."""
        self.settle()
        there = self.told.get(key)
        self.cut(min(there) if there else 0)

    def cut(self, at: int) -> None:
        """Go back to the entries before one; what is left behind is a branch."""
        left = self.story.rewind(at)
        if left is not None:
            self.left.append((left, at))
        self.told = {
            key: kept
            for key, there in self.told.items()
            if (kept := [one for one in there if one < at]) or not there
        }

    def transcripts(self) -> Iterator[Transcript]:
        """Yield the session, and what was taken back."""
        self.settle()
        for branch, (story, shared) in enumerate([(self.story, 0), *self.left]):
            yield self.transcript(story, shared, branch)

    def transcript(self, story: Story, shared: int, branch: int) -> Transcript:
        """Return one conversation of the session."""
        path = Path(self.opened.name)
        name = text(self.head, "sessionId") or path.stem
        models = [one.model for one in story.entries if one.model]
        return Transcript(
            session=f"{name}@{branch}" if branch else name,
            form=AGENT,
            entries=story.entries,
            compactions=story.compactions,
            source=Source(path=self.opened.name),
            agent=AGENT,
            model=models[-1] if models else None,
            shared=shared,
            parent=path.parent.name if text(self.head, "kind") == SUBAGENT else None,
            records=0 if branch else self.records,
            unread={} if branch else self.unread,
        )


def common(one: Sequence[object], other: Sequence[object]) -> Iterator[object]:
    """Yield what two lists have in common at their beginning."""
    for left, right in zip(one, other, strict=False):
        if left != right:
            return
        yield left


def records(opened: Opened) -> Iterator[Record]:
    """Yield the session of a file, what was taken back of it, and its damaged lines."""
    session = Session(opened=opened)
    document = opened.document
    if is_object(document) and isinstance(document.get("messages"), list):
        session.records = 1
        session.set(document, 1 if opened.one_line else None)
    else:
        for line in opened.lines():
            if line.fault is not None:
                yield Damaged(
                    line=line.number, why=line.fault, chars=line.chars, saved=len(line.values)
                )
            for value in line.values:
                session.take(value if is_object(value) else {}, line.number)
    told = [one for one in session.transcripts() if len(one.entries) > one.shared]
    yield from told
    if not told:
        yield from (Plain() for _ in range(session.records))


def is_aside(path: Path) -> bool:
    """Whether a file is a long result, which the session's own file is read with."""
    above = [one for one in path.parents if one.name == FOLDER]
    return any(one.with_name("chats").is_dir() for one in above)


GEMINI_CLI = Form(
    name="gemini-cli",
    what="a session of Gemini CLI",
    fits=fits,
    records=records,
    aside=is_aside,
)
