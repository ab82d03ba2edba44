"""The entries of a YAML container as runs of whole lines, each run loadable without the others."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from ullage.cutter.yaml_events import Node, Reference

# Anchors that others refer to stay in front while they are this share of their list at most.
MOST_IN_FRONT = 0.5

INDENTED = re.compile(r" *")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A run of whole lines of the text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """The entries of a container that can be left out, and where the first of all starts.

    `in_front` counts those before the first of them that must stay, because others refer to them.
    """

    start: int
    spans: Sequence[Span]
    nodes: Sequence[Node | None]
    in_front: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """A stream whose entries are asked for."""

    text: str

    def entries(
        self, container: Node, start: int, end: int, references: Sequence[Reference]
    ) -> Entries:
        """Return the entries of a container between two positions, each with what loads alone."""
        nodes = container.starts
        lines = self.starts(container, start)
        if lines is None:  # not written one below the other
            return Entries(start=start, spans=[Span(start=start, end=end)], nodes=[None])
        if not lines:
            return Entries(start=end, spans=[], nodes=[])
        spans = [Span(start=a, end=b) for a, b in zip(lines, [*lines[1:], end], strict=True)]
        inside = [
            (bisect_right(lines, one.anchor) - 1, bisect_right(lines, one.alias) - 1)
            for one in references
            if lines[0] <= one.anchor and one.alias < end
        ]
        links = [(anchor, alias) for anchor, alias in inside if anchor != alias]
        if not links:
            return Entries(start=lines[0], spans=spans, nodes=nodes)
        front = max(anchor for anchor, _ in links) + 1
        if spans[front - 1].end - lines[0] <= MOST_IN_FRONT * (end - lines[0]):
            return Entries(
                start=spans[front - 1].end, spans=spans[front:], nodes=nodes[front:], in_front=front
            )
        spans = bundled(spans, links)
        return Entries(start=lines[0], spans=spans, nodes=[None] * len(spans))

    def starts(self, container: Node, start: int) -> list[int] | None:
        """Return the start of the first line of each entry, its comments included."""
        nodes, text = container.starts, self.text
        if not nodes:
            return []
        column = (
            container.start - self.line(container.start)
            if container.kind == "sequence"
            else nodes[0].start - self.line(nodes[0].start)
        )
        if container.kind == "sequence" and text[container.start] != "-":
            return None
        found: list[int] = []
        least = start
        for at, node in enumerate(nodes):
            line = self.entry_line(node, column, container.kind, least)
            if line is None:
                return None
            found.append(self.with_comments(line, column, max(least, node.after)) if at else line)
            least = line + 1
        return found

    def entry_line(self, node: Node, column: int, kind: str, least: int) -> int | None:
        """Return the start of the line where an entry begins; None where it is not its own."""
        line = self.line(node.start)
        if kind == "mapping":
            own = node.kind == "scalar" and node.start - line == column and line >= least
            return line if own and not self.text[line : node.start].strip(" ") else None
        while line >= least:
            indent = INDENTED.match(self.text, line)
            if indent and indent.end() - line == column and self.text[indent.end()] == "-":
                return line
            if line == 0:
                return None
            line = self.line(line - 1)
        return None

    def with_comments(self, line: int, column: int, least: int) -> int:
        """Return the start of the comment lines right above a line, in its own column."""
        while line > least:
            above = self.line(line - 1)
            indent = INDENTED.match(self.text, above)
            is_comment = indent and indent.end() - above == column
            if above < least or not is_comment or self.text[above + column] != "#":
                break
            line = above
        return line

    def line(self, at: int) -> int:
        """Return the start of the line of a position."""
        return self.text.rfind("\n", 0, at) + 1

    def slice(self, start: int, end: int) -> str:
        """Return whole lines without the line end after the last."""
        return self.text[start:end].removesuffix("\n")


def bundled(spans: Sequence[Span], links: Sequence[tuple[int, int]]) -> list[Span]:
    """Return the spans with those made one that lie between an anchor and an alias of it."""
    reach = list(range(len(spans)))
    for anchor, alias in links:
        reach[anchor] = max(reach[anchor], alias)
    found: list[Span] = []
    at = 0
    while at < len(spans):
        first, last = at, reach[at]
        while at <= last:
            last = max(last, reach[at])
            at += 1
        found.append(Span(start=spans[first].start, end=spans[last].end))
    return found
