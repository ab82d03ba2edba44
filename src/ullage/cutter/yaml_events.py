"""The outline of a YAML stream, from the parser's events: nothing is composed or constructed.

So an alias is never followed and no nesting recurses. Positions are characters of the text.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

# Longer texts are read as lines: without libyaml, this much takes about ten seconds to read.
LARGEST = 2_000_000
# Deeper texts are read as lines: PyYAML itself loads only a few hundred levels.
DEEPEST = 100
# Nodes below this depth are read, not remembered.
OUTLINED = 2

LITERAL = ("|", ">")
Kind = Literal["mapping", "sequence", "scalar", "alias"]


@dataclass(slots=True, kw_only=True)
class Node:
    """One node: where it starts, and where its children, or for a mapping its keys, start.

    `after` is where the last token before it ends that is no block scalar. `literal` is a scalar
    written as a block of lines.
    """

    kind: Kind
    start: int
    after: int
    flow: bool = False
    literal: bool = False
    value: str = ""
    keys: list["Node"] = field(default_factory=list)
    children: list["Node"] = field(default_factory=list)

    @property
    def starts(self) -> list["Node"]:
        """The nodes at which the entries of a container start."""
        return self.keys if self.kind == "mapping" else self.children


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """An alias, and the anchor that it means: where both stand."""

    anchor: int
    alias: int


@dataclass(slots=True, kw_only=True)
class Document:
    """One document of a stream: where it starts, its root, and what refers to what."""

    start: int
    root: Node | None = None
    references: list[Reference] = field(default_factory=list)


@cache
def loader() -> Any:
    """Return PyYAML's fastest safe loader; both give the same events and marks."""
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def events(text: str) -> Iterator[Any]:
    """Yield the parser's events; raises ValueError where the text is not YAML."""
    import yaml

    try:
        yield from yaml.parse(text, Loader=loader())
    except (yaml.YAMLError, UnicodeError) as error:
        raise ValueError(str(error)) from error


def outline(text: str) -> list[Document]:
    """Return the documents of a stream; raises ValueError where there is none or it is too deep."""
    reader = Outline()
    for event in events(text):
        reader.take(event)
    return reader.documents


@dataclass(slots=True)
class Outline:
    """Follows the events of a stream and remembers its upper levels."""

    documents: list[Document] = field(default_factory=list)
    open: list[Node] = field(default_factory=list)
    anchors: dict[str, int] = field(default_factory=dict)
    after: int = 0

    def take(self, event: Any) -> None:
        """Take the next event."""
        match type(event).__name__:
            case "DocumentStartEvent":
                self.documents.append(Document(start=event.start_mark.index))
                self.anchors = {}
            case "SequenceStartEvent":
                self.add(event, "sequence")
            case "MappingStartEvent":
                self.add(event, "mapping")
            case "ScalarEvent":
                self.add(event, "scalar")
            case "AliasEvent":
                self.add(event, "alias")
            case "SequenceEndEvent" | "MappingEndEvent":
                self.open.pop()
        if getattr(event, "style", None) not in LITERAL:
            start, end = event.start_mark.index, event.end_mark.index
            self.after = max(self.after, end if end > start else 0)

    def add(self, event: Any, kind: Kind) -> None:
        """Attach a node to what is open."""
        if kind == "scalar" and len(self.open) > OUTLINED and event.anchor is None:
            return
        node = Node(
            kind=kind,
            start=event.start_mark.index,
            after=self.after,
            flow=bool(getattr(event, "flow_style", False)),
            literal=getattr(event, "style", None) in LITERAL,
            value=getattr(event, "value", ""),
        )
        self.refer(event, node)
        if not self.open:
            self.documents[-1].root = node
        elif len(self.open) <= OUTLINED:
            parent = self.open[-1]
            is_key = parent.kind == "mapping" and len(parent.keys) == len(parent.children)
            (parent.keys if is_key else parent.children).append(node)
        if kind in ("mapping", "sequence"):
            self.open.append(node)
            if len(self.open) > DEEPEST:
                raise ValueError(f"nested deeper than {DEEPEST} levels")

    def refer(self, event: Any, node: Node) -> None:
        """Remember an anchor, or what an alias means."""
        document = self.documents[-1]
        if node.kind == "alias":
            if event.anchor not in self.anchors:
                raise ValueError(f"the alias {event.anchor!r} has no anchor")
            anchor = self.anchors[event.anchor]
            document.references.append(Reference(anchor=anchor, alias=node.start))
        elif event.anchor:
            self.anchors[event.anchor] = node.start


def values(text: str) -> object:
    """Return one record as plain values, its scalars as texts or numbers; None where it is none."""
    try:
        return read_value(event for event in events(text))
    except ValueError:
        return None


def read_value(stream: Iterable[Any]) -> object:
    """Build what the events of one document say; an alias is the text of its name."""
    stack: list[list[object]] = [[]]
    kinds: list[str] = []
    for event in stream:
        match type(event).__name__:
            case "SequenceStartEvent" | "MappingStartEvent":
                kinds.append(type(event).__name__[0])
                stack.append([])
            case "SequenceEndEvent" | "MappingEndEvent":
                done = stack.pop()
                whole: object = done
                if kinds.pop() == "M":
                    whole = dict(zip(map(str, done[::2]), done[1::2], strict=True))
                stack[-1].append(whole)
            case "ScalarEvent":
                stack[-1].append(scalar(event.value) if event.implicit[0] else event.value)
            case "AliasEvent":
                stack[-1].append(f"*{event.anchor}")
    return stack[0][0] if stack[0] else None


def scalar(text: str) -> object:
    """Return a plain scalar as a number, a boolean or null where it is one."""
    plain = {"null": None, "~": None, "": None, "true": True, "false": False}
    if text in plain:
        return plain[text]
    for read in (int, float):
        try:
            return read(text) if text[-1:].isdigit() and "_" not in text else text
        except ValueError:
            continue
    return text
