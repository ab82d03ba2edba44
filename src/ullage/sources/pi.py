"""pi: its session files, lines of JSON that make a tree by `id` and `parentId`.

The last line is where the session stands; the way from it to the root is the session. What was left
by going back to an earlier line is a branch: a transcript of its own, whose first entries are also
in the session. Older files are one line after another, without ids.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath, PureWindowsPath

from ullage.sources.drafts import Draft, ended
from ullage.sources.form import Form
from ullage.sources.opened import Opened
from ullage.sources.record import Damaged, Record
from ullage.sources.times import seconds_of
from ullage.transcript.finding import Source
from ullage.transcript.message import Message, ToolCall
from ullage.transcript.served import Label, Usage
from ullage.transcript.transcript import Compaction, Entry, Produced, Transcript
from ullage.wire.contents import text_of
from ullage.wire.members import Object, compact, inside, number, objects, text

FORM_NAME = "pi"
LABELS: Mapping[str, Label] = {
    "stop": "complete",
    "toolUse": "complete",
    "length": "cut-by-limit",
    "error": "cut-by-server",
}
NOT_SENT = ("error", "aborted")
"""How a reply ended that pi leaves out of the next request."""
QUIET = ("model_change", "thinking_level_change", "custom", "label", "session_info", "session")
"""Kinds of lines that are no message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One line of a session file."""

    key: str
    parent: str | None
    line: int
    data: Object


@dataclass(slots=True)
class Path:
    """The way to one leaf while its messages are read.

    `begins` is the place at which the entries of each node begin, `summaries` are the places of
    what compactions wrote.
    """

    draft: Draft
    begins: dict[str, int] = field(default_factory=dict)
    summaries: set[int] = field(default_factory=set)

    def add(self, node: Node) -> None:
        """Add a line."""
        self.begins[node.key] = len(self.draft.entries)
        kind = text(node.data, "type") or "without a type"
        if kind in KINDS:
            KINDS[kind](self, node)
        elif kind not in QUIET:
            self.draft.unread[kind] += 1
        if kind == "model_change":
            self.draft.base = replace(self.draft.base, model=text(node.data, "modelId"))

    def add_message(self, node: Node) -> None:
        """Add a message."""
        found = entry_of(inside(node.data, "message"))
        if found is None:
            role = text(inside(node.data, "message"), "role")
            self.draft.unread[f"message {role}"] += 1
            return
        self.put(node, found)
        if found.model is not None:
            self.draft.base = replace(self.draft.base, model=found.model)

    def put(self, node: Node, entry: Entry) -> int:
        """Add an entry of a line."""
        source = Source(path=self.draft.base.source.path, line=node.line)
        at = entry.at or seconds_of(node.data.get("timestamp"))
        return self.draft.add(replace(entry, source=source, at=at, key=node.key))

    def add_said(self, node: Node) -> None:
        """Add what an extension says, or what is said of a branch that was left."""
        said = text(node.data, "summary") or text_of(node.data.get("content"))
        self.put(node, Entry(message=Message(role="user", text=said)))

    def compact(self, node: Node) -> None:
        """Add a compaction: its summary, and what stayed behind it."""
        before = self.draft.in_force()
        spent = self.draft.tokens()
        at = self.put(
            node, Entry(message=Message(role="user", text=text(node.data, "summary") or ""))
        )
        self.summaries.add(at)
        if "retainedTail" in node.data:
            kept, cleared = self.retained(node, before)
        else:
            kept, cleared = self.kept(node, at), ()
        told = number(node.data, "tokensBefore")
        self.draft.compactions.append(
            Compaction(
                at=at,
                act="summarise",
                after=(at, *kept),
                cleared=cleared,
                summary=(at,),
                trigger="extension" if node.data.get("fromHook") is True else None,
                tokens_before=spent if told is None else told,
                source=Source(path=self.draft.base.source.path, line=node.line),
            )
        )

    def kept(self, node: Node, at: int) -> tuple[int, ...]:
        """Return the messages from the first that was kept on; an older summary is none."""
        first = self.begins.get(text(node.data, "firstKeptEntryId") or "")
        if first is None:
            return ()
        return tuple(
            one
            for one in range(first, at)
            if one not in self.summaries and self.draft.entries[one].in_context
        )

    def retained(
        self, node: Node, before: Sequence[int]
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the messages that a compaction holds as copies, and those that changed in it."""
        left = list(before)
        kept, cleared = [], []
        for raw in objects(node.data.get("retainedTail")):
            copy = entry_of(raw)
            if copy is None:
                continue
            same = next((one for one in left if self.same(one, copy.message)), None)
            if same is None:
                same = self.put(node, copy)
            else:
                left = left[left.index(same) + 1 :]
                if self.draft.entries[same].message.text != copy.message.text:
                    cleared.append(same)
            kept.append(same)
        return tuple(kept), tuple(cleared)

    def same(self, at: int, copy: Message) -> bool:
        """Whether a message is the one that was copied: a result by its call, else by its words."""
        there = self.draft.entries[at].message
        if copy.role == "tool" and copy.answers is not None:
            return there.role == "tool" and there.answers == copy.answers
        return (there.role, there.text, there.calls) == (copy.role, copy.text, copy.calls)


KINDS: Mapping[str, Callable[[Path, Node], None]] = {
    "message": Path.add_message,
    "custom_message": Path.add_said,
    "branch_summary": Path.add_said,
    "compaction": Path.compact,
}


def user(raw: Object) -> Entry:
    """Read what a person, or an extension in its place, said."""
    return Entry(message=Message(role="user", text=text_of(raw.get("content"))))


def summary(raw: Object) -> Entry:
    """Read a summary that is a message."""
    return Entry(message=Message(role="user", text=text(raw, "summary") or ""))


def assistant(raw: Object) -> Entry:
    """Read what the model wrote; what it thought is no part of it."""
    calls = tuple(
        ToolCall(
            call_id=text(one, "id"),
            name=text(one, "name") or "",
            arguments=compact(one.get("arguments", {})),
        )
        for one in objects(raw.get("content"))
        if text(one, "type") == "toolCall"
    )
    message = Message(role="assistant", text=text_of(raw.get("content")), calls=calls)
    stop = text(raw, "stopReason")
    used = inside(raw, "usage")
    return Entry(
        message=message,
        usage=usage_of(used) if used else None,
        label=ended(stop, LABELS, message),
        finish_reason=stop,
        model=text(raw, "model"),
        in_context=stop not in NOT_SENT,
    )


def usage_of(raw: Object) -> Usage:
    """Return the tokens of a reply; pi counts what came from the cache apart."""
    read, wrote = number(raw, "cacheRead"), number(raw, "cacheWrite")
    fresh = number(raw, "input")
    return Usage(
        input=None if fresh is None else fresh + (read or 0) + (wrote or 0),
        output=number(raw, "output"),
        cached=read,
        cache_written=wrote,
    )


def result(raw: Object) -> Entry:
    """Read a tool's result; of one that was cut, its whole size is told, not its text."""
    message = Message(
        role="tool",
        text=text_of(raw.get("content")),
        answers=text(raw, "toolCallId"),
        name=text(raw, "toolName"),
    )
    cut = inside(inside(raw, "details"), "truncation")
    size = number(cut, "totalBytes") if cut.get("truncated") is True else None
    return Entry(
        message=message,
        failed=raw.get("isError") is True,
        produced=None if size is None else Produced(size=size),
    )


def ran(raw: Object) -> Entry:
    """Read a command that the person ran, in the words in which the model is told of it."""
    command, output = text(raw, "command") or "", text(raw, "output") or ""
    code, cut = number(raw, "exitCode"), raw.get("truncated") is True
    said = f"Ran `{command}`\n" + (f"```\n{output}\n```" if output else "(no output)")
    if raw.get("cancelled") is True:
        said += "\n\n(command cancelled)"
    elif code:
        said += f"\n\nCommand exited with code {code}"
    whole = text(raw, "fullOutputPath")
    if cut and whole is not None:
        said += f"\n\n[Output truncated. Full output: {whole}]"
    return Entry(
        message=Message(role="tool", text=said, name="bash"),
        failed=bool(code),
        # The whole output of one that was cut is in a temporary file, not below this folder.
        produced=None if cut else Produced(text=output),
        in_context=raw.get("excludeFromContext") is not True,
    )


ROLES: Mapping[str, Callable[[Object], Entry]] = {
    "user": user,
    "custom": user,
    "hookMessage": user,
    "assistant": assistant,
    "toolResult": result,
    "bashExecution": ran,
    "branchSummary": summary,
    "compactionSummary": summary,
}


def entry_of(raw: Object) -> Entry | None:
    """Read a message; None for one in a role that is not known."""
    read = ROLES.get(text(raw, "role") or "")
    found = None if read is None else read(raw)
    return found and replace(found, at=seconds_of(raw.get("timestamp")))


def is_header(one: Object) -> bool:
    """Whether a line is the first of a session file."""
    named = isinstance(one.get("id"), str) and isinstance(one.get("cwd"), str)
    return one.get("type") == "session" and named


def nodes_of(lines: Sequence[tuple[int, Object]]) -> dict[str, Node]:
    """Return the lines of a tree by their ids; those without one follow the line before them."""
    found: dict[str, Node] = {}
    last: str | None = None
    for order, (line, data) in enumerate(lines):
        if is_header(data):
            continue
        key = text(data, "id") or f"line {order}"
        parent = text(data, "parentId") if "parentId" in data else last
        first = number(data, "firstKeptEntryIndex")
        if first is not None and "firstKeptEntryId" not in data:
            data = {**data, "firstKeptEntryId": f"line {first}"}
        found[key] = Node(key=key, parent=parent, line=line, data=data)
        last = key
    return found


def way_to(nodes: Mapping[str, Node], leaf: str) -> list[Node]:
    """Return the nodes from the root to a leaf; a circle ends where it closes."""
    way: dict[str, Node] = {}
    at: str | None = leaf
    while at is not None and at in nodes and at not in way:
        way[at] = nodes[at]
        at = nodes[at].parent
    return [*reversed(way.values())]


def ways_of(nodes: dict[str, Node]) -> list[list[Node]]:
    """Return the way to each leaf: first the session's, to its last line, then its branches."""
    parents = {one.parent for one in nodes.values()}
    leaves = [key for key in nodes if key not in parents]
    current = next(reversed(nodes), None)
    if current is not None:
        leaves = [current, *(key for key in leaves if key != current)]
    return [way_to(nodes, leaf) for leaf in leaves]


def file_name(path: str) -> str:
    """Return the last part of a path of whatever system."""
    return (PureWindowsPath if "\\" in path else PurePosixPath)(path).name


def copied(opened: Opened, origin: str | None) -> set[str]:
    """Return the ids of the session that this one was copied from, if its file is beside it."""
    if origin is None:
        return set()
    name = file_name(origin)
    beside = opened.beside(name) if name and name != opened.name else None
    if beside is None or (opened.path and beside.path == opened.path.resolve()):
        return set()
    values = (value for line in beside.lines() for value in line.values)
    return {key for one in objects([*values]) if (key := text(one, "id")) is not None}


def records(opened: Opened) -> Iterator[Record]:
    """Yield a session, then the branches that were left."""
    lines: list[tuple[int, Object]] = []
    for line in opened.lines():
        if line.fault is not None:
            yield Damaged(
                line=line.number, why=line.fault, chars=line.chars, saved=len(line.values)
            )
        lines += [(line.number, one) for one in objects([*line.values])]
    header = next((one for _, one in lines if is_header(one)), {})
    name = text(header, "id") or opened.name
    origin = text(header, "parentSession")
    base = Transcript(
        session=name,
        form=FORM_NAME,
        entries=(),
        source=Source(path=opened.name),
        agent="pi",
        parent=origin and file_name(origin).rpartition("_")[2].removesuffix(".jsonl"),
    )
    elsewhere = copied(opened, origin)
    read: list[set[str]] = []
    for order, way in enumerate(ways_of(nodes_of(lines))):
        tag = name if not order else f"{name}@{order}"
        path = Path(draft=Draft(base=replace(base, session=tag)))
        for node in way:
            path.add(node)
        shared = shared_of(path, way, [elsewhere, *read])
        read.append({node.key for node in way})
        path.draft.base = replace(path.draft.base, shared=shared)
        path.draft.records = len(lines) if not order else 0
        if not order:
            yield path.draft.done()
        elif shared < len(path.draft.entries):
            # Each kind is counted once, with the session, not again with its branches.
            path.draft.unread.clear()
            yield path.draft.done()


def shared_of(path: Path, way: Sequence[Node], others: Sequence[set[str]]) -> int:
    """Return how many of the first entries stand in another transcript, too."""
    most = 0
    for other in others:
        new = next((node for node in way if node.key not in other), None)
        most = max(most, len(path.draft.entries) if new is None else path.begins[new.key])
    return most


PI = Form(
    name=FORM_NAME,
    what="a session of pi",
    fits=lambda opened: any(map(is_header, opened.head[:1])),
    records=records,
)
