"""opencode: the sessions, messages and parts of its database, `opencode.db`.

The same file holds accounts and credentials: no other table is read. A message of the model holds
its steps: each is one reply and the results of its calls. Whole outputs lie in `tool-output` beside
the database.
"""

import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ullage.sources.database import check_columns, database, has_columns, held, word
from ullage.sources.drafts import Draft, ended
from ullage.sources.form import Form
from ullage.sources.opened import Opened
from ullage.sources.record import Record
from ullage.sources.times import seconds_of
from ullage.transcript.finding import Source
from ullage.transcript.message import Message, ToolCall
from ullage.transcript.served import Label, Usage
from ullage.transcript.transcript import Compaction, Entry, Produced, Transcript
from ullage.wire.members import Object, compact, inside, number, text

FORM_NAME = "opencode"
COLUMNS = {
    "session": frozenset({"id", "parent_id", "version"}),
    "message": frozenset({"id", "session_id", "time_created", "data"}),
    "part": frozenset({"id", "message_id", "session_id", "data"}),
}
SESSIONS = "SELECT id, parent_id, version FROM session ORDER BY rowid"
MESSAGES = "SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY 2, 1"
PARTS = "SELECT message_id, data FROM part WHERE session_id = ? ORDER BY message_id, id"

LABELS: Mapping[str, Label] = {
    "stop": "complete",
    "tool-calls": "complete",
    "length": "cut-by-limit",
    "content-filter": "cut-by-server",
    "error": "cut-by-server",
    "MessageOutputLengthError": "cut-by-limit",
    "ContextOverflowError": "cut-by-limit",
    "APIError": "cut-by-server",
}
# What the model is told in the place of a part that has no text.
ASKED_TO_COMPACT = "What did we do so far?"
RAN_BY_USER = "The following tool was executed by the user"
INTERRUPTED = "[Tool execution was interrupted]"
QUIET = ("step-start", "reasoning", "snapshot", "patch", "agent", "retry", "file")
"""Parts without a text of their own in a message."""


@dataclass(slots=True)
class Told:
    """One message of the database: its row, and its parts in order."""

    key: str
    at: float | None
    data: Object
    parts: Sequence[Object]


@dataclass(slots=True)
class Session:
    """One session while it is read.

    `begins` is the place of the first entry of each message, by its id; `times` those places with
    the time of their message. `cleared` are results whose text left the context, and when. `asks`
    are the places at which a summary was asked for, with the part that did.
    """

    opened: Opened
    draft: Draft
    begins: dict[str, int] = field(default_factory=dict)
    times: list[tuple[float, int]] = field(default_factory=list)
    cleared: list[tuple[float, int]] = field(default_factory=list)
    asks: dict[str, Object] = field(default_factory=dict)
    summaries: dict[str, int] = field(default_factory=dict)
    called: dict[str, str] = field(default_factory=dict)

    def add(self, told: Told) -> None:
        """Add a message."""
        at = len(self.draft.entries)
        self.begins[told.key] = at
        if told.at is not None:
            self.times.append((told.at, at))
        role = text(told.data, "role")
        if role == "user":
            self.add_user(told)
        elif role == "assistant":
            self.add_reply(told)
        else:
            self.draft.unread[f"message {role}"] += 1

    def add_user(self, told: Told) -> None:
        """Add what a person said, or what stands for it."""
        texts = []
        for part in told.parts:
            kind = text(part, "type")
            if kind == "compaction":
                self.asks[told.key] = part
            if kind in USER_TEXTS:
                texts += [said for said in [USER_TEXTS[kind](part)] if said is not None]
            elif kind not in QUIET:
                self.draft.unread[f"part {kind}"] += 1
        message = Message(role="user", text="\n".join(texts))
        self.draft.add(self.entry(told, message))

    def add_reply(self, told: Told) -> None:
        """Add what the model wrote, step by step, and the results of its calls."""
        if text(told.data, "modelID"):
            self.draft.base = replace(self.draft.base, model=text(told.data, "modelID"))
        steps = list(steps_of(told.parts)) or [[]]
        for step in steps:
            self.add_step(told, step, last=step is steps[-1])
        done = text(told.data, "finish") and not told.data.get("error")
        if told.data.get("summary") is True and done:
            self.summaries[text(told.data, "parentID") or ""] = len(self.draft.entries) - 1

    def add_step(self, told: Told, step: Sequence[Object], *, last: bool) -> None:
        """Add one reply and its results."""
        tools = [part for part in step if text(part, "type") == "tool"]
        said = [text(part, "text") or "" for part in step if text(part, "type") == "text"]
        message = Message(
            role="assistant", text="\n".join(said), calls=tuple(call_of(one) for one in tools)
        )
        close = next((part for part in step if text(part, "type") == "step-finish"), {})
        failed = text(inside(told.data, "error"), "name") if last else None
        finish = failed or text(close, "reason") or (text(told.data, "finish") if last else None)
        known = {"text", "tool", "step-finish", *QUIET}
        self.draft.unread.update(
            f"part {kind}" for part in step if (kind := text(part, "type")) not in known
        )
        self.draft.add(
            replace(
                self.entry(told, message),
                usage=usage_of(inside(close, "tokens")) if close else None,
                label=ended(finish, LABELS, message),
                finish_reason=finish,
                model=text(told.data, "modelID"),
                # A reply that failed with nothing in it is not sent again.
                in_context=failed is None or bool(message.calls or message.text),
            )
        )
        for part in tools:
            self.add_result(told, part)

    def add_result(self, told: Told, part: Object) -> None:
        """Add a result as the model was given it; one that never came is told as such."""
        state = inside(part, "state")
        meta, time = inside(state, "metadata"), inside(state, "time")
        given = text(state, "output", "error")
        message = Message(
            role="tool",
            text=INTERRUPTED if given is None else given,
            answers=text(part, "callID"),
            name=text(part, "tool"),
        )
        entry = self.entry(told, message)
        at = self.draft.add(
            replace(
                entry,
                at=seconds_of(time.get("end")) or entry.at,
                failed=text(state, "status") != "completed",
                produced=self.produced(meta, given),
            )
        )
        if (gone := seconds_of(time.get("compacted"))) is not None:
            self.cleared.append((gone, at))
        child, call = text(meta, "sessionId"), text(part, "callID")
        if child and call:
            self.called[child] = call

    def produced(self, meta: Object, given: str | None) -> Produced | None:
        """Return what a tool returned: all that was given if it was not cut, else its side file."""
        if meta.get("truncated") is False and given is not None:
            return Produced(text=given)
        name = re.split(r"[/\\]", text(meta, "outputPath") or "")[-1]
        side = self.opened.beside("tool-output", name) if name else None
        if side is None:
            return None
        whole = side.data.decode("utf-8", "replace")
        return Produced(text=whole, source=Source(path=side.name))

    def entry(self, told: Told, message: Message) -> Entry:
        """Return an entry of a message."""
        source = Source(path=self.opened.name)
        return Entry(message=message, source=source, at=told.at, key=told.key)

    def done(self) -> Transcript:
        """Return the session, with what left its context in the order in which it did."""
        acts: list[tuple[int, Callable[[int], Compaction]]] = []
        for key, part in self.asks.items():
            # A summary is written after it was asked for; a clock may tell otherwise.
            if self.summaries.get(key, -1) >= self.begins[key]:
                acts.append((self.begins[key], self.summarised(key, part)))
        by_place = defaultdict(list)
        for gone, at in self.cleared:
            by_place[self.place(gone, at)].append(at)
        for place, found in by_place.items():
            acts.append((place, self.elided(found)))
        for place, act in sorted(acts, key=lambda one: one[0]):
            self.draft.compactions.append(act(place))
        return self.draft.done()

    def place(self, gone: float, at: int) -> int:
        """Return the first entry of the first message after a result was cleared."""
        later = (begin for time, begin in self.times if time > gone and begin > at)
        return min(later, default=len(self.draft.entries))

    def elided(self, cleared: list[int]) -> Callable[[int], Compaction]:
        """Return how results lost their text, by a rule: their messages stay."""
        return lambda place: Compaction(
            at=place,
            act="elide",
            after=tuple(self.draft.in_force(place)),
            cleared=tuple(cleared),
            source=self.draft.base.source,
        )

    def summarised(self, key: str, part: Object) -> Callable[[int], Compaction]:
        """Return how a summary took the place of what was said before it was asked for."""
        summary = self.summaries[key]
        tail = self.begins.get(text(part, "tail_start_id") or "")

        def act(place: int) -> Compaction:
            kept = self.draft.in_force(place) if tail is not None else []
            stands = range(place, summary + 1)
            return Compaction(
                at=place,
                act="summarise",
                # Newer versions put what stayed behind the summary, older ones kept none.
                after=(*stands, *(one for one in kept if one >= (tail or 0))),
                summary=(summary,),
                trigger="auto" if part.get("auto") is True else "manual",
                tokens_before=self.draft.tokens(place),
                source=self.draft.base.source,
            )

        return act


def spoken(part: Object) -> str | None:
    """Return a text that a person wrote, or that was added to it; None if the model is spared."""
    return None if part.get("ignored") is True else text(part, "text")


USER_TEXTS: Mapping[str | None, Callable[[Object], str | None]] = {
    "text": spoken,
    "compaction": lambda part: ASKED_TO_COMPACT,
    "subtask": lambda part: RAN_BY_USER,
}


def steps_of(parts: Sequence[Object]) -> Iterator[list[Object]]:
    """Yield the parts of each step: from one start to the next."""
    step: list[Object] = []
    for part in parts:
        if text(part, "type") == "step-start" and step:
            yield step
            step = []
        step.append(part)
    if step:
        yield step


def call_of(part: Object) -> ToolCall:
    """Return the call of a part."""
    given = inside(part, "state").get("input")
    return ToolCall(
        call_id=text(part, "callID"),
        name=text(part, "tool") or "",
        arguments="" if given is None else compact(given),
    )


def usage_of(raw: Object) -> Usage:
    """Return the tokens of a step; opencode counts what came from the cache apart."""
    cache = inside(raw, "cache")
    read, wrote = number(cache, "read"), number(cache, "write")
    fresh = number(raw, "input")
    thought, output = number(raw, "reasoning"), number(raw, "output")
    return Usage(
        input=None if fresh is None else fresh + (read or 0) + (wrote or 0),
        output=None if output is None else output + (thought or 0),
        reasoning=thought,
        cached=read,
        cache_written=wrote,
    )


def messages_of(found: sqlite3.Connection, session: str) -> Iterator[Told]:
    """Yield the messages of a session, in order, with their parts."""
    parts: defaultdict[str, list[Object]] = defaultdict(list)
    for row in found.execute(PARTS, (session,)):
        parts[str(row["message_id"])].append(held(row["data"]))
    for row in found.execute(MESSAGES, (session,)):
        key = str(row["id"])
        yield Told(
            key=key,
            at=seconds_of(row["time_created"]),
            data=held(row["data"]),
            parts=parts[key],
        )


def records(opened: Opened) -> Iterator[Record]:
    """Yield the sessions, in the order in which they began: a sub-agent's after its parent."""
    called: dict[str, str] = {}
    with database(opened) as found:
        check_columns(found, opened.name, COLUMNS)
        for row in found.execute(SESSIONS).fetchall():
            name = str(row["id"])
            base = Transcript(
                session=name,
                form=FORM_NAME,
                entries=(),
                source=Source(path=opened.name),
                agent="opencode",
                version=word(row["version"]),
                parent=word(row["parent_id"]),
                parent_call=called.get(name),
            )
            one = Session(opened=opened, draft=Draft(base=base), called=called)
            for told in messages_of(found, name):
                one.draft.records += 1 + len(told.parts)
                one.add(told)
            if one.draft.entries:
                yield one.done()


OPENCODE = Form(
    name=FORM_NAME,
    what="the database of opencode: its sessions, and those of its sub-agents",
    fits=lambda opened: has_columns(opened, COLUMNS),
    records=records,
)
