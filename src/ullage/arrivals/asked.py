"""What a call asked for: whether it wanted a part only, and which figures it named."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ullage.transcript.message import ToolCall

PAGING = frozenset(
    [
        "offset",
        "page",
        "page_token",
        "pagetoken",
        "cursor",
        "skip",
        "start",
        "start_line",
        "startline",
        "line_start",
        "from_line",
        "start_index",
        "startindex",
        "view_range",
        "viewrange",
        "after",
        "next_token",
        "nexttoken",
        "page_number",
    ]
)
"""Names of arguments by which a tool gives the rest of what it has."""

OF_TEXT = frozenset(
    [
        "view_range",
        "viewrange",
        "start_line",
        "startline",
        "line_start",
        "from_line",
        "end_line",
        "endline",
        "line_end",
        "to_line",
        "max_lines",
        "max_chars",
        "max_bytes",
        "max_characters",
        "num_lines",
        "line_count",
    ]
)
"""Names of arguments by which a call asks for a part of a text."""

OF_FILE = OF_TEXT | frozenset(
    ["offset", "limit", "start", "end", "head", "tail", "length", "max_length", "from", "to"]
)
"""The same beside a file's name; alone they may ask for records."""

FILE = frozenset({"path", "file", "file_path", "filename", "filepath", "absolute_path", "uri"})
SHELL = re.compile(
    r"(?:\A|[|;&(`\s])(?:head|tail|sed\s+-n|cut\s+-[bc]|dd|more|less|awk|select-object)\b",
    re.IGNORECASE,
)
SLICE = re.compile(r"\[[^\[\]:]*:\s*-?[\d_]+\s*\]|\blimit\s+\d", re.IGNORECASE)
NUMBER = re.compile(r"\d+")
LONGEST_TEXT = 2000
"""Longer arguments are contents, not questions."""

DEEPEST = 4


def arguments_of(call: ToolCall | None) -> Mapping[str, Any]:
    """Return the arguments of a call as an object, empty where they are none."""
    if call is None:
        return {}
    try:
        found = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return {"arguments": call.arguments}
    return found if isinstance(found, dict) else {"arguments": found}


def members(arguments: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the members of arguments, those of inner objects too, a few levels deep."""
    level: list[Mapping[str, Any]] = [arguments]
    for _ in range(DEEPEST):
        inner: list[Mapping[str, Any]] = []
        for one in level:
            for name, value in one.items():
                yield str(name).lower(), value
                inner += [value] if isinstance(value, dict) else []
        level = inner


def asks_for_part(arguments: Mapping[str, Any]) -> bool:
    """Whether a call asked for a part of a text: by lines, by a slice, by a shell's `head`."""
    found = dict(members(arguments))
    if OF_TEXT & found.keys() or (OF_FILE & found.keys() and FILE & found.keys()):
        return True
    texts = (one for one in found.values() if isinstance(one, str) and len(one) <= LONGEST_TEXT)
    return any(SHELL.search(one) or SLICE.search(one) for one in texts)


def pages(arguments: Mapping[str, Any]) -> bool:
    """Whether a call used an argument by which the rest can be had."""
    return any(name in PAGING for name, _ in members(arguments))


def figures(arguments: Mapping[str, Any]) -> frozenset[int]:
    """Return the whole numbers that a call named, those in its short texts too."""
    found: set[int] = set()
    for _, value in members(arguments):
        if isinstance(value, int) and not isinstance(value, bool):
            found.add(value)
        elif isinstance(value, str) and len(value) <= LONGEST_TEXT:
            found |= {int(one) for one in NUMBER.findall(value) if len(one) <= 9}
    return frozenset(found)
