"""How a payload is written in each format: its records, and what stands around them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ullage.probe.case import Format
from ullage.probe.rows import EARLY, LATE, LONGEST, Part, Row

SHORT: Mapping[Part, str] = {EARLY: "early", LATE: "late"}
"""How a format that has no lists inside names a part: in a column, a heading, a logger's name."""

COLUMNS = ("id", "host", "ms", "cpu", "state", "note")
TABLE_HEAD = f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One format: how a record is written, and the text before, between and after the records.

    `middle` stands between the last record of the early part and the first of the late one.
    `by_line` says that each record is a line of its own.
    """

    record: Callable[[Row, str], str]
    opening: str = ""
    joint: str = "\n"
    middle: str = "\n"
    closing: str = ""
    by_line: bool = True

    @property
    def least_record(self) -> int:
        """The characters of the longest record with one character of words."""
        return len(self.record(LONGEST, "x"))

    def around(self, records: int) -> int:
        """Count the characters that are not the records' own."""
        ends = len(self.opening) + len(self.middle) + len(self.closing)
        return ends + (records - 2) * len(self.joint)


def fields(row: Row, note: str) -> dict[str, str | int | float]:
    """Return a record as a value."""
    return {
        "id": row.id,
        "host": row.host,
        "ms": row.ms,
        "cpu": row.cpu,
        "state": row.state,
        "note": note,
    }


def in_json(row: Row, note: str) -> str:
    """Write a record as an object."""
    return json.dumps(fields(row, note), ensure_ascii=False)


def in_ndjson(row: Row, note: str) -> str:
    """Write a record as an object that names its part."""
    return json.dumps({"part": SHORT[row.part], **fields(row, note)}, ensure_ascii=False)


def in_csv(row: Row, note: str) -> str:
    """Write a record as a line whose first column is its part; nothing in it needs a quote."""
    return ",".join([SHORT[row.part], *map(str, fields(row, note).values())])


def in_markdown(row: Row, note: str) -> str:
    """Write a record as a row of its part's table."""
    return f"| {' | '.join(map(str, fields(row, note).values()))} |"


def in_log(row: Row, note: str) -> str:
    """Write a record as an event; its part is the logger's name."""
    level = "ERROR" if row.state == "failed" else "INFO"
    return (
        f"{row.at} {level} {SHORT[row.part]}: {row.id} host={row.host} ms={row.ms} cpu={row.cpu} "
        f"state={row.state} {note}"
    )


FORMS: Mapping[Format, Form] = {
    "json": Form(
        record=in_json,
        opening='{"early_list": [',
        joint=", ",
        middle='], "late_list": [',
        closing="]}",
        by_line=False,
    ),
    "ndjson": Form(record=in_ndjson),
    "csv": Form(record=in_csv, opening=f"part,{','.join(COLUMNS)}\n"),
    "markdown": Form(
        record=in_markdown,
        opening=f"## early\n\n{TABLE_HEAD}",
        middle=f"\n\n## late\n\n{TABLE_HEAD}",
    ),
    "log": Form(record=in_log),
}
