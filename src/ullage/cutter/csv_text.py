"""Reading CSV and TSV: a header, and records that may span lines inside quotes.

The records are found here and not by the `csv` module, whose largest field is a setting of the
whole process, and which gives no positions.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from ullage.cutter import cells, notice_line, tsv_text
from ullage.cutter.blocks import Block, Layout
from ullage.cutter.shorten import shorten_text
from ullage.cutter.standout import standouts
from ullage.cutter.values import Noticed

TORN = "last record torn"
DELIMITERS = ",\t;"
FEWEST = 3
# At most one record in so many may have another number of fields.
RAGGED = 20
# An open quote at the end is a torn record only when it swallows few lines.
MOST_TORN_LINES = 20
LONGEST_NAME = 80
BOM = "\ufeff"

QUOTED = r'"[^"]*+(?:""[^"]*+)*+"'
QUOTES = cells.spelling(re.compile('""'))
NAME = re.compile(r"[^\W\d_]|_|#|%")
NOT_A_NAME = re.compile(r"\A[\[{(<>*-]|: |=|[.!?;:]\Z|\A[0-9]+\D|[0-9]:[0-9]{2}")
YEAR = re.compile(r"[0-9]{1,4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One record as it is written, and its number of fields; none where a quote stays open."""

    text: str
    columns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A whole text: header and records as they are written, and an earlier cut's notice."""

    delimiter: str
    header: str
    names: Sequence[str]
    records: Sequence[str]
    torn: str | None
    said: str | None


@cache
def patterns(delimiter: str) -> tuple["re.Pattern[str]", ...]:
    """Compile what depends on the delimiter: a record, an open record, quoted fields, fields."""
    field = rf'(?:{QUOTED}|[^"{delimiter}\n][^{delimiter}\n]*+|)'
    row = rf"{field}(?:{delimiter}{field})*+"
    return (
        re.compile(rf"{row}(?=\r?\n|\r?\Z)"),
        re.compile(rf'(?:{field}{delimiter})*+"[^"]*+(?:""[^"]*+)*+\Z'),
        re.compile(rf"(?<![^{delimiter}]){QUOTED}"),
        re.compile(rf"(?:\A|{delimiter})({QUOTED}|[^{delimiter}]*+)"),
    )


def read(text: str) -> Layout | None:
    """Read a table of delimited fields, in the delimiter that makes most columns of it.

    Without a header only tabs tell a table.
    """
    body = text.removeprefix(BOM)
    sheets = [sheet for one in DELIMITERS if (sheet := read_sheet(body, one)) is not None]
    if not sheets:
        return tsv_text.read(text)
    sheet = max(sheets, key=lambda one: len(one.names))
    records, delimiter = sheet.records, sheet.delimiter
    before = text[: len(text) - len(body)] + sheet.header
    asked = cache(lambda: decoded(sheet))
    block = Block(
        path="$",
        records=records,
        unit="records",
        head="",  # the line end after the header
        unusual=lambda: standouts([cells.numbers(one) for one in asked()]),
        decoded=asked,
        shorten=lambda record, room: shorten(record, room, delimiter),
    )
    return Layout(
        format="csv",
        blocks=[block],
        insert=lambda done, said: insert(done, said, before),
        before=before,
        after="\n" if text.endswith("\n") else "",
        empty=before,
        prior=notice_line.read(sheet.said, ["$"]),
        also=[TORN] if sheet.torn or TORN in (sheet.said or "") else (),
        findings=[noticed(sheet.torn, len(records))] if sheet.torn else (),
    )


def read_sheet(text: str, delimiter: str) -> Sheet | None:
    """Read a text as fields between `delimiter`, or return None where it is not so written."""
    first = next(rows(text, 0, delimiter), None)
    if first is None or first.columns < 2:
        return None
    start = text.index(first.text)
    if text[:start].strip("\r\n"):
        return None
    names = [unquoted(one) for one in fields(first.text, delimiter)]
    if not is_header(names):
        return None
    at = start + len(first.text) + 1
    end = text.find("\n", at)
    line = text[at : end if end >= 0 else len(text)]
    said = notice_line.read_hashed(line)
    if said:
        at += len(line) + 1
    body = read_body(text, at, delimiter, len(names))
    if body is None or (len(body) < FEWEST and said is None):
        return None
    torn = body.pop().text if body and is_torn(body[-1], text, len(names)) else None
    records = [one.text for one in body]
    if said is None and delimiter != "\t" and reads_like_prose(records, delimiter, len(names)):
        return None
    return Sheet(
        delimiter=delimiter,
        header=first.text,
        names=names,
        records=records,
        torn=torn,
        said=said,
    )


def read_body(text: str, at: int, delimiter: str, columns: int) -> list[Row] | None:
    """Read the records; None where more than a few have another number of fields."""
    found: list[Row] = []
    ragged = 0
    for row in rows(text, at, delimiter):
        found.append(row)
        ragged += row.columns != columns
        if ragged > 2 + len(found) // RAGGED:
            return None
    if found and is_torn(found[-1], text, columns):
        ragged -= 1
    return found if ragged * RAGGED <= len(found) else None


def rows(text: str, at: int, delimiter: str) -> Iterator[Row]:
    """Yield the records from `at` on, line end aside; blank lines are none."""
    whole, unclosed, quoted, _ = patterns(delimiter)
    while at < len(text):
        end = text.find("\n", at)
        end = end if end >= 0 else len(text)
        line = text[at:end]
        columns = line.count(delimiter) + 1
        if '"' in line:
            match = whole.match(text, at)
            if match is None and unclosed.match(text, at):
                yield Row(text=text[at:], columns=0)
                return
            if match is not None:
                end = text.find("\n", match.end())
                end = end if end >= 0 else len(text)
                line = text[at:end]
                columns = quoted.sub("", line).count(delimiter) + 1
        if line not in ("", "\r"):
            yield Row(text=line, columns=columns)
        at = end + 1


def is_torn(row: Row, text: str, columns: int) -> bool:
    """Whether the last record ends too early: inside a quote, or before its last field."""
    if row.columns == 0:
        return row.text.count("\n") < MOST_TORN_LINES
    return row.columns < columns and not text.endswith("\n")


def is_header(names: Sequence[str]) -> bool:
    """Whether a first record names its columns."""
    first, rest = names[0].strip(), [one.strip() for one in names[1:]]
    return (
        all(rest)
        and len(set(names)) == len(names)
        and (not first or is_name(first))
        and all(is_name(one) or YEAR.fullmatch(one) for one in rest)
        and any(map(is_name, rest))
    )


def is_name(text: str) -> bool:
    """Whether a field could be the name of a column."""
    return (
        len(text) <= LONGEST_NAME
        and NAME.search(text) is not None
        and NOT_A_NAME.search(text) is None
        and text.count("(") == text.count(")")
        and text.count(" ") < 8
    )


def reads_like_prose(records: Sequence[str], delimiter: str, columns: int) -> bool:
    """Whether the delimiters are punctuation: followed by a space, and few."""
    plain = [one for one in records if '"' not in one]
    total = sum(one.count(delimiter) for one in plain)
    spaced = sum(one.count(delimiter + " ") for one in plain)
    return spaced * 2 > total and columns < 4


def insert(text: str, said: str, before: str) -> str:
    """Put the notice into a line after the header, where no quote can open a field."""
    line = notice_line.hashed(said).replace('"', "'") + ("\r" if before.endswith("\r") else "")
    return f"{text[: len(before)]}\n{line}{text[len(before) :]}"


def noticed(torn: str, before: int) -> Noticed:
    """Report a last record that somebody cut before us."""
    return Noticed(
        check="cut-upstream",
        severity="warning",
        evidence={"where": "last record", "characters": len(torn), "whole_records": before},
    )


def fields(record: str, delimiter: str) -> list[str]:
    """Return the fields of a record as they are written."""
    body = record.removesuffix("\r")
    return body.split(delimiter) if '"' not in body else patterns(delimiter)[3].findall(body)


def unquoted(field: str) -> str:
    """Return what a field stands for."""
    if len(field) > 1 and field[0] == field[-1] == '"':
        return field[1:-1].replace('""', '"')
    return field


def decoded(sheet: Sheet) -> list[dict[str, str]]:
    """Return the texts of each record by column name."""
    names = sheet.names
    return [
        {
            names[at] if at < len(names) else f"column {at + 1}": unquoted(field)
            for at, field in enumerate(fields(record, sheet.delimiter))
        }
        for record in sheet.records
    ]


def shorten(record: str, room: int, delimiter: str) -> str | None:
    """Return a record within `room`: all its fields, the longest shortened inside their quotes."""
    written = fields(record, delimiter)
    end = record[len(record.removesuffix("\r")) :]
    done = cells.fit(written, room - len(written) + 1 - len(end), shorten_field)
    return delimiter.join(done) + end if done is not None else None


def shorten_field(field: str, room: int) -> str | None:
    """Return a field within `room`, its length stated."""
    if len(field) > 1 and field[0] == field[-1] == '"':
        inner = shorten_text(field[1:-1], room - 2, QUOTES)
        return f'"{inner}"' if inner is not None else None
    return shorten_text(field, room)
