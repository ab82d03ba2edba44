"""Reading NDJSON: one JSON value a line, each line a record that keeps its bytes."""

import json
import re
from collections.abc import Sequence
from functools import cache

from ullage.cutter import notice, notice_line, spans
from ullage.cutter.blocks import Block, Layout
from ullage.cutter.keep import Keep
from ullage.cutter.notice import Prior
from ullage.cutter.standout import standouts
from ullage.cutter.tree import DEEPEST, NOTICE_KEY, Fitter
from ullage.cutter.values import Noticed

# So many levels of an outsized line are opened; what is deeper is whole or empty.
LEVELS = 12
TORN = "last line torn"
# What a JSON text that ends too early may end in: a string, a number or a word not yet closed.
OPEN_END = re.compile(
    r'[ \t\r]*(?:"[^"\\]*+(?:\\.[^"\\]*+)*+\\?|-?[0-9.eE+-]*'
    r"|t|tr|tru|f|fa|fal|fals|n|nu|nul|N|Na|-?I[a-z]*)\Z"
)


def read(text: str) -> Layout | None:
    """Read lines of JSON, blank ones aside; a last line that ends too early is left out."""
    lines = [line for line in text.split("\n") if line.strip(spans.WHITE)]
    if len(lines) < 2 or not all(map(spans.is_json, lines[:-1])):
        return None
    torn = [] if spans.is_json(lines[-1]) else [lines.pop()]
    if torn and not ends_early(torn[0]):
        return None
    # Numbers or words on lines of their own are not NDJSON.
    if not any(line.lstrip(spans.WHITE)[0] in "{[" for line in lines):
        return None
    said = read_notice(lines[0])
    records = lines if said is None else lines[1:]
    asked = cache(lambda: decoded(records))
    fitters: dict[str, Fitter] = {}
    block = Block(
        path="$",
        records=records,
        unit="records",
        tail="" if text.endswith("\n") else None,
        unusual=lambda: standouts(asked()),
        decoded=asked,
        shorten=lambda record, room: shorten(record, room, fitters),
    )
    return Layout(
        format="ndjson",
        blocks=[block],
        insert=insert,
        prior=notice_line.read(said, ["$"]),
        also=[TORN] if torn or TORN in (said or "") else (),
        findings=[noticed(one, len(records)) for one in torn],
    )


def read_notice(line: str) -> str | None:
    """Return the notice of an earlier cut, if the line is one."""
    value = line.strip(spans.WHITE)
    members = spans.members(value) if value.startswith("{") else []
    if len(members) != 1 or members[0][0] != NOTICE_KEY or not members[0][1].startswith('"'):
        return None
    said = str(json.loads(members[0][1]))
    return said if notice.is_ours(said) else None


def insert(text: str, said: str) -> str:
    """Put the notice into a first line."""
    return f"{{{NOTICE_KEY}:{json.dumps(said, ensure_ascii=False)}}}\n{text}"


def ends_early(line: str) -> bool:
    """Whether a line is the beginning of an object or a list, and nothing else."""
    closes: list[str] = []
    wanted, at, end = "value", 0, len(line.rstrip(spans.WHITE))
    while at < end:
        match = spans.TOKEN.match(line, at)
        if match is None:
            return bool(closes) and OPEN_END.match(line, at) is not None
        at = match.end()
        step = spans.follow(match, wanted, closes) if wanted != "end" else None
        if step is None:
            return False
        wanted = step
    return bool(closes)


def noticed(line: str, before: int) -> Noticed:
    """Report a last line that somebody cut before us."""
    return Noticed(
        check="cut-upstream",
        severity="warning",
        evidence={"where": "last line", "characters": len(line), "whole_records": before},
    )


def decoded(records: Sequence[str]) -> list[object]:
    """Return the values of lines; None for one that Python cannot hold (a hostile depth)."""
    try:
        return list(json.loads("[" + ",".join(records) + "]"))
    except (ValueError, RecursionError):
        return [decode(one) for one in records]


def decode(record: str) -> object:
    """Return the value of one line, or None."""
    try:
        return json.loads(record)
    except (ValueError, RecursionError):
        return None


def shorten(record: str, room: int, fitters: dict[str, Fitter]) -> str | None:
    """Return a line within `room`: still one value, its lists and long strings cut.

    `fitters` holds what earlier attempts have read of the same lines.
    """
    body = record.strip(spans.WHITE)
    end = record[len(record.rstrip(spans.WHITE)) :]
    fitter = fitters.setdefault(record, Fitter(keep=Keep(), prior=Prior()))
    piece = fitter.fit(body, room - len(end), "$", DEEPEST - LEVELS)
    if piece is None or len(piece.text) <= 2:  # nothing but its brackets
        return None
    return piece.text + end
