"""Reading lines of fields between tabs that no header names, as `cut`, `git` and databases print.

Only tabs: between them nearly any text may stand, and nothing but a table has the same number of
them in each line.
"""

from collections.abc import Sequence
from functools import cache

from ullage.cutter import cells, events, notice_line
from ullage.cutter.blocks import Block, Layout
from ullage.cutter.shorten import shorten_text
from ullage.cutter.standout import standouts

TAB = "\t"
FEWEST = 5
# A text of any size is judged by its first lines: what begins like a log is one.
LOOKED_AT = 200


def read(text: str) -> Layout | None:
    """Read lines that all have as many tabs, and do not look like events of a log."""
    first, _, rest = text.partition("\n")
    said = notice_line.read_hashed(first)
    body = rest if said else text
    records = body.removesuffix("\n").split("\n")
    if not are_records(records, fewest=1 if said else FEWEST):
        return None
    asked = cache(lambda: decoded(records))
    block = Block(
        path="$",
        records=records,
        unit="records",
        unusual=lambda: standouts([cells.numbers(one) for one in asked()]),
        decoded=asked,
        shorten=shorten,
    )
    return Layout(
        format="csv",
        blocks=[block],
        insert=insert,
        after="\n" if body.endswith("\n") else "",
        prior=notice_line.read(said, ["$"]),
    )


def are_records(lines: Sequence[str], *, fewest: int) -> bool:
    """Whether lines are records of two fields or more, the first of them never empty."""
    tabs = lines[0].count(TAB)
    if len(lines) < fewest or not tabs:
        return False
    if not all(one.count(TAB) == tabs and one[0] != TAB for one in lines):
        return False
    return not any(one.known for one in events.split(lines[:LOOKED_AT]))


def insert(text: str, said: str) -> str:
    """Put the notice into a first line."""
    line = notice_line.hashed(said)
    return f"{line}\n{text}" if text.strip("\n") else line + text


def decoded(records: Sequence[str]) -> list[dict[str, str]]:
    """Return the texts of each record by the number of their column."""
    return [
        {f"column {at}": field for at, field in enumerate(one.rstrip("\r").split(TAB), start=1)}
        for one in records
    ]


def shorten(record: str, room: int) -> str | None:
    """Return a record within `room`: all its fields, the longest shortened."""
    body = record.removesuffix("\r")
    fields = body.split(TAB)
    done = cells.fit(fields, room - len(fields) + 1 - (len(record) - len(body)), shorten_text)
    return TAB.join(done) + record[len(body) :] if done is not None else None
