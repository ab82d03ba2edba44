"""Hermes: the sessions and messages of its state database, `state.db`.

A compression ends a session and begins a child with what was kept of it and a summary; newer
versions archive the rows and write the kept ones anew in the same session. Either way the chain is
one transcript: rows that are copies are the entries they were copied from.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ullage.sources.database import check_columns, columns_in, database, has_columns, held, word
from ullage.sources.drafts import Draft, ended
from ullage.sources.form import Form
from ullage.sources.opened import Opened
from ullage.sources.record import Record
from ullage.sources.times import seconds_of
from ullage.transcript.finding import Source
from ullage.transcript.message import Message
from ullage.transcript.served import Label
from ullage.transcript.transcript import Compaction, Entry, Transcript
from ullage.wire.contents import text_of
from ullage.wire.members import Object
from ullage.wire.openai_chat import ROLES, read_calls

FORM_NAME = "hermes"
COLUMNS = {
    "sessions": frozenset({"id", "source", "parent_session_id", "end_reason"}),
    "messages": frozenset({"id", "session_id", "role", "content", "tool_call_id", "tool_calls"}),
}
WANTED_SESSION = (
    "id",
    "source",
    "model",
    "model_config",
    "system_prompt",
    "system_prompt_hash",
    "parent_session_id",
    "started_at",
    "end_reason",
)
WANTED_MESSAGE = (
    "id",
    "role",
    "content",
    "api_content",
    "tool_call_id",
    "tool_calls",
    "tool_name",
    "timestamp",
    "finish_reason",
    "_compressed_summary",
    "active",
    "compacted",
)
LABELS: Mapping[str, Label] = {
    "stop": "complete",
    "tool_calls": "complete",
    "end_turn": "complete",
    "tool_use": "complete",
    "length": "cut-by-limit",
    "max_tokens": "cut-by-limit",
    "content_filter": "cut-by-server",
}
PARTS = "\0json:"
"""What stands before a content that is a list of parts."""
SUMMARIES = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]")
"""How what a compression wrote begins, where no column tells it."""

Columns = frozenset[str]
Values = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of the messages: its entry, and what the database says of its state.

    `active` is whether it is in force now, `compacted` whether a compression took it out.
    """

    entry: Entry
    summary: bool = False
    active: bool = True
    compacted: bool = False

    @property
    def message(self) -> Message:
        """Its message."""
        return self.entry.message


@dataclass(slots=True)
class Chain:
    """The sessions that follow each other by compressions, while they are read.

    `head` is the first message in force behind the system prompt.
    """

    draft: Draft
    sessions: int = 0
    head: int | None = None

    def add_session(self, system: str | None, rows: Sequence[Row]) -> None:
        """Add a session: all that it begins with is what its parent was compressed to."""
        named = [] if system is None else [system_row(system, self.draft.base.source)]
        all_rows = [*named, *rows]
        if self.sessions:
            all_rows = all_rows[self.hand_over(all_rows) :]
        self.sessions += 1
        self.add_rows(all_rows)

    def add_rows(self, rows: Sequence[Row]) -> None:
        """Add rows of one session, in which it may have been compressed in place."""
        at = 0
        while at < len(rows):
            kept = 0
            if self.draft.entries and self.begins_block(rows, at):
                kept = self.hand_over(rows[at:])
            if not kept:  # a torn database may say that nothing was kept, row after row
                self.led([self.draft.add(rows[at].entry)])
            at += kept or 1

    def begins_block(self, rows: Sequence[Row], at: int) -> bool:
        """Whether the rows from here on are what was kept by a compression in place.

        They begin behind rows that it archived, with copies of the first messages in force, up to
        the summary; or with a row in force right behind the archived ones.
        """
        if not at or not rows[at - 1].compacted:
            return False
        if rows[at].active:
            return True
        # Asked of each archived row: the first look is a cheap one.
        if not rows[at].summary and not self.leads(rows[at]):
            return False
        systems = set(self.systems())
        kept = [one for one in self.draft.in_force() if one not in systems]
        for one, row in zip([*kept, None], rows[at:], strict=False):
            if row.summary:
                return True
            if one is None or not same(self.draft.entries[one].message, row.message):
                return False
        return False

    def leads(self, row: Row) -> bool:
        """Whether a row is a copy of the first message in force."""
        return self.head is not None and same(self.draft.entries[self.head].message, row.message)

    def led(self, places: Sequence[int], *, anew: bool = False) -> None:
        """Take in which message is the first in force now."""
        if anew or self.head is None:
            entries = self.draft.entries
            self.head = next((one for one in places if entries[one].message.role != "system"), None)

    def systems(self) -> list[int]:
        """Return the system prompt in force, if any."""
        entries = self.draft.entries
        return [one for one in self.draft.in_force() if entries[one].message.role == "system"]

    def hand_over(self, rows: Sequence[Row]) -> int:
        """Add the compaction that these rows begin with, and return how many rows are its own."""
        before = self.draft.in_force()
        at, spent = len(self.draft.entries), self.draft.tokens()
        end = block_of(rows, [self.draft.entries[one].message for one in before])
        # In place no row says again what the session began with.
        named = any(row.message.role == "system" for row in rows[:end])
        after = [] if named else self.systems()
        cleared, written = [], []
        left = before
        for row in rows[:end]:
            place = find(left, self.draft.entries, row)
            if place is None:
                place = self.draft.add(row.entry)
                written += [place] if row.summary else []
            else:
                left = left[left.index(place) + 1 :]
                if self.draft.entries[place].message.text != row.message.text:
                    cleared.append(place)
            after.append(place)
        self.led(after, anew=True)
        self.draft.compactions.append(
            Compaction(
                at=at,
                act="summarise" if written else ("elide" if cleared else "trim"),
                after=tuple(after),
                cleared=tuple(cleared),
                summary=tuple(written),
                tokens_before=spent,
                source=self.draft.base.source,
            )
        )
        return end


def same(there: Message, copy: Message) -> bool:
    """Whether a row is a copy of a message: a result by its call, whatever is left of its text."""
    if copy.role == "tool" and copy.answers is not None:
        return there.role == "tool" and there.answers == copy.answers
    return (there.role, there.text, there.calls) == (copy.role, copy.text, copy.calls)


def find(left: Sequence[int], entries: Sequence[Entry], row: Row) -> int | None:
    """Return the entry that a row is a copy of; a summary is the words of a model, and new."""
    if row.summary:
        return None
    return next((one for one in left if same(entries[one].message, row.message)), None)


def block_of(rows: Sequence[Row], before: Sequence[Message]) -> int:
    """Return how many rows a compression wrote: up to its summary, and the copies behind it.

    Without a summary they are the copies at the beginning.
    """
    # A child may have gone on for long, and been compressed again in place: look no further than
    # what can have been kept.
    near = rows[: len(before) + 2]
    end = next((at + 1 for at, row in enumerate(near) if row.summary), 0)
    if not end:
        end = next((at + 1 for at, row in enumerate(near) if row.message.role == "system"), 0)
    left = list(before)
    for row in rows[:end]:
        at = next((at for at, one in enumerate(left) if same(one, row.message)), None)
        left = left if at is None else left[at + 1 :]
    while end < len(rows):
        at = next((at for at, one in enumerate(left) if same(one, rows[end].message)), None)
        if at is None:
            break
        left, end = left[at + 1 :], end + 1
    return end


def system_row(system: str, source: Source) -> Row:
    """Return a system prompt, which is kept with its session, as its first row."""
    return Row(entry=Entry(message=Message(role="system", text=system), source=source))


def row_of(raw: Values, source: Source) -> Row | None:
    """Read a row of the messages; None for one in a role that is not known."""
    role = ROLES.get(word(raw["role"]) or "")
    if role is None:
        return None
    calls = parsed(word(raw["tool_calls"]) or "")
    given = word(raw.get("api_content")) or word(raw["content"]) or ""
    message = Message(
        role=role,
        text=text_of(parsed(given.removeprefix(PARTS))) if given.startswith(PARTS) else given,
        calls=tuple(read_calls({"tool_calls": calls})),
        answers=word(raw["tool_call_id"]),
        name=word(raw.get("tool_name")),
    )
    finish = word(raw.get("finish_reason"))
    entry = Entry(
        message=message,
        source=source,
        at=seconds_of(raw.get("timestamp")),
        label=ended(finish, LABELS, message),
        finish_reason=finish,
        key=str(raw["id"]),
    )
    return Row(
        entry=entry,
        summary=bool(raw.get("_compressed_summary")) or message.text.startswith(SUMMARIES),
        active=raw.get("active", 1) != 0,
        compacted=bool(raw.get("compacted")),
    )


def parsed(said: str) -> object:
    """Return a value written as JSON, None for what is none."""
    try:
        found: object = json.loads(said)
    except (ValueError, RecursionError):
        return None
    return found


@dataclass(slots=True)
class State:
    """The database while it is read, with the columns that it has."""

    found: sqlite3.Connection
    opened: Opened

    def sessions(self) -> list[Values]:
        """Return all sessions, in the order in which they began, without their prompts."""
        wanted = chosen(WANTED_SESSION, columns_in(self.found, "sessions"))
        names = ", ".join(one for one in wanted if one != "system_prompt")
        order = "started_at" if "started_at" in wanted else "rowid"
        query = f"SELECT {names} FROM sessions ORDER BY {order}, rowid"  # noqa: S608 (our names)
        return [dict(row) for row in self.found.execute(query)]

    def system(self, session: Values) -> str | None:
        """Return the system prompt of a session, which newer versions keep in a table apart."""
        hashed = word(session.get("system_prompt_hash"))
        if hashed is not None and "prompt" in columns_in(self.found, "system_prompts"):
            query = "SELECT prompt FROM system_prompts WHERE hash = ?"
            row = self.found.execute(query, (hashed,)).fetchone()
            if row is not None:
                return word(row["prompt"])
        if "system_prompt" not in columns_in(self.found, "sessions"):
            return None
        query = "SELECT system_prompt FROM sessions WHERE id = ?"
        row = self.found.execute(query, (session["id"],)).fetchone()
        return None if row is None else word(row["system_prompt"])

    def rows(self, session: Values, draft: Draft) -> list[Row]:
        """Return the messages of a session; what a person took back is counted only."""
        wanted = chosen(WANTED_MESSAGE, columns_in(self.found, "messages"))
        query = f"SELECT {', '.join(wanted)} FROM messages WHERE session_id = ? ORDER BY id"  # noqa: S608
        source = Source(path=self.opened.name)
        rows = []
        for raw in self.found.execute(query, (session["id"],)):
            values = dict(raw)
            draft.records += 1
            row = row_of(values, source)
            if row is None:
                draft.unread[f"message {values['role']}"] += 1
            elif row.active or row.compacted:
                rows.append(row)
        return rows


def chosen(wanted: Sequence[str], there: Columns) -> list[str]:
    """Return the columns that are wanted and are there."""
    return [one for one in wanted if one in there]


def goes_on(session: Values, by_name: Mapping[object, Values]) -> bool:
    """Whether a session is what its parent was compressed to; not a branch, not a sub-agent."""
    parent = by_name.get(session["parent_session_id"])
    if parent is None or parent is session or parent["end_reason"] != "compression":
        return False
    config = settings(session)
    return not (config.get("_branched_from") or config.get("_delegate_from"))


def settings(session: Values) -> Object:
    """Return what a session was begun with."""
    return held(session.get("model_config"))


def chains_of(sessions: Sequence[Values]) -> list[list[Values]]:
    """Return the sessions in the chains that compressions make; a second child is its own."""
    by_name: dict[object, Values] = {one["id"]: one for one in sessions}
    chains: list[list[Values]] = []
    tips: dict[object, list[Values]] = {}
    for one in sessions:
        chain = tips.pop(one["parent_session_id"], None) if goes_on(one, by_name) else None
        if chain is None:
            chain = []
            chains.append(chain)
        chain.append(one)
        tips[one["id"]] = chain
    return chains


def records(opened: Opened) -> Iterator[Record]:
    """Yield each chain of sessions, as its first session."""
    with database(opened) as found:
        check_columns(found, opened.name, COLUMNS)
        state = State(found=found, opened=opened)
        for chain in chains_of(state.sessions()):
            first = chain[0]
            parent = word(first["parent_session_id"])
            base = Transcript(
                session=str(first["id"]),
                form=FORM_NAME,
                entries=(),
                source=Source(path=opened.name),
                agent="hermes",
                model=next((word(one.get("model")) for one in reversed(chain)), None),
                parent=parent,
            )
            whole = Chain(draft=Draft(base=base, records=len(chain)))
            for one in chain:
                whole.add_session(state.system(one), state.rows(one, whole.draft))
            if any(one.message.role != "system" for one in whole.draft.entries):
                yield replace(whole.draft.done(), shared=branched(state, first, whole.draft))


def branched(state: State, session: Values, draft: Draft) -> int:
    """Return how many of the first entries a branch has copied from where it left."""
    origin = word(settings(session).get("_branched_from"))
    if origin is None:
        return 0
    there = state.rows({"id": origin}, Draft(base=draft.base))
    own = [one for one in draft.entries if one.message.role != "system"]
    system = len(draft.entries) - len(own)
    equal = 0
    for one, row in zip(own, there, strict=False):
        if not same(one.message, row.message):
            break
        equal += 1
    return equal + system if equal else 0


HERMES = Form(
    name=FORM_NAME,
    what="the state database of Hermes: its sessions",
    fits=lambda opened: has_columns(opened, COLUMNS),
    records=records,
)
