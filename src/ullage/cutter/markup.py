"""HTML as a stream of tags and texts: tolerant, without recursion, linear in any input.

Not `html.parser`: on unclosed comments and tags its time grows with the square of the input.
"""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

NAME = re.compile(r"</?([A-Za-z][^\s/>]{0,40})")
TAG_END = re.compile(r"(?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*+>")
ATTRIBUTE = re.compile(
    r"([A-Za-z_:][\w:.-]{0,60})\s{0,9}=\s{0,9}(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))"
)
# Their content is not markup; it ends only with their own end tag.
RAW = {
    name: re.compile(rf"</{name}\b", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title", "xmp", "noframes", "iframe", "noembed")
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A start or end tag."""

    name: str
    is_end: bool = False
    attributes: Mapping[str, str] = field(default_factory=dict)


def stream(source: str) -> Iterator[Tag | str]:
    """Yield the tags of a document and the texts between them, their entities resolved."""
    scanner = Scanner(source=source)
    while scanner.at < len(source):
        yield from scanner.step()


@dataclass(slots=True, kw_only=True)
class Scanner:
    """A place in a document; what has no end in it is looked for only once."""

    source: str
    at: int = 0
    endless: set[str] = field(default_factory=set)

    def step(self) -> Iterator[Tag | str]:
        """Read the text up to the next tag, and the tag."""
        start = self.source.find("<", self.at)
        end = len(self.source) if start < 0 else start
        if end > self.at:
            yield html.unescape(self.source[self.at : end])
        self.at = end
        if start < 0:
            return
        name = NAME.match(self.source, start)
        if name is not None:
            yield from self.tag(name)
        elif self.source.startswith(("<!", "<?", "</"), start):
            self.comment(start)
        else:
            yield "<"
            self.at = start + 1

    def tag(self, name: "re.Match[str]") -> Iterator[Tag | str]:
        """Read one tag, and the raw content of a script or style."""
        end = self.tag_end(name.end())
        if end < 0:
            yield html.unescape(self.source[name.start() :])
            self.at = len(self.source)
            return
        written = self.source[name.end() : end - 1]
        tag = Tag(
            name=name[1].lower(),
            is_end=self.source[name.start() + 1] == "/",
            attributes=attributes(written) if name[1].lower() in ("a", "img") else {},
        )
        self.at = end
        yield tag
        if tag.name in RAW and not tag.is_end:
            yield from self.raw(tag.name)

    def tag_end(self, at: int) -> int:
        """Return where a tag ends, a `>` in quotes aside; -1 where it does not."""
        if "quote" not in self.endless:
            match = TAG_END.match(self.source, at)
            if match is not None:
                return match.end()
            self.endless.add("quote")  # a quote that nothing closes: quotes mean nothing from here
        return self.find(">", at)

    def find(self, mark: str, at: int) -> int:
        """Return the end of a mark after `at`, or -1."""
        if mark in self.endless:
            return -1
        found = self.source.find(mark, at)
        if found < 0:
            self.endless.add(mark)
            return -1
        return found + len(mark)

    def comment(self, start: int) -> None:
        """Skip a comment, a declaration or a processing instruction."""
        end = -1
        if self.source.startswith("<!--", start):
            end = self.find("-->", start + 2)
        elif self.source.startswith("<![CDATA[", start):
            end = self.find("]]>", start)
        if end < 0:
            end = self.find(">", start)
        self.at = end if end >= 0 else len(self.source)

    def raw(self, name: str) -> Iterator[str]:
        """Read the content of an element that holds no markup, up to its end tag."""
        match = RAW[name].search(self.source, self.at)
        # Where nothing closes it all the rest is its content, as in a browser.
        end = match.start() if match else len(self.source)
        yield html.unescape(self.source[self.at : end])
        self.at = end


def attributes(written: str) -> dict[str, str]:
    """Return the attributes in a tag; the first of two alike counts."""
    found: dict[str, str] = {}
    for name, double, single, bare in ATTRIBUTE.findall(written):
        found.setdefault(name.lower(), html.unescape(double or single or bare))
    return found
