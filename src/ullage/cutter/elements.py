"""Reading Markdown into its elements: headings, paragraphs, list items, tables, fences, quotes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["heading", "paragraph", "item", "table", "fence", "quote", "front"]

HEADING = re.compile(r" {0,3}(#{1,6})([ \t].*)?\r?\Z")
UNDERLINE = re.compile(r" {0,3}(=+|-+)\s*\Z")
FENCE = re.compile(r"[ \t]*(`{3,}(?=[^`]*\Z)|~{3,})")
ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]+\S|\s*\Z)")
QUOTE = re.compile(r" {0,3}>")
SEPARATOR = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)*+\s*(?::?-+:?)?\s*\Z")
CELL_BORDER = re.compile(r"(?<!\\)\|")
LONGEST_ROW = 10_000  # beyond it a row's code spans are not looked for
CODE_SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """One element in its own lines, the blank lines before it included.

    `head` counts the lines that open it: blank lines, a table's header, a fence's first line.
    `close` is what ends a fence, also where the source does not end it.
    """

    kind: Kind
    lines: Sequence[str]
    head: int = 0
    level: int = 0
    title: str = ""
    close: str = ""
    closed: bool = True

    @property
    def text(self) -> str:
        """The element as it stands in the source."""
        return "\n".join(self.lines)

    @property
    def inner(self) -> Sequence[str]:
        """The rows of a table or the lines inside a fence."""
        return self.lines[self.head : len(self.lines) - bool(self.close and self.closed)]


def elements(lines: Sequence[str]) -> Iterator[Element]:
    """Yield the elements of a text; white space after the last one is not part of any."""
    start = 0
    while True:
        at = start
        while at < len(lines) and not lines[at].strip():
            at += 1
        if at == len(lines):
            return
        one = element(lines, start, at)
        yield one
        start += len(one.lines)


def element(lines: Sequence[str], start: int, at: int) -> Element:
    """Read the element whose first line is at `at`, and whose blank lines begin at `start`."""
    line = lines[at]
    if at == 0 and line.rstrip() == "---" and (end := front_matter(lines)):
        return Element(kind="front", lines=lines[:end])
    heading = HEADING.match(line)
    if heading:
        title = (heading[2] or "").strip().rstrip("#").rstrip()
        return Element(
            kind="heading", lines=lines[start : at + 1], level=len(heading[1]), title=title
        )
    if FENCE.match(line):
        return fence(lines, start, at)
    if is_table(lines, at):
        end = at + 2
        while end < len(lines) and "|" in lines[end] and not FENCE.match(lines[end]):
            end += 1
        return Element(kind="table", lines=lines[start:end], head=at - start + 2)
    return run(lines, start, at)


def front_matter(lines: Sequence[str]) -> int:
    """Return where front matter ends, or 0 where the first line opens none."""
    for at in range(1, min(len(lines), 200)):
        if lines[at].rstrip() in ("---", "..."):
            return at + 1
    return 0


def fence(lines: Sequence[str], start: int, at: int) -> Element:
    """Read a fenced block; it ends with its own mark, or with the text."""
    match = FENCE.match(lines[at])
    mark = match[1] if match else ""
    end = fence_end(lines, at, mark)
    closed = end < len(lines)
    return Element(
        kind="fence",
        lines=lines[start : end + 1],
        head=at - start + 1,
        title=lines[at].strip().lstrip("`~ ").strip(),
        close=lines[end] if closed else mark,
        closed=closed,
    )


def fence_end(lines: Sequence[str], at: int, mark: str) -> int:
    """Return the line that closes the fence opened at `at`, or the number of lines."""
    for index in range(at + 1, len(lines)):
        line = lines[index].strip(" \t\r")
        if line.startswith(mark) and not line.strip(mark[0]):
            return index
    return len(lines)


def is_table(lines: Sequence[str], at: int) -> bool:
    """Whether a pipe table starts here: a header, and a separator of as many cells."""
    if at + 1 >= len(lines) or "|" not in lines[at]:
        return False
    below = lines[at + 1]
    if "|" not in below or "-" not in below or not SEPARATOR.match(below):
        return False
    return len(cells(lines[at])) == len(cells(below))


def cells(row: str) -> list[str]:
    """Return the cells of a table row; a pipe in a code span or after a backslash is none."""
    row = row.strip()
    if "`" in row and len(row) < LONGEST_ROW:
        row = CODE_SPAN.sub(lambda span: span[0].replace("|", "\\|"), row)
    found = [one.strip() for one in CELL_BORDER.split(row)]
    if row.startswith("|"):
        del found[0]
    if found and not found[-1] and row.endswith("|"):
        del found[-1]
    return found


def run(lines: Sequence[str], start: int, at: int) -> Element:
    """Read a paragraph, a list item with all that is indented under it, or a quote."""
    kind: Kind = "paragraph"
    if QUOTE.match(lines[at]):
        kind = "quote"
    elif ITEM.match(lines[at]):
        kind = "item"
    end = at + 1
    while end < len(lines) and goes_on(lines, at, end, kind):
        if kind == "item" and (match := FENCE.match(lines[end])):
            end = fence_end(lines, end, match[1])
        end += 1
    end = min(end, len(lines))
    if kind == "paragraph" and end < len(lines) and UNDERLINE.match(lines[end]):
        level = 1 if "=" in lines[end] else 2
        title = " ".join(one.strip() for one in lines[at:end])
        return Element(kind="heading", lines=lines[start : end + 1], level=level, title=title)
    return Element(kind=kind, lines=lines[start:end])


def goes_on(lines: Sequence[str], first: int, at: int, kind: Kind) -> bool:
    """Whether the line at `at` belongs to the run that began at `first`."""
    line = lines[at]
    if kind == "quote":
        return QUOTE.match(line) is not None
    if kind == "item":
        deeper = indent(lines[first]) + 2
        if not line.strip():
            return at + 1 < len(lines) and indent(lines[at + 1]) >= deeper
        if indent(line) >= deeper:
            return True
    if not line.strip() or UNDERLINE.match(line):
        return False
    return not (starts_another(line) or is_table(lines, at))


def starts_another(line: str) -> bool:
    """Whether a line opens an element even where no blank line stands before it."""
    return any(one.match(line) for one in (HEADING, FENCE, QUOTE, ITEM))


def indent(line: str) -> int:
    """Return the columns before the first character, or 0 for a blank line."""
    wide = line.expandtabs(4) if line.startswith((" ", "\t")) else line
    return len(wide) - len(wide.lstrip()) if line.strip() else 0
