"""Laying Markdown elements out in blocks: what is a part, what is a record of one."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ullage.cutter import earlier, grapheme
from ullage.cutter import path as paths
from ullage.cutter.blocks import Block, Layout
from ullage.cutter.caveat import telling
from ullage.cutter.earlier import Earlier
from ullage.cutter.elements import Element, cells
from ullage.cutter.notice import Prior
from ullage.cutter.notice_line import dropped_before
from ullage.cutter.passages import shorten_record
from ullage.cutter.rarity import surprising
from ullage.cutter.standout import FEWEST, Standout, standouts
from ullage.cutter.values import Format

# More headings than this are not parts but a list: then whole sections are records.
MOST_SECTIONS = 12
# Only so many tables and fences become parts of their own, the largest first.
MOST_OPENED = 12
# A smaller share of the whole text does not make a fence a part, nor anything inside a record:
# a snippet is whole or absent.
LARGE = 0.1
LONGEST_NAME = 40

NUMBER = re.compile(
    r"[-+]?[$€£]?(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)? ?%?", re.IGNORECASE
)
NOT_OF_NUMBER = str.maketrans("", "", "$€£,% ")
ERROR = re.compile(r"\b(?:error|exception|failed|failure|fatal|panic|denied)\b", re.IGNORECASE)


def layout(parsed: Sequence[Element], found: Earlier, format: Format = "markdown") -> Layout:
    """Lay elements out: sections, tables and fences become blocks with a fair share each."""
    level = section_level(parsed)
    sections = Sections(prior=found.prior, level=level, opened=opened(parsed, level, found.prior))
    for at, one in enumerate(parsed):
        sections.add(at, one)
    sections.flush()
    if sections.pending:
        sections.records = ["\n".join(sections.pending)]
        sections.pending = []
        sections.flush()
    return Layout(
        format=format,
        blocks=[*sections.blocks, *dropped_before(found.prior, [*sections.used])],
        insert=earlier.paragraph,
        after="\n" if found.text.endswith("\n") else "",
        prior=found.prior,
        also=found.also,
    )


def section_level(parsed: Sequence[Element]) -> int:
    """Return the deepest level whose headings are few enough to be parts."""
    levels = [one.level for one in parsed if one.kind == "heading"]
    fitting = [
        level for level in range(1, 7) if sum(one <= level for one in levels) <= MOST_SECTIONS
    ]
    return max(fitting, default=0)


def opened(parsed: Sequence[Element], level: int, prior: Prior) -> set[int]:
    """Return which tables and fences become parts: the largest of those with enough lines."""
    fewest = 1 if prior.parts else FEWEST
    total = sum(len(one.text) for one in parsed)
    sizes: dict[int, int] = {}
    in_record = False
    for at, one in enumerate(parsed):
        if one.kind == "heading":
            in_record = one.level > level
        elif one.kind in ("table", "fence") and len(one.inner) >= fewest:
            size = len(one.text)
            small = size < LARGE * total and not prior.parts
            if not small or (one.kind == "table" and not in_record):
                sizes[at] = size
    return set(sorted(sizes, key=lambda at: (-sizes[at], at))[:MOST_OPENED])


@dataclass(slots=True, kw_only=True)
class Sections:
    """The blocks made so far, and what waits for its block: headings and records."""

    prior: Prior
    level: int
    opened: set[int]
    blocks: list[Block] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    records: list[str] = field(default_factory=list)
    title: str = "text"
    in_record: bool = False
    used: set[str] = field(default_factory=set)
    tables: int = 0
    fences: int = 0

    def add(self, at: int, one: Element) -> None:
        """Put one element where it belongs."""
        if one.kind == "heading" and one.level <= self.level:
            self.flush()
            self.pending.append(one.text)
            self.title, self.in_record = one.title or self.title, False
        elif one.kind == "heading":
            self.records.append(one.text)
            self.in_record = True
        elif one.kind in ("table", "fence") and self.number(one) and at in self.opened:
            self.flush()
            self.blocks.append(self.open(one))
            self.in_record = False
        elif self.in_record:
            self.records[-1] += "\n" + one.text
        else:
            self.records.append(one.text)

    def number(self, one: Element) -> int:
        """Return the number of a table or a fence; one that an earlier cut left out keeps its."""
        count = self.tables if one.kind == "table" else self.fences
        while True:
            count += 1
            total = self.prior.parts.get(place(f"{noun(one)} {count}"))
            if total is None or total.delivered or not total.produced:
                break
        if one.kind == "table":
            self.tables = count
        else:
            self.fences = count
        return count

    def flush(self) -> None:
        """Make a block of the records that wait, under the headings that wait."""
        if not self.records:
            return
        records = self.records
        self.blocks.append(
            Block(
                path=self.name(self.title),
                records=records,
                unit="records",
                head=self.heading(),
                unusual=lambda: telling(records),
                shorten=shorten_record,
            )
        )
        self.records = []

    def heading(self, *more: str) -> str | None:
        """Take the headings that wait, with more lines after them."""
        lines = [*self.pending, *more]
        self.pending = []
        return "\n".join(lines) if lines else None

    def open(self, one: Element) -> Block:
        """Make a block of a table or a fence."""
        head = self.heading(*one.lines[: one.head])
        records = one.inner
        if one.kind == "fence":
            lines = with_blank_lines(records)
            return Block(
                path=self.name(f"code {self.fences}"),
                records=lines,
                unit="lines",
                head=head,
                tail=one.close,
                unusual=lambda: odd_lines(lines),
                measure=lambda text: [(text.count("\n") + 1, True)],
            )
        names = cells(one.lines[one.head - 2])
        return Block(
            path=self.name(f"table {self.tables}"),
            records=records,
            unit="records",
            head=head,
            unusual=lambda: standouts([typed(row(names, one)) for one in records]),
            decoded=lambda: [row(names, one) for one in records],
        )

    def name(self, title: str) -> str:
        """Return the path of a block, no two alike."""
        title = " ".join(title.split())
        if len(title) > LONGEST_NAME:
            title = title[: grapheme.boundary(title, LONGEST_NAME - 1)] + "…"
        number, path = 1, place(title)
        while path in self.used:
            number += 1
            path = place(f"{title} ({number})")
        self.used.add(path)
        return path


def with_blank_lines(lines: Sequence[str]) -> list[str]:
    """Return the lines inside a fence, blank ones with the line before: alone they say nothing."""
    found: list[str] = []
    for line in lines:
        if found and not line.strip():
            found[-1] += "\n" + line
        else:
            found.append(line)
    return found


def noun(one: Element) -> str:
    """Return what a table or a fence is called."""
    return "table" if one.kind == "table" else "code"


def place(title: str) -> str:
    """Return the path of a part with a title."""
    return paths.member("$", json.dumps(title, ensure_ascii=False))


def row(names: Sequence[str], line: str) -> dict[str, str]:
    """Return the cells of a row by column; a column without a name has its number."""
    values = cells(line)
    return {
        name or f"column {at + 1}": values[at] for at, name in enumerate(names) if at < len(values)
    }


def typed(values: dict[str, str]) -> dict[str, object]:
    """Return cells with numbers as numbers; currency, grouping and emphasis aside."""
    found: dict[str, object] = {}
    for name, value in values.items():
        bare = value.strip("*_`")
        found[name] = float(bare.translate(NOT_OF_NUMBER)) if NUMBER.fullmatch(bare) else value
    return found


def odd_lines(lines: Sequence[str]) -> list[Standout]:
    """Return the lines inside a fence that speak of an error or are worded unlike the others."""
    errors = [
        Standout(record=at, why="error", strength=1.0)
        for at, line in enumerate(lines)
        if ERROR.search(line)
    ]
    if len(errors) * 4 > len(lines):
        errors = []
    known = {one.record for one in errors}
    return errors + [one for one in surprising(lines) if one.record not in known]
