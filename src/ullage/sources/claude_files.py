"""The other files of a session of Claude Code: what began an agent, what a session goes on from.

A session that goes on from another one, and an agent that begins with the history of its session,
hold copies of its records, which count in the first file. That holds while that file is there.
"""

from collections.abc import Iterator
from dataclasses import replace

from ullage.sources.claude_produced import AGENTS
from ullage.sources.lineage import Node, Strand
from ullage.sources.lines import read_line
from ullage.sources.opened import Opened, is_object
from ullage.wire.members import Object, inside, objects, text

HELD = ("message", "attachment")
"""What two copies of a record have in common, besides its key."""


def session_above(session: str, opened: Opened) -> Opened | None:
    """Open the file of the session that began an agent; None where it is not there."""
    if opened.path is None:
        return None
    if opened.path.parent.name == AGENTS:
        return opened.beside(f"{opened.path.parent.parent.name}.jsonl", up=2)
    return None if opened.path.stem == session else opened.beside(f"{session}.jsonl")


def call_that_began(agent: str, above: Opened | None) -> str | None:
    """Return the call whose result names an agent, in the file of its session."""
    for value in holding(agent, above):
        if text(inside(value, "toolUseResult"), "agentId") == agent:
            for block in objects(inside(value, "message").get("content")):
                if text(block, "tool_use_id"):
                    return text(block, "tool_use_id")
    return None


def without_copies(strand: Strand, above: Opened | None, opened: Opened) -> Strand:
    """Return a line of conversation with its copies from another file counted as shared."""
    copies = 0
    files: dict[str | None, Opened | None] = {None: above}
    for number, node in enumerate(strand.nodes, start=1):
        if node.kind == "nothing":
            continue
        named = None if above is not None else origin(node, opened)
        if named not in files:
            files[named] = opened.beside(f"{named}.jsonl")
        other = files[named]
        if other is None or not is_in(node, other):
            break
        copies = number
    return strand if copies <= strand.shared else replace(strand, shared=copies)


def origin(node: Node, opened: Opened) -> str | None:
    """Return the session that a record is a copy from, by its own word; None for its own."""
    value = node.record.value
    named = text(inside(value, "forkedFrom"), "sessionId") or text(value, "sessionId")
    return None if opened.path is None or named == opened.path.stem else named


def is_in(node: Node, other: Opened) -> bool:
    """Whether a file holds a record; one that only speaks of it does not."""
    value = node.record.value
    key = text(inside(value, "forkedFrom"), "messageUuid") or node.key
    same = [one for one in holding(key or "", other) if text(one, "uuid") == key]
    return any(one.get(name) == value.get(name) for one in same for name in HELD if name in value)


def holding(word: str, opened: Opened | None) -> Iterator[Object]:
    """Give the records of a file in whose lines a word stands."""
    wanted, data = f'"{word}"'.encode(), b"" if opened is None else opened.data
    at = data.find(wanted)
    while at >= 0:
        begin, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
        end = len(data) if end < 0 else end
        line = read_line(data[begin:end].decode("utf-8", "replace"), 0)
        yield from (one for one in line.values if is_object(one))
        at = data.find(wanted, end)
