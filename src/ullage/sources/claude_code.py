"""Claude Code: `~/.claude/projects/<slug>/<session>.jsonl`, and what its SDK streams.

A file is read whole and becomes transcripts: the conversation with the newest message, one for each
branch that a rewind left, and one for each agent that the session began. Agents that have a file of
their own (`<session>/subagents/agent-<id>.jsonl`) are read from that.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ullage.sources.claude_files import call_that_began, session_above, without_copies
from ullage.sources.claude_produced import AGENTS, FOLDER
from ullage.sources.claude_records import KNOWN, SILENT, nodes_of
from ullage.sources.claude_story import Told, tell
from ullage.sources.form import Form
from ullage.sources.lineage import strands
from ullage.sources.lines import read_line
from ullage.sources.opened import Opened, is_object
from ullage.sources.record import Numbered, Record
from ullage.sources.typed_lines import typed_records
from ullage.transcript.finding import Source
from ullage.transcript.transcript import Entry, Transcript
from ullage.wire.members import Object, inside, text

AGENT = "claude-code"
USUAL_WINDOW, LARGE_WINDOW = 200_000, 1_000_000
"""Tokens: what Claude Code 2.1 compacts for, by the strings of version 2.1.296 as public notes of
2026-10 tell them (second-hand)."""
SPAWNS = ("Task", "Agent")
OWN_NAMES = ("leafUuid", "sessionId", "snapshot")


def fits(opened: Opened) -> bool:
    """Whether the first lines are records of Claude Code."""
    head = opened.head
    if any(is_message(one) for one in head):
        return True
    return bool(head) and all(
        text(one, "type") in SILENT and any(name in one for name in OWN_NAMES) for one in head
    )


def is_message(value: Object) -> bool:
    """Whether an object is a message, or a boundary, in an envelope of Claude Code."""
    if text(value, "type") not in ("user", "assistant", "system", "attachment"):
        return False
    if "parts" in inside(value, "message") or "systemPayload" in value:
        return False  # qwen-code has the same envelope
    own = "isSidechain" in value or "parent_tool_use_id" in value
    stream = "claude_code_version" in value or "compact_metadata" in value
    known = "uuid" in value or "session_id" in value or "parentUuid" in value
    return known and (own or stream)


def records(opened: Opened) -> Iterator[Record]:
    """Yield the transcripts of a file, and its damaged lines."""
    return typed_records(opened, KNOWN, transcripts)


def transcripts(
    found: Sequence[Numbered], opened: Opened, unread: Mapping[str, int]
) -> Iterator[Transcript]:
    """Yield the conversations of a file; the first of them counts its records."""
    groups = grouped(found)
    calls: dict[str, str] = {}
    counts: list[tuple[int, Mapping[str, int]]] = [(len(found), unread)]
    for group, own in groups.items():
        other = None if group is None else session_above(name_of(own, opened), opened)
        for number, strand in enumerate(strands(nodes_of(own))):
            told = tell(without_copies(strand, other, opened), opened)
            if len(told.story.entries) <= told.shared:
                continue
            calls.update(spawned(told))
            read, strange = counts.pop() if counts else (0, {})
            branch = f"@{number}" if number else ""
            yield transcript(
                told,
                opened,
                session=(name_of(own, opened) if group is None else group) + branch,
                parent=None if group is None else name_of(own, opened),
                parent_call=parent_call(group, own, told, calls, opened),
                records=read,
                unread=strange,
            )


def transcript(
    told: Told,
    opened: Opened,
    *,
    session: str,
    parent: str | None,
    parent_call: str | None,
    records: int,
    unread: Mapping[str, int],
) -> Transcript:
    """Return one conversation with what the file says of it."""
    story = told.story
    models = [one.model for one in story.entries if one.model]
    return Transcript(
        session=session,
        form=AGENT,
        entries=story.entries,
        compactions=story.compactions,
        source=Source(path=opened.name),
        agent=AGENT,
        version=told.version,
        model=models[-1] if models else None,
        window=window_of(models, story.entries),
        tools=told.tools,
        shared=told.shared,
        parent=parent,
        parent_call=parent_call,
        records=records,
        unread=unread,
    )


def window_of(models: Sequence[str], entries: Sequence[Entry]) -> int:
    """Return the window that the program keeps to, which is not the model's own.

    The large one goes with a name that ends in `[1m]`, and with any prompt that the usual one could
    not hold.
    """
    read = [one.usage.input for one in entries if one.usage and one.usage.input]
    large = any("[1m]" in one for one in models) or max(read, default=0) > USUAL_WINDOW
    return LARGE_WINDOW if large else USUAL_WINDOW


def grouped(found: Sequence[Numbered]) -> dict[str | None, list[Numbered]]:
    """Return the records by the agent that they are of; None for the session's own.

    An agent's records name it, or the call that began it; older ones only say that they are of one,
    and hang together by their parents.
    """
    groups: dict[str | None, list[Numbered]] = {None: []}
    roots: dict[str, str] = {}
    for one in found:
        value, key = one.value, text(one.value, "uuid")
        name = text(value, "parent_tool_use_id")
        if name is None and value.get("isSidechain") is True:
            known = roots.get(text(value, "parentUuid") or "")
            name = text(value, "agentId") or known or f"sidechain-{key or one.line}"
            if key is not None:
                roots.setdefault(key, name)
        groups.setdefault(name, []).append(one)
    return {name: own for name, own in groups.items() if own}


def name_of(own: Sequence[Numbered], opened: Opened) -> str:
    """Return the name of a session: what its records say, else its file's."""
    said = (text(one.value, "sessionId", "session_id") for one in own)
    return next((one for one in said if one), None) or Path(opened.name).stem


def parent_call(
    group: str | None,
    own: Sequence[Numbered],
    told: Told,
    calls: Mapping[str, str],
    opened: Opened,
) -> str | None:
    """Return the call by which an agent was begun, as far as it can be told."""
    if group is None:
        return None
    by_stream = next((text(one.value, "parent_tool_use_id") for one in own), None)
    known = by_stream or calls.get(group) or calls.get(told.story.entries[0].message.text)
    return known or call_that_began(group, session_above(name_of(own, opened), opened))


def spawned(told: Told) -> Iterator[tuple[str, str]]:
    """Give the calls that began agents, by the agent's name and by what it was asked."""
    yield from told.agents.items()
    for entry in told.story.entries:
        for call in entry.message.calls:
            if call.name in SPAWNS and call.call_id:
                line = read_line(call.arguments, 0)
                asked = line.values[0] if line.values else None
                prompt = text(asked, "prompt") if is_object(asked) else None
                if prompt:
                    yield prompt, call.call_id


def is_aside(path: Path) -> bool:
    """Whether a file is one that a session's own file is read with."""
    folder = path.parent
    if folder.name == FOLDER:
        return folder.parent.with_name(f"{folder.parent.name}.jsonl").is_file()
    return folder.name == AGENTS and path.name.endswith(".meta.json")


CLAUDE_CODE = Form(
    name="claude-code",
    what="a session of Claude Code, or what its SDK streams",
    fits=fits,
    records=records,
    aside=is_aside,
)
