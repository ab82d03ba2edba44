"""ToolBench and StableToolBench: searches through calls of tools, as trees or as chains of nodes.

https://github.com/THUNLP-MT/StableToolBench. A node is a thought, a call's name or its arguments;
these hold the observation, as the model was given it. Each way from the root to a leaf is one
conversation; it begins with what another had before it, which is counted there. `Finish` is no
tool: its arguments are the answer, or that the model gives up.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from ullage.errors import LoadError
from ullage.sources.form import Form
from ullage.sources.opened import Opened, is_object
from ullage.sources.places import Places, Span, member
from ullage.sources.record import Record
from ullage.transcript.finding import Source
from ullage.transcript.message import Message, Role, ToolCall
from ullage.transcript.transcript import Entry, Transcript
from ullage.wire.members import Object, inside, number, objects, read_object, text

THOUGHT, ACTION, INPUT = "Thought", "Action", "Action Input"
FINISH = "Finish"
ANSWERED, GAVE_UP, WELL = 3, 4, 0
"""Codes of an observation: the answer was given, the branch was given up, the tool was called."""
ROLES: dict[str, Role] = {"system": "system", "user": "user"}
# Quotes inside a string are escaped: this is always a key.
OBSERVATION = re.compile(rb'"observation"\s*:')


@dataclass(frozen=True, slots=True)
class Node:
    """One node: its number in the file, its own members, and the line of its observation."""

    number: int
    raw: Object
    line: int | None


def fits(opened: Opened) -> bool:
    """Whether a document is a tree, or chains, of such nodes."""
    document = opened.document
    return is_object(document) and any("node_type" in one for one in firsts(document))


def firsts(document: Object) -> list[Object]:
    """Return the root of a tree and the first nodes of its chains."""
    chains = [objects(one.get("chain")) for one in objects(document.get("trys"))]
    return [inside(inside(document, "tree"), "tree"), *(one[0] for one in chains if one)]


def records(opened: Opened) -> Iterator[Record]:
    """Yield each way through the search as a session."""
    document = opened.document
    if not is_object(document) or not fits(opened):
        raise LoadError(f"{opened.name}: no tree of nodes, and no chain of them")
    reading = Reading(opened, document)
    stem = PurePath(opened.name).stem
    for at, way in enumerate(reading.ways()):
        name = stem if at == 0 else f"{stem}#{at + 1}"
        yield reading.transcript(name, way)


@dataclass(slots=True)
class Reading:
    """What is known of a file after the ways so far."""

    opened: Opened
    document: Object
    before: Sequence[Node] | None = None
    head: Sequence[Entry] = field(init=False)

    def __post_init__(self) -> None:
        """Read what each conversation begins with."""
        self.head = list(head_of(self.document, self.opened.name))

    def ways(self) -> Iterator[list[Node]]:
        """Give the ways from the root to each leaf, then the chains, in their order."""
        places = Places(self.opened.data)
        root = inside(inside(self.document, "tree"), "tree")
        if root:
            yield from branches(root, lines_of(places, "tree", list(preorder(root))))
        chains = [objects(one.get("chain")) for one in objects(self.document.get("trys"))]
        nodes = [one for chain in chains for one in chain]
        lines = lines_of(places, "trys", nodes)
        first = 0
        for chain in chains:
            yield [Node(first + at, one, lines[first + at]) for at, one in enumerate(chain)]
            first += len(chain)

    def transcript(self, name: str, way: Sequence[Node]) -> Transcript:
        """Return one way as a conversation."""
        same = 0 if self.before is None else alike(self.before, way)
        shared = len(self.head) + len(list(self.entries(way[:same])))
        whole = [*self.head, *self.entries(way)]
        about = inside(self.document, "answer_generation")
        found = Transcript(
            session=name,
            form="toolbench",
            entries=whole,
            source=Source(path=self.opened.name),
            tools=tuple(text(one, "name") or "" for one in objects(about.get("function"))),
            shared=0 if self.before is None else shared,
            outcome=outcome(self.document, way),
        )
        self.before = way
        return found

    def entries(self, way: Sequence[Node]) -> Iterator[Entry]:
        """Give the messages of a way."""
        thoughts: list[str] = []
        name = ""
        for node in way:
            said, kind = text(node.raw, "description") or "", text(node.raw, "node_type")
            if kind == THOUGHT:
                thoughts.append(said)
            elif kind == ACTION:
                name = said
            elif name:
                yield from self.called(node, name, said, "\n".join(thoughts))
                thoughts, name = [], ""
        if thoughts:
            yield Entry(message=Message(role="assistant", text="\n".join(thoughts)))

    def called(self, node: Node, name: str, arguments: str, thought: str) -> Iterator[Entry]:
        """Give a call and its result, or the answer."""
        source = Source(path=self.opened.name, line=node.line)
        key = f"node {node.number}"
        if name == FINISH:
            answer = text(read_object(arguments), "final_answer") or arguments
            yield Entry(message=Message(role="assistant", text=answer), source=source, key=key)
            return
        call = ToolCall(call_id=key, name=name, arguments=arguments)
        yield Entry(
            message=Message(role="assistant", text=thought, calls=(call,)), source=source, key=key
        )
        given = text(node.raw, "observation")
        if given is not None:
            code = number(node.raw, "observation_code")
            yield Entry(
                message=Message(role="tool", text=given, answers=key, name=name),
                source=source,
                failed=code not in (None, WELL),
                key=key,
            )


def head_of(document: Object, path: str) -> Iterator[Entry]:
    """Give what stands before the first call: as it was kept for training, else the query."""
    about = inside(document, "answer_generation")
    kept = about.get("train_messages")
    first = objects(kept[0]) if isinstance(kept, list) and kept else []
    for one in first:
        role = ROLES.get(text(one, "role") or "")
        if role is None:
            break
        content = text(one, "content") or ""
        yield Entry(message=Message(role=role, text=content), source=Source(path=path))
    if not first:
        query = text(about, "query") or ""
        yield Entry(message=Message(role="user", text=query), source=Source(path=path))


def preorder(root: Object) -> Iterator[Object]:
    """Give the nodes of a tree, each before those below it."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(objects(node.get("children")))


def branches(root: Object, lines: Sequence[int | None]) -> Iterator[list[Node]]:
    """Give the way to each leaf of a tree, in the order of the search."""
    way: list[Node] = []
    waiting = [(root, 0)]
    order = 0
    while waiting:
        raw, depth = waiting.pop()
        del way[depth:]
        way.append(Node(order, raw, lines[order]))
        order += 1
        below = objects(raw.get("children"))
        if not below:
            yield list(way)
        waiting += [(one, depth + 1) for one in reversed(below)]


def lines_of(places: Places, name: str, nodes: Sequence[Object]) -> list[int | None]:
    """Return the line of each node's observation, as they follow each other in the file."""
    span = member(places.root(), name)
    with_one = [at for at, one in enumerate(nodes) if "observation" in one]
    found = [] if span is None else [one.start() for one in OBSERVATION.finditer(span.data)]
    lines: list[int | None] = [None if places.lines else 1] * len(nodes)
    if span is not None and len(found) == len(with_one):
        for at, begin in zip(with_one, found, strict=True):
            lines[at] = places.line(Span(start=span.start + begin, data=b""))
    return lines


def alike(one: Sequence[Node], other: Sequence[Node]) -> int:
    """Return how many nodes two ways begin with together."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a.raw is not b.raw), len(one))


def outcome(document: Object, way: Sequence[Node]) -> float | None:
    """Return 1 for the way that solved the task, 0 for another."""
    won = document.get("win")
    if not isinstance(won, bool):
        return None
    ended = bool(way) and number(way[-1].raw, "observation_code") == ANSWERED
    return float(won and ended)


TOOLBENCH = Form(
    name="toolbench",
    what="answers of ToolBench and StableToolBench: trees and chains of calls",
    fits=fits,
    records=records,
)
