"""The upper levels of an XML document, with the byte positions of tags; entities are refused."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.parsers import expat

# Elements below this depth are read, not remembered.
OUTLINED = 6
ALL = True  # a parser is given the whole text at once

TAG = re.compile(rb"<[^\s/>]+(?:[^\"'>]|\"[^\"]*\"|'[^']*')*+>")
# What is neither an element nor text.
ASIDE = re.compile(rb"<!--.*?-->|<\?.*?\?>", re.DOTALL)
# Markup and text of a well-formed fragment, in turn.
TOKEN = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<(?:[^\"'>]|\"[^\"]*\"|'[^']*')*+>|[^<]+", re.DOTALL
)


@dataclass(slots=True, kw_only=True)
class Element:
    """One element: where its start tag begins and ends, and its end tag; in bytes."""

    name: str
    start: int
    inner: int
    inner_end: int = 0
    end: int = 0
    has_text: bool = False
    children: list["Element"] = field(default_factory=list)


def parse(data: bytes) -> Element:
    """Return the root of a well-formed document, or raise ValueError."""
    tree = Tree(data=data)
    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = lambda name, _: tree.begin(name, parser.CurrentByteIndex)
    parser.EndElementHandler = lambda _: tree.finish(parser.CurrentByteIndex)
    parser.CharacterDataHandler = tree.text
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, ALL)
    except expat.ExpatError as error:
        raise ValueError(str(error)) from error
    if tree.root is None:
        raise ValueError("no root element")
    return tree.root


def refuse(*_: object) -> None:
    """Refuse a document that declares entities: what they expand to has no bound."""
    raise ValueError("declares entities")


@dataclass(slots=True, kw_only=True)
class Tree:
    """Follows the parser and remembers the elements of the upper levels."""

    data: bytes
    root: Element | None = None
    open: list[Element] = field(default_factory=list)
    depth: int = 0

    def begin(self, name: str, at: int) -> None:
        """Open an element."""
        self.depth += 1
        if self.depth > OUTLINED:
            return
        tag = TAG.match(self.data, at)
        if tag is None:
            raise ValueError(f"no start tag at byte {at}")
        one = Element(name=name, start=at, inner=tag.end())
        if self.open:
            self.open[-1].children.append(one)
        else:
            self.root = one
        self.open.append(one)

    def finish(self, at: int) -> None:
        """Close an element."""
        self.depth -= 1
        if self.depth >= OUTLINED:
            return
        one = self.open.pop()
        if self.data[one.inner - 2 : one.inner - 1] == b"/":
            one.inner_end = one.end = one.inner
        else:
            one.inner_end = at
            one.end = self.data.index(b">", at) + 1

    def text(self, text: str) -> None:
        """Take a run of text."""
        if self.depth <= OUTLINED and self.open and not text.isspace():
            self.open[-1].has_text = True


def values(records: Sequence[str]) -> list[dict[str, str]]:
    """Return of each record the attributes, the text, and those of its children, by name."""
    found: list[dict[str, str]] = []
    names: list[str] = []

    def begin(name: str, attributes: dict[str, str]) -> None:
        names.append(name)
        if len(names) == 2:
            found.append({})
        elif len(names) in (3, 4):
            prefix = "" if len(names) == 3 else f"{name}."
            for key, value in attributes.items():
                found[-1].setdefault(prefix + key, value)

    def text(value: str) -> None:
        if len(names) in (3, 4) and not value.isspace():
            name = "text" if len(names) == 3 else names[-1]
            found[-1][name] = found[-1].get(name, "") + value

    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda _: names.pop()
    parser.CharacterDataHandler = text
    parser.buffer_text = True
    inner = "".join(f"<record>{one}</record>" for one in records)
    try:
        parser.Parse(f"<records>{inner}</records>".encode(), ALL)
    except expat.ExpatError:  # an entity that only the document's own declaration knows
        return [{} for _ in records]
    return found
