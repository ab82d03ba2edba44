"""Reading tables of aligned columns, as `kubectl get`, `ps`, `df`, `ls -l`, psql and mysql print.

A text is a table when its paragraphs are: a header over rows that leave the same columns blank, or
a ruled header. Sentences before and after stay, and several tables each have a fair share.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ullage.cutter import cells, notice_line
from ullage.cutter.blocks import Block, Layout
from ullage.cutter.standout import standouts

FEWEST = 3
# So many lines of a paragraph may stand before its header, and in paragraphs that are no tables.
MOST_PREAMBLE = 4
MOST_SENTENCES = 12
# Columns are found on so many rows, evenly taken, and on so many characters of each.
SAMPLE = 200
WIDEST = 1000
# So many of a hundred rows may write into the gap between two columns.
STRAY = 5

RULE = re.compile(
    r"[-=+─━═┄┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝╒╤╕╞╪╡╘╧╛┏┳┓┡╇┩┣╋┫┗┻┛╭╮╰╯ ]*[-=─━═][+┤┘┐╗╝╣╡╛╕┩┓┛┫╯╮ \t]*"
)
BARS = re.compile(r"[|│║┃]")
CROSS = re.compile(r"[+┬┼┴╦╬╩╤╪╧┳╇╋┻]")
FOOTER = re.compile(r"\(?\d+ rows?\)?(?: in set.*)?|Time: .*")
NAME = re.compile(r"[A-Za-z%#_(][\w %/().#:+-]*|\d+[A-Z]-blocks")
LISTED = re.compile(r"[-dlbcps][-rwxsStT]{9}[.+@]? +\d+ \S+ +\S+ +\d")
TOTAL = re.compile(r"total \d\S*")
# The second word of a name such as `Mounted on` is no column of its own.
SECOND_WORD = re.compile(r"(?<=\S) (?=[a-z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One paragraph that is a table: the lines above its rows, its rows, and the lines below."""

    head: Sequence[str]
    rows: Sequence[str]
    foot: Sequence[str]
    split: Callable[[str], dict[str, str]]


def read(text: str) -> Layout | None:
    """Read paragraphs of which at least one is a table and the others are few sentences."""
    first, _, rest = text.partition("\n")
    said = notice_line.read_brackets(first)
    body = rest if said else text
    tables: list[Table] = []
    sentences: list[str] = []
    blank = False
    for lines in paragraphs(body.removesuffix("\n")):
        table = read_table(lines, least=1 if tables or said else FEWEST)
        above = [*sentences, *([""] if blank else [])]
        blank = True
        if table is None:
            sentences = [*above, *lines]
            if len(sentences) > MOST_SENTENCES:
                return None
            continue
        sentences = list(table.foot)
        tables.append(
            Table(head=[*above, *table.head], rows=table.rows, foot=(), split=table.split)
        )
    if not tables or is_mostly_text(tables, sentences):
        return None
    end = "".join(f"\n{line}" for line in sentences) + ("\n" if body.endswith("\n") else "")
    return layout(tables, end, said)


def is_mostly_text(tables: Sequence[Table], sentences: Sequence[str]) -> bool:
    """Whether what is no table outweighs the rows."""
    around = len(sentences) + sum(len(table.head) for table in tables)
    return around > MOST_SENTENCES and around > sum(len(table.rows) for table in tables)


def layout(tables: Sequence[Table], end: str, said: str | None) -> Layout:
    """Lay out one table under its header, or several each with its own."""
    single = len(tables) == 1
    heads = ["\n".join(table.head) for table in tables]
    places = ["$"] if single else [f"$.table_{at}" for at in range(1, len(tables) + 1)]
    blocks = [
        Block(
            path=place,
            records=table.rows,
            unit="records",
            # Of one table, the header stays at any budget: its line end is the block's head.
            head=("" if head else None) if single else (head if table.head else None),
            unusual=lambda table=table: standouts(  # type: ignore[misc]  # a lambda's default
                [cells.numbers(table.split(row)) for row in table.rows]
            ),
            decoded=lambda table=table: [  # type: ignore[misc]  # the same
                table.split(row) for row in table.rows
            ],
        )
        for place, head, table in zip(places, heads, tables, strict=True)
    ]
    prior = notice_line.read(said, places)
    return Layout(
        format="table",
        blocks=[*blocks, *notice_line.dropped_before(prior, places)],
        insert=insert,
        before=heads[0] if single else "",
        after=end,
        empty=heads[0],
        prior=prior,
    )


def insert(text: str, said: str) -> str:
    """Put the notice into a first line in brackets."""
    return f"{notice_line.in_brackets(said)}\n{text}"


def paragraphs(text: str) -> list[list[str]]:
    """Return the runs of lines between blank ones."""
    found: list[list[str]] = [[]]
    for line in text.split("\n"):
        if line.strip():
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return [lines for lines in found if lines]


def read_table(lines: Sequence[str], least: int) -> Table | None:
    """Read one paragraph with at least so many rows, or return None."""
    table = read_listing(lines) or read_ruled(lines)
    if table is None:
        table = next(
            (
                found
                for at in range(min(MOST_PREAMBLE, len(lines) - 1))
                if (found := read_aligned(lines, at, least)) is not None
            ),
            None,
        )
    return table if table and len(table.rows) >= least else None


def read_listing(lines: Sequence[str]) -> Table | None:
    """Read what `ls -l` prints: it has no header."""
    rows = lines[1:] if TOTAL.fullmatch(lines[0].rstrip("\r")) else lines
    if not rows or not all(LISTED.match(row) for row in rows):
        return None
    names = ("mode", "links", "owner", "group", "size")

    def split(row: str) -> dict[str, str]:
        values = row.split(None, len(names))
        return dict(zip(names, values[: len(names)], strict=True))

    return Table(head=lines[: len(lines) - len(rows)], rows=rows, foot=(), split=split)


def is_rule(line: str) -> bool:
    """Whether a line is drawn, in two columns or more."""
    text = line.rstrip()
    return RULE.fullmatch(text.strip(" \t")) is not None and (
        len(text.split()) > 1 or len(CROSS.findall(text.strip()[1:-1])) > 0
    )


def read_ruled(lines: Sequence[str]) -> Table | None:
    """Read a table whose header stands over a rule, or between two."""
    rules = [at for at, line in enumerate(lines[:6]) if is_rule(line)]
    boxed = bool(rules) and rules[0] == 0
    if len(rules) < 1 + boxed or rules[boxed] - rules[0] * boxed > 5:
        return None
    top = rules[boxed] + 1
    foot = len(lines)
    while foot > top and (is_rule(lines[foot - 1]) or FOOTER.fullmatch(lines[foot - 1].strip())):
        foot -= 1
    rows = between_rules(lines[top:foot])
    columns = ruled_columns(lines[top - 2], lines[top - 1].rstrip())
    straight = [row for row in rows if columns(row)]
    if top < 2 or len(straight) * 100 < len(rows) * (100 - STRAY):
        return None
    return Table(head=lines[:top], rows=rows, foot=lines[foot:], split=columns)


def between_rules(lines: Sequence[str]) -> list[str]:
    """Return the rows; where rules part them, each with the rule below it."""
    if not any(map(is_rule, lines)):
        return list(lines)
    found: list[list[str]] = [[]]
    for line in lines:
        found[-1].append(line)
        if is_rule(line):
            found.append([])
    return ["\n".join(one) for one in found if one]


def ruled_columns(header: str, rule: str) -> Callable[[str], dict[str, str]]:
    """Return how a row is split under a rule; a row that is not so written has no columns."""
    if BARS.search(header):
        names = bar_cells(header)

        def by_bars(row: str) -> dict[str, str]:
            values = bar_cells(row.split("\n", 1)[0])
            return dict(zip(names, values, strict=True)) if len(values) == len(names) else {}

        return by_bars
    starts = [match.start() for match in re.finditer(r"\S+", rule)]
    return sliced(header, starts, strict=True)


def bar_cells(row: str) -> list[str]:
    """Return the cells between bars."""
    text = row.strip()
    inner = text[BARS.match(text) is not None : len(text) - (BARS.match(text[-1:]) is not None)]
    return [one.strip() for one in BARS.split(inner)]


def sliced(
    header: str, starts: Sequence[int], *, strict: bool = False
) -> Callable[[str], dict[str, str]]:
    """Return how a row is split at positions; a strict row leaves the one before each blank."""
    ends = [*starts[1:], None]
    spans = list(zip(starts, ends, strict=True))
    head = header.expandtabs()
    names = [head[start:end].strip() for start, end in spans]

    def split(row: str) -> dict[str, str]:
        text = row.expandtabs()
        if strict and any(text[at - 1 : at].strip() for at in starts[1:]):
            return {}
        values = [text[start:end].strip() for start, end in spans]
        return dict(zip(names, values, strict=True))

    return split


def read_aligned(lines: Sequence[str], at: int, least: int) -> Table | None:
    """Read a paragraph with its header at line `at` and rows that leave the same columns blank."""
    header, rows = lines[at].rstrip(), lines[at + 1 :]
    if len(rows) < least or any(NAME.fullmatch(word) is None for word in header.split()):
        return None
    sample = rows[:: len(rows) // SAMPLE + 1]
    starts = column_starts(header.expandtabs()[:WIDEST], sample)
    if len(starts) < 2:
        return None
    split = sliced(header, starts)
    columns = [split(row[: 2 * WIDEST]) for row in sample]
    if not is_header(header, columns):
        return None
    return Table(head=lines[: at + 1], rows=rows, foot=(), split=split)


def column_starts(header: str, rows: Sequence[str]) -> list[int]:
    """Return where each column begins that header and rows part with blanks."""
    head = SECOND_WORD.sub("_", header)
    width = head.rfind(" ") + 1
    texts = [row.expandtabs()[:width].ljust(width) for row in rows]
    most = len(rows) * STRAY // 100
    blank = [
        head[at] == " " and len(rows) - column.count(" ") <= most
        for at, column in enumerate(zip(*texts, strict=True))
    ]
    starts: list[int] = []
    begin = 0
    for at in range(len(head)):
        if at < width and blank[at]:
            begin = at + 1
        elif head[at] != " " and (not starts or starts[-1] < begin):
            starts.append(begin)
    return starts


def is_header(header: str, rows: Sequence[dict[str, str]]) -> bool:
    """Whether a line names the columns of the rows below it, and is not one of them.

    Capitals are enough with two columns; else it takes three, one of them of numbers.
    """
    names = list(rows[0])
    if any(row[name] == name for row in rows for name in names) or len(set(names)) < 2:
        return False
    if any(cells.is_number(name) for name in names):
        return False
    if header.upper() == header:
        return True
    return len(names) >= FEWEST and any(
        sum(cells.is_number(row[name]) for row in rows) * 10 > len(rows) * 8 for name in names
    )
