"""Records that name their parents, as lines of conversation: the one that goes on, and branches.

A rewind makes a record a second child of its parent. Not every second child is one: the calls of
one reply and their results are written as siblings, hooks hang beside messages, and a compaction
may write again what it kept. https://github.com/daaain/claude-code-log (dev-docs/dag.md) describes
these shapes; here a child that is not on the way to the newest message is a branch only if it
begins with what a person typed, or with another reply to the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from ullage.sources.record import Numbered

Kind = Literal["prompt", "reply", "result", "aside", "nothing"]
"""What a record holds: typed text, a model's words, a tool's, what the program put in, nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One record in the order of its file.

    `parent` is the key of its parent, `orphan` says that it has none although another record should
    be, or that it hangs on the one before it. `family` is common to the records of one reply. One
    that is written once more holds nothing, and has the key of the first; `alias` is its own.
    `keeps` are the keys that a compaction kept, None for what is none.
    """

    record: Numbered
    key: str | None
    parent: str | None
    kind: Kind
    orphan: bool = False
    family: str | None = None
    alias: str | None = None
    keeps: frozenset[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Strand:
    """One line of conversation: its nodes in order; the first `shared` are in another one, too."""

    nodes: Sequence[Node]
    shared: int


@dataclass(slots=True)
class Tree:
    """The nodes of a file with their children; -1 stands for what is before the first."""

    nodes: Sequence[Node]
    parents: list[int] = field(default_factory=list)
    children: dict[int, list[int]] = field(default_factory=dict)
    newest: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    again: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Link the nodes; a parent stands before its children, any other link is a fault."""
        places: dict[str, int] = {}
        bearing = False
        for index, node in enumerate(self.nodes):
            known = places.get(node.parent or "")
            begins = node.kind == "prompt" and node.parent is None and not node.orphan and bearing
            self.parents.append(known if known is not None else -1 if begins else index - 1)
            self.children.setdefault(self.parents[-1], []).append(index)
            bearing = bearing or node.kind != "nothing"
            if node.key is not None:
                places.setdefault(node.key, index)
            if node.key is not None and node.alias is not None:
                places.setdefault(node.alias, places[node.key])
                self.again.add(node.key)
        self.measure()

    def measure(self) -> None:
        """Note of each node the newest and the first message at or below it."""
        self.newest = [-1 if one.kind == "nothing" else at for at, one in enumerate(self.nodes)]
        self.first = list(self.newest)
        for index in range(len(self.nodes) - 1, -1, -1):
            parent = self.parents[index]
            if parent >= 0 and self.newest[index] >= 0:
                self.newest[parent] = max(self.newest[parent], self.newest[index])
                known = self.first[parent]
                self.first[parent] = (
                    self.first[index] if known < 0 else min(known, self.first[index])
                )

    def is_branch(self, child: int, trunk: int) -> bool:
        """Whether a child leads away from the conversation that goes on by `trunk`."""
        if child == trunk or self.newest[child] < 0:
            return False
        parent, first = self.parents[child], self.nodes[self.first[child]]
        if self.nodes[child].keeps is not None:
            return not self.kept(child, trunk)
        if first.kind == "reply":
            near = {self.nodes[at].family for at in (parent, self.first[trunk]) if at >= 0}
            asked = parent < 0 or self.nodes[parent].kind in ("prompt", "result")
            return asked and first.family not in near - {None}
        return first.kind == "prompt"

    def kept(self, child: int, trunk: int) -> bool:
        """Whether the conversation that goes on is the one behind a compaction.

        It hangs on a message that the compaction kept, or on what came with it.
        """
        parent, node = self.parents[child], self.nodes[child]
        key = self.nodes[parent].key if parent >= 0 else None
        if key is None or self.nodes[self.first[trunk]].kind != "prompt" or trunk < child:
            return True
        return key in (node.keeps or ()) or key in self.again


def strands(nodes: Sequence[Node]) -> list[Strand]:
    """Return the lines of conversation of a file: first the one with the newest message."""
    tree = Tree(nodes)
    line: list[int] = []
    trunks = {
        parent: max(children, key=tree.newest.__getitem__)
        for parent, children in tree.children.items()
    }
    forks: list[tuple[int, int]] = [(-1, -1)]  # of each line: the one it leaves, and behind what
    for index in range(len(nodes)):
        parent = tree.parents[index]
        own = line[parent] if parent >= 0 else 0
        if tree.is_branch(index, trunks[parent]):
            forks.append((own, parent))
            own = len(forks) - 1
        line.append(own)
    own_nodes: list[list[int]] = [[] for _ in forks]
    for index, number in enumerate(line):
        own_nodes[number].append(index)
    return with_prefixes(nodes, forks, own_nodes)


def with_prefixes(
    nodes: Sequence[Node], forks: Sequence[tuple[int, int]], own: Sequence[Sequence[int]]
) -> list[Strand]:
    """Return the lines with what comes before each of them."""
    whole: list[list[int]] = []
    found = []
    for (before, fork), mine in zip(forks, own, strict=True):
        prefix = [index for index in whole[before] if index <= fork] if before >= 0 else []
        whole.append([*prefix, *mine])
        found.append(Strand(nodes=[nodes[at] for at in whole[-1]], shared=len(prefix)))
    return found
