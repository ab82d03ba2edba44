"""The content of an HTML page as Markdown: what is shown, without menus, scripts and styles."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ullage.cutter.markup import Tag, stream

DROPPED = {
    *("script", "style", "template", "svg", "math", "iframe", "object", "canvas", "select"),
    *("button", "noscript", "noframes", "noembed", "datalist", "audio", "video", "map"),
}
# Of these only what is neither a menu nor long is content.
FRAMES = {"nav", "header", "footer", "aside"}
LONGEST_FRAME = 300
LINKS_OF_A_MENU = 0.5
INLINE = {
    *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em"),
    *("font", "i", "img", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span"),
    *("strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "input", "nobr"),
}
HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
ROWS = {"table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption", "colgroup", "col"}
# More links than this are navigation: their addresses are left out.
MOST_LINKS = 10

SPACES = re.compile(r"[ \t\r\n\f\v]+")
LIKE_MARKUP = re.compile(r"(#{1,6} |`{3,}|~{3,}|>|-{3,}\Z|={3,}\Z)")
# Where a link ended; NUL is not a character of HTML.
LINK = re.compile("\x00(\\d+)\x00")


def content(source: str) -> str:
    """Return the content of a page: headings, paragraphs, lists, and tables as Markdown."""
    page = Page()
    for one in stream(source.replace("\x00", "")):
        if isinstance(one, str):
            page.text(one)
        elif one.is_end:
            page.end(one.name)
        else:
            page.start(one)
    return page.finished()


@dataclass(slots=True)
class Region:
    """A frame of the page, and what was written inside it."""

    name: str
    lines: list[str] = field(default_factory=list)
    linked: int = 0

    def is_menu(self) -> bool:
        """Whether nothing in it is content: mostly links, or the long fine print of a page."""
        size = sum(map(len, self.lines))
        if self.name == "nav" or self.linked > LINKS_OF_A_MENU * size:
            return True
        return self.name in ("header", "footer") and size > LONGEST_FRAME


@dataclass(slots=True)
class Table:
    """A table, row by row; one with a table in a cell only lays out the page."""

    rows: list[list[str]] = field(default_factory=list)
    in_cell: bool = False


@dataclass(slots=True)
class Page:
    """What has been read of a page."""

    regions: list[Region] = field(default_factory=lambda: [Region(name="page")])
    tables: list[Table] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    dropped: str = ""
    depth: int = 0
    prefix: str = ""
    lists: list[int] = field(default_factory=list)
    fence: bool = False
    links: list[str] = field(default_factory=list)
    href: str = ""
    link_start: int = 0

    def text(self, text: str) -> None:
        """Take a text, unless it stands in what is not shown."""
        if not self.dropped:
            self.words.append(text)

    def start(self, tag: Tag) -> None:
        """Open an element."""
        if self.dropped:
            self.depth += tag.name == self.dropped
        elif tag.name in DROPPED:
            self.dropped, self.depth = tag.name, 1
        elif tag.name in INLINE:
            self.inline(tag)
        elif tag.name in ROWS:
            self.table_part(tag.name)
        elif tag.name == "br":
            self.words.append(" " if self.in_cell() else "\n" if self.fence else "")
            if not self.in_cell() and not self.fence:
                self.flush()
        else:
            self.open_block(tag.name)

    def open_block(self, name: str) -> None:
        """Begin a paragraph, a heading, a list item, a frame."""
        self.flush()
        if name in HEADINGS or name == "title":
            self.prefix = HEADINGS.get(name, "#") + " "
        elif name in ("ul", "ol", "menu"):
            self.lists.append(0 if name == "ol" else -1)
        elif name == "li":
            self.prefix = self.bullet()
        elif name == "pre":
            self.fence = not self.in_cell()
        elif name == "blockquote":
            self.prefix = "> "
        elif name in FRAMES:
            self.regions.append(Region(name=name))

    def bullet(self) -> str:
        """Return what stands before a list item."""
        deeper = "  " * min(max(len(self.lists) - 1, 0), 8)
        if self.lists and self.lists[-1] >= 0:
            self.lists[-1] += 1
            return f"{deeper}{self.lists[-1]}. "
        return f"{deeper}- "

    def end(self, name: str) -> None:
        """Close an element; what was never opened closes nothing."""
        if self.dropped:
            self.depth -= name == self.dropped
            if not self.depth:
                self.dropped = ""
        elif name == "a":
            self.end_link()
        elif name == "table":
            self.end_table()
        elif name not in INLINE and name not in ROWS:
            self.flush()
            if name in ("ul", "ol", "menu") and self.lists:
                self.lists.pop()
            elif name in FRAMES and any(one.name == name for one in self.regions[-3:]):
                self.end_region(name)

    def inline(self, tag: Tag) -> None:
        """Take a link or the words of a picture; all other inline markup says nothing here."""
        if tag.name == "a":
            self.href = tag.attributes.get("href", "")
            self.link_start = len(self.words)
        elif tag.name == "img" and (alt := tag.attributes.get("alt", "").strip()):
            self.words.append(f"[image: {alt}]")

    def end_link(self) -> None:
        """Remember where a link leads; the texts of links tell a menu from content."""
        self.regions[-1].linked += sum(map(len, self.words[self.link_start :]))
        if self.href.startswith(("http://", "https://")):
            self.words.append(f"\x00{len(self.links)}\x00")
            self.links.append(self.href)
        self.href, self.link_start = "", len(self.words)

    def in_cell(self) -> bool:
        """Whether what is read now goes into a cell of a table."""
        return bool(self.tables) and self.tables[-1].in_cell

    def table_part(self, name: str) -> None:
        """Open a table, a row or a cell."""
        if name == "table":
            if self.in_cell():
                self.lay_out(self.tables[-1])
            self.flush()
            self.tables.append(Table())
        elif not self.tables:
            self.flush()
        elif name == "tr":
            self.end_cell()
            self.tables[-1].rows.append([])
        elif name in ("td", "th"):
            self.end_cell()
            if not self.tables[-1].rows:
                self.tables[-1].rows.append([])
            self.tables[-1].in_cell = True
        elif name == "caption":
            self.flush()

    def end_cell(self) -> None:
        """Put the words read so far into the open cell, if there is one."""
        table = self.tables[-1]
        if not table.in_cell:
            self.flush()
            return
        table.rows[-1].append(SPACES.sub(" ", "".join(self.words)).strip().replace("|", "\\|"))
        self.words.clear()
        table.in_cell = False

    def lay_out(self, table: Table) -> None:
        """Turn a table that holds another into paragraphs."""
        self.end_cell()
        for row in table.rows:
            for cell in row:
                self.write(cell.replace("\\|", "|"))
        table.rows.clear()

    def end_table(self) -> None:
        """Write the innermost table: as a Markdown table, its first row as the header."""
        if not self.tables:
            return
        self.end_cell()
        rows = [row for row in self.tables.pop().rows if any(row)]
        wide = max(map(len, rows), default=0)
        if wide < 2 or len(rows) < 2:
            for row in rows:
                self.write(" ".join(row).replace("\\|", "|"))
            return
        lines = [f"| {' | '.join([*row, *[''] * (wide - len(row))])} |" for row in rows]
        lines.insert(1, "|" + "---|" * wide)
        self.regions[-1].lines.append("\n".join(lines))

    def end_region(self, name: str) -> None:
        """Close a frame: a menu goes, the rest stays where it is."""
        while len(self.regions) > 1:
            done = self.regions.pop()
            if not done.is_menu():
                self.regions[-1].lines += done.lines
                self.regions[-1].linked += done.linked
            if done.name == name:
                return

    def flush(self) -> None:
        """Write the words read so far as a paragraph."""
        if self.in_cell():
            self.words.append(" ")
            return
        text = "".join(self.words)
        self.words.clear()
        self.link_start = 0
        if self.fence:
            self.fence = False
            self.fenced(text)
        elif text:
            self.write(text)

    def fenced(self, text: str) -> None:
        """Write preformatted text as a fenced block."""
        if text.strip():
            longest = max(map(len, re.findall("`+", text)), default=0)
            mark = "`" * max(3, longest + 1)
            self.regions[-1].lines.append(f"{mark}\n{text.strip(chr(10))}\n{mark}")

    def write(self, text: str) -> None:
        """Write one paragraph, heading or list item on a line of its own."""
        line = SPACES.sub(" ", text).strip()
        if line:
            prefix, self.prefix = self.prefix, ""
            escape = "" if prefix else "\\" * bool(LIKE_MARKUP.match(line))
            self.regions[-1].lines.append(prefix + escape + line)

    def finished(self) -> str:
        """Return the page; a list stays together, all else has a blank line before it."""
        while self.tables:
            self.end_table()
        self.flush()
        for one in self.regions[1:]:
            self.regions[0].lines += one.lines
        text = "".join(spaced(self.regions[0].lines))
        few = len(self.links) <= MOST_LINKS
        return LINK.sub(lambda mark: f" ({self.links[int(mark[1])]})" if few else "", text)


def spaced(lines: list[str]) -> Iterator[str]:
    """Yield lines with what stands between them; one that repeats the line before is left out."""
    last = ""
    for line in lines:
        if line == last:
            continue
        if last:
            yield "\n" if is_item(line) and is_item(last) else "\n\n"
        yield line
        last = line
    if last:
        yield "\n"


def is_item(line: str) -> bool:
    """Whether a line is a list item."""
    start = line.lstrip()
    return start.startswith("- ") or start.partition(". ")[0].isdigit()
