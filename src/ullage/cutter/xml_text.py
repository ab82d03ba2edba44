"""Reading XML: whole elements between the root's tags, each list-like child with a fair share."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby

from ullage.cutter import cells, notice, notice_line, xml_tree
from ullage.cutter import path as paths
from ullage.cutter.blocks import Block, Layout
from ullage.cutter.notice import Prior
from ullage.cutter.shorten import shorten_text
from ullage.cutter.standout import standouts
from ullage.cutter.values import Counted
from ullage.cutter.xml_tree import Element

# Children in more runs of one name than this are one list.
MOST_RUNS = 12
# A child with so many children or more is a part of its own, if it is this share of its parent.
FEWEST = 3
OPENED = 0.1

COMMENT = re.compile(r"<!-- (.*?) -->", re.DOTALL)
LINE_END = re.compile(r"\A[ \t]*\r?\n")
LINE_END_BYTES = re.compile(rb"[ \t]*\r?\n")
# A declared name space; without it, a prefix in the root's name is an error.
SPACE = re.compile(r"""\sxmlns(?::[^\s=]+)?\s*=\s*(?:"[^"]*"|'[^']*')""")
ENTITIES = cells.spelling(re.compile(r"&[^;&\s]{1,32};"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A child of a container with the comments around it and its indentation, in bytes."""

    element: Element
    start: int
    end: int


def read(text: str) -> Layout | None:
    """Read a well-formed document that declares no entities; HTML is not this format."""
    source = text.lstrip()
    if not source.startswith(("<", "\ufeff<")) or not source.rstrip().endswith(">"):
        return None
    try:
        data = source.encode()
        root = xml_tree.parse(data)
    except ValueError:
        return None
    if root.name.lower() == "html":
        return None
    return Reader(data=data, root=root).layout()


@dataclass(slots=True, kw_only=True)
class Reader:
    """Lays one document out in blocks."""

    data: bytes
    root: Element
    prior: Prior = field(default_factory=Prior)

    def layout(self) -> Layout:
        """Lay out the first element from the root on that leaves a choice."""
        root = self.root
        said, written = self.notice(root)
        self.prior = notice.read(said) if said else Prior()
        inner, path = container(root)
        pieces = self.pieces(inner)
        blocks = self.blocks(inner, pieces, path)
        start, end = self.slice(0, root.inner), self.slice(root.inner_end, len(self.data))
        if root.inner == root.end:  # a root that closes itself is opened for the notice
            start, end = f"{start[:-2].rstrip()}>", f"</{root.name}>{end}"
        first = pieces[0].start if pieces else inner.inner
        last = pieces[-1].end if pieces else inner.inner_end
        lines = self.has_lines(inner)
        above = self.slice(root.inner, first).removeprefix(written)
        below = self.slice(last, root.inner_end)
        if lines:
            below = "\n" + LINE_END.sub("", below, count=1)
        places = [one.path for one in blocks]
        prior = notice_line.only(self.prior, places)
        spaces = "".join(SPACE.findall(self.slice(root.start, root.inner)))
        return Layout(
            format="xml",
            blocks=[*blocks, *notice_line.dropped_before(prior, places)],
            insert=lambda done, sentence: insert(done, sentence, len(start)),
            join="\n" if lines else "",
            before=start + above,
            after=below + end,
            empty=f"<{root.name}{spaces}/>",
            prior=prior,
        )

    def notice(self, root: Element) -> tuple[str | None, str]:
        """Return the notice of an earlier cut after a start tag, and the comment that holds it."""
        match = COMMENT.match(self.slice(root.inner, root.inner_end))
        if match and notice.is_ours(match[1]):
            return match[1], match[0]
        return None, ""

    def pieces(self, container: Element) -> list[Piece]:
        """Return the children; comments between two go with the next, text goes with the last."""
        found: list[Piece] = []
        children = container.children
        start = self.indented(children[0].start, container.inner) if children else 0
        for at, one in enumerate(children):
            last = at + 1 == len(children)
            limit = container.inner_end if last else children[at + 1].start
            between = self.data[one.end : limit]
            text = between if last else xml_tree.ASIDE.sub(b"", between)
            end = one.end + (len(between.rstrip()) if text.strip() else 0)
            found.append(Piece(element=one, start=start, end=end))
            line = LINE_END_BYTES.match(self.data, end, limit)
            start = line.end() if line else end
            if not self.data[end:limit].strip():
                start = self.indented(limit, end)
        return found

    def indented(self, at: int, least: int) -> int:
        """Return where the white space before a tag on its line starts."""
        return at - len(self.data[least:at]) + len(self.data[least:at].rstrip(b" \t"))

    def has_lines(self, container: Element) -> bool:
        """Whether each child of a container starts on a line of its own."""
        ends = [container.inner, *(one.end for one in container.children)]
        return bool(container.children) and all(
            b"\n" in self.data[end : one.start]
            for one, end in zip(container.children, ends[:-1], strict=True)
        )

    def blocks(self, container: Element, pieces: Sequence[Piece], path: str) -> list[Block]:
        """Return a block for each run of children of one name, or one for all if they alternate."""
        if not container.children:
            text = self.slice(container.inner, container.inner_end)
            text = text.removeprefix(self.notice(container)[1])
            return [block(path, [text])] if text.strip() else []
        runs = [list(run) for _, run in groupby(pieces, key=lambda one: one.element.name)]
        flat = path in self.prior.parts or (len(runs) > MOST_RUNS and not self.prior.parts)
        if container.has_text or flat or len(pieces) == len(runs[0]) > 1:
            return [block(path, [self.slice(one.start, one.end) for one in pieces])]
        found: list[Block] = []
        used: Counter[str] = Counter()
        for run in runs:
            name = run[0].element.name
            used[name] += 1
            place = member(path, name, used[name])
            size = run[-1].end - run[0].start
            large = size > OPENED * (container.end - container.start)
            opened = len(run) == 1 and (large or notice_line.was_opened(self.prior, place))
            found.append((opened and self.opened(place, run[0])) or self.run(place, run))
        return found

    def run(self, path: str, run: Sequence[Piece]) -> Block:
        """Return the block of elements of one name; one alone is a member."""
        many = len(run) > 1 or notice_line.was_opened(self.prior, path)
        records = [self.slice(one.start, one.end) for one in run]
        return block(path, records, unit="records" if many else "members")

    def opened(self, path: str, one: Piece) -> Block | None:
        """Return the block of the items of one element; None where it is no list."""
        inner = self.pieces(one.element)
        known = notice_line.was_opened(self.prior, path)
        emptied = known and not self.prior.parts[path].delivered and not inner
        if one.element.has_text or (len(inner) < (1 if known else FEWEST) and not emptied):
            return None
        head = self.slice(one.start, inner[0].start if inner else one.element.inner)
        tail = self.slice(inner[-1].end if inner else one.element.inner_end, one.end)
        return block(
            path,
            [self.slice(each.start, each.end) for each in inner],
            head=head.removesuffix("\n"),
            tail=LINE_END.sub("", tail, count=1),
        )

    def slice(self, start: int, end: int) -> str:
        """Return a run of the document."""
        return self.data[start:end].decode()


def container(root: Element) -> tuple[Element, str]:
    """Return the first element from the root on that has more than one child, and its path."""
    inner, path = root, "$"
    while len(inner.children) == 1 and not inner.has_text and inner.children[0].children:
        inner = inner.children[0]
        path = member(path, inner.name)
    return inner, path


def block(
    path: str,
    records: Sequence[str],
    *,
    unit: Counted = "records",
    head: str | None = None,
    tail: str | None = None,
) -> Block:
    """Return a block of whole elements."""
    asked = cache(lambda: xml_tree.values(records))
    return Block(
        path=path,
        records=records,
        unit=unit,
        head=head,
        tail=tail,
        unusual=lambda: standouts([cells.numbers(one) for one in asked()]),
        decoded=asked,
        shorten=shorten,
    )


def member(path: str, name: str, number: int = 1) -> str:
    """Return the path of a child by its name; the second run of a name has its number."""
    title = name if number == 1 else f"{name} ({number})"
    return paths.member(path, json.dumps(title, ensure_ascii=False))


def insert(text: str, said: str, at: int) -> str:
    """Put the notice into a comment after the root's start tag; `--` may not stand in one."""
    safe = re.sub("-(?=-)", "- ", notice_line.one_line(said))
    return f"{text[:at]}<!-- {safe} -->{text[at:]}"


def shorten(record: str, room: int) -> str | None:
    """Return a record within `room`: all its markup, its longest texts shortened."""
    parts = xml_tree.TOKEN.findall(record)
    texts = [at for at, one in enumerate(parts) if not one.startswith("<") and one.strip()]
    texts += [at for at, one in enumerate(parts) if one.startswith("<![CDATA[")]
    markup = sum(map(len, parts)) - sum(len(parts[at]) for at in texts)
    done = cells.fit([parts[at] for at in texts], room - markup, shorten_run)
    if done is None:
        return None
    for at, one in zip(texts, done, strict=True):
        parts[at] = one
    return "".join(parts)


def shorten_run(text: str, room: int) -> str | None:
    """Return a run of text within `room`, its length stated; no entity is split."""
    opening, closing = "<![CDATA[", "]]>"
    if text.startswith(opening):
        inner = text[len(opening) : -len(closing)]
        short = shorten_text(inner, room - len(opening) - len(closing))
        return f"{opening}{short}{closing}" if short is not None else None
    return shorten_text(text, room, ENTITIES)
