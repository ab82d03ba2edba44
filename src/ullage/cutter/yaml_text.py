"""Reading YAML: whole items of the root, of the lists in it, or whole documents of a stream."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import cast

from ullage.cutter import notice, notice_line
from ullage.cutter import path as paths
from ullage.cutter.blocks import Block, Layout
from ullage.cutter.notice import Prior
from ullage.cutter.shorten import shorten_text
from ullage.cutter.standout import standouts
from ullage.cutter.values import Counted
from ullage.cutter.yaml_entries import Entries, Lines, Span
from ullage.cutter.yaml_events import LARGEST, Document, Node, Reference, outline, values
from ullage.cutter.yaml_scalars import shorten_entry

BOM = "\ufeff"
# So many lines of a scalar written as a block are a list of lines.
FEWEST_LINES = 4
# A member is a part of its own from this share of its mapping on; of a mapping of more members than
# this with none so large, the members are records.
OPENED = 0.1
MOST_MEMBERS = 12
MOST_PARTS = 100
# Documents are records when none is larger than this share of the stream, else parts.
LARGE = 0.25
# Of a document that is a part, a list of more than this share stands for it.
MAIN = 0.5

BEGINNING = re.compile(r"(?:[ \t]*(?:#.*)?\r?\n)*+(?:---|%YAML|[ ]*(?:-(?=\s)|\S[^\n]*:(?=\s)))")
# The head of a container: its key or the start of its document, properties, comments.
OPENED_KEY = re.compile(r"([^\n#]*:(?=\s|\Z)|---)(\s++(?:#[^\n]*+\s*+)*+|)")
KEY = re.compile(r"[^\s()<>\[\]{}=;,]+(?: [^\s()<>\[\]{}=;,]+){0,2}")


def read(text: str) -> Layout | None:
    """Read a stream whose roots are block mappings or lists, at least one with some depth."""
    bom = BOM if text.startswith(BOM) else ""
    body = text.removeprefix(BOM)
    first, _, rest = body.partition("\n")
    said = notice_line.read_hashed(first)
    body = rest if said else body
    if len(body) > LARGEST or not (said or BEGINNING.match(body)):
        return None
    try:
        documents = outline(body)
    except ValueError:
        return None
    if not documents or not all(map(is_yaml, documents)):
        return None
    if said is None and not any(has_depth(one) for one in documents):
        return None
    prior = notice.read(said) if said else Prior()
    return Reader(lines=Lines(text=body), bom=bom, prior=prior).layout(documents)


def is_yaml(document: Document) -> bool:
    """Whether a root is a block list, a block mapping of names that differ, or empty."""
    root = document.root
    if root is None or (root.kind == "scalar" and not root.value):
        return True
    if (root.flow and root.starts) or root.kind not in ("mapping", "sequence"):
        return False
    names = [one.value for one in root.keys]
    return len(set(names)) == len(names) and (
        sum(KEY.fullmatch(name) is not None for name in names) * 10 >= len(names) * 8
    )


def has_depth(document: Document) -> bool:
    """Whether a document is more than lines of text with a dash or a colon in them."""
    root = cast("Node", document.root)
    deep = [one for one in root.children if one.kind in ("mapping", "sequence")]
    if root.kind == "sequence":
        names = [key.value for one in deep for key in one.keys]
        plain = sum(KEY.fullmatch(name) is not None for name in names)
        return len(deep) * 2 >= len(root.children) > 0 and plain * 10 >= len(names) * 8
    return any(not one.flow for one in deep) or any(one.literal for one in root.children)


@dataclass(slots=True, kw_only=True)
class Reader:
    """Lays one stream out in blocks."""

    lines: Lines
    bom: str
    prior: Prior
    in_front: int = 0

    def layout(self, documents: Sequence[Document]) -> Layout:
        """Lay the stream out: one document by its entries, several as records or as parts."""
        text = self.lines.text
        after = "\n" if text.endswith("\n") else ""
        starts = [self.lines.line(one.start) for one in documents]
        ends = [*starts[1:], len(text)]
        before, empty = "", ""
        if len(documents) == 1:
            root = cast("Node", documents[0].root)
            entries = self.lines.entries(root, 0, len(text), documents[0].references)
            before = text[: entries.start]
            self.in_front += entries.in_front
            if entries.spans and not entries.in_front:
                empty = "[]" if root.kind == "sequence" else "{}"
            blocks = self.blocks(root, entries, "$", documents[0].references)
        elif max(map(int.__sub__, ends, starts)) <= LARGE * len(text):
            starts[0] = 0
            spans = [Span(start=a, end=b) for a, b in zip(starts, ends, strict=True)]
            blocks = [self.block("$", spans)]
        else:
            starts[0] = 0
            blocks = [
                self.document(one, starts[at], ends[at], paths.item("$", at))
                for at, one in enumerate(documents)
            ]
        found = [one.path for one in blocks]
        prior = notice_line.only(self.prior, found)
        whole = len(self.bom) + len(before) + len(after)
        return Layout(
            format="yaml",
            blocks=[*blocks, *notice_line.dropped_before(prior, found)],
            insert=lambda done, said: self.insert(done, said, whole, empty),
            before=self.bom + before,
            after=after,
            empty=empty,
            prior=prior,
            also=self.also(),
        )

    def also(self) -> list[str]:
        """Say which entries are not counted, because the others refer to them."""
        count = self.in_front
        return [f"{count} more kept that others refer to"] if count else []

    def insert(self, text: str, said: str, whole: int, empty: str) -> str:
        """Put the notice into a first line; a text of which nothing is left is an empty root."""
        body = text.removeprefix(self.bom)
        if len(text) <= whole and empty:
            body = f"{body.rstrip()}\n{empty}\n" if body.strip() else f"{empty}\n"
        return f"{self.bom}{notice_line.hashed(said)}\n{body}"

    def document(self, document: Document, start: int, end: int, path: str) -> Block:
        """Return the one block of a document among others: its entries, or its largest list's.

        A block that is left out takes its `---` with it, so no document may have two.
        """
        root = document.root
        if root is None or root.kind == "scalar":
            return self.block(path, [Span(start=start, end=end)])
        entries = self.lines.entries(root, start, end, document.references)
        in_front = self.in_front = self.in_front + entries.in_front
        if root.kind == "mapping" and None not in entries.nodes:
            blocks = self.blocks(root, entries, path, document.references)
            at = max(range(len(blocks)), key=lambda one: sum(map(len, blocks[one].records)))
            span = entries.spans[at]
            if blocks[at].head and span.end - span.start > MAIN * (end - start):
                above = self.lines.slice(start, span.start)
                head = "\n".join(one for one in (above, blocks[at].head or "") if one)
                tail = self.lines.slice(span.end, end) if span.end < end else None
                around = (above, blocks[at].emptied, tail)
                empty = "\n".join(one for one in around if one) if around[1] else None
                return replace(blocks[at], head=head, tail=tail, emptied=empty)
        self.in_front = in_front
        first = self.lines.slice(start, entries.start) if entries.start > start else None
        unit: Counted = "records" if root.kind == "sequence" else "members"
        return self.block(path, entries.spans, unit=unit, head=first)

    def blocks(
        self, root: Node, entries: Entries, path: str, references: Sequence[Reference]
    ) -> list[Block]:
        """Return one block for a list or a mapping of many small members, else one a member."""
        if root.kind == "sequence" or None in entries.nodes or self.is_flat(entries.spans, path):
            unit: Counted = "records" if root.kind == "sequence" else "members"
            return [self.block(path, entries.spans, unit=unit)]
        members = {
            key.start: (key, value) for key, value in zip(root.keys, root.children, strict=True)
        }
        total = sum(one.end - one.start for one in entries.spans)
        found = []
        for span, node in zip(entries.spans, entries.nodes, strict=True):
            key, value = members[cast("Node", node).start]
            place = paths.member(path, json.dumps(key.value, ensure_ascii=False))
            known = notice_line.was_opened(self.prior, place)
            large = span.end - span.start > OPENED * total
            block = self.opened(place, span, value, references) if large or known else None
            if block is None and known and not self.prior.parts[place].delivered:
                block = self.block(
                    place,
                    [],
                    unit=self.prior.units[place],
                    head=self.lines.slice(span.start, span.end),
                )
            found.append(block or self.block(place, [span], unit="members"))
        return found

    def is_flat(self, spans: Sequence[Span], path: str) -> bool:
        """Whether the members of a mapping are many and small, or were so in an earlier cut."""
        sizes = [one.end - one.start for one in spans]
        many = len(sizes) > MOST_MEMBERS and max(sizes, default=0) <= OPENED * sum(sizes)
        many = many or len(sizes) > MOST_PARTS
        return path in self.prior.parts or (many and not self.prior.parts)

    def opened(
        self, path: str, span: Span, value: Node, references: Sequence[Reference]
    ) -> Block | None:
        """Return the block of a member's items, members or lines; None where it has no choice."""
        known = notice_line.was_opened(self.prior, path)
        if value.literal:
            lines = self.lines.slice(span.start, span.end).split("\n")
            first = next((at for at, line in enumerate(lines) if at and line.strip()), len(lines))
            if len(lines) - first <= (0 if known else FEWEST_LINES):
                return None
            return Block(
                path=path,
                records=lines[first + 1 :],
                head="\n".join(lines[: first + 1]),
                shorten=shorten_line,
            )
        least = 1 if known else 2
        if value.kind in ("scalar", "alias") or value.flow or len(value.starts) < least:
            return None
        entries = self.lines.entries(value, span.start, span.end, references)
        if len(entries.spans) < least or entries.start <= span.start:
            return None
        self.in_front += entries.in_front
        unit: Counted = "records" if value.kind == "sequence" else "members"
        head = self.lines.slice(span.start, entries.start)
        return self.block(path, entries.spans, unit=unit, head=head)

    def block(
        self,
        path: str,
        spans: Sequence[Span],
        *,
        unit: Counted = "records",
        head: str | None = None,
    ) -> Block:
        """Return a block of whole lines."""
        records = [self.lines.slice(one.start, one.end) for one in spans]
        asked = cache(lambda: decoded(records, unit))
        return Block(
            path=path,
            records=records,
            unit=unit,
            head=head,
            unusual=lambda: standouts(asked()),
            decoded=asked,
            shorten=shorten_entry,
            emptied=emptied(head, unit) if records else None,
        )


def emptied(head: str | None, unit: Counted) -> str | None:
    """Return the head of a container of which nothing is left: what is empty stays of its kind.

    `items:` would be read as null. None where the head is not written in a way that allows it.
    """
    empty = "[]" if unit == "records" else "{}"
    match = OPENED_KEY.fullmatch(head) if head else None
    return f"{match[1]} {empty}{match[2]}" if match else None


def shorten_line(line: str, room: int) -> str | None:
    """Return a line of a scalar within `room`, with its indentation."""
    body = line.lstrip(" ")
    short = shorten_text(body.rstrip("\r"), room - (len(line) - len(body)))
    return line[: len(line) - len(body)] + short if short is not None else None


def decoded(records: Sequence[str], unit: Counted) -> list[object]:
    """Return what records say: items, or the values of members that are mappings."""
    together = values("\n".join(records))
    found: list[object]
    if unit == "members":
        members = together.items() if isinstance(together, dict) else ()
        found = [one if isinstance(one, dict) else {name: one} for name, one in members]
    else:
        found = together if isinstance(together, list) else []
    # Documents, and entries that were made one, are read one by one.
    return found if len(found) == len(records) else [values(one) for one in records]
