"""Lines of JSON, as logs have them: torn, glued and empty ones are told, and their rest is saved.

A crash leaves a line without its end; the next record is then glued to it. A file system may leave
NULs in place of a line.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from ullage.cutter.ndjson import ends_early

DECODER = json.JSONDecoder()
BEGIN = re.compile(r'\{\s*"')
SPACE = " \t\r\n"
PASSES = 50
"""So many times its own length is a glued line searched for a whole tail, and no longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line: the values in it, and what is wrong with it, None where nothing is."""

    number: int
    values: tuple[object, ...]
    fault: str | None
    chars: int


def read_lines(data: bytes) -> Iterator[Line]:
    """Yield the lines of a file that are not blank, numbered from 1."""
    # Not splitlines(): U+2028 may stand raw inside a JSON string.
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        text = raw.decode("utf-8", "replace").strip(SPACE)
        if text:
            yield read_line(text, number)


def read_line(text: str, number: int) -> Line:
    """Read one line; what is whole in a damaged one is saved."""
    try:
        return Line(number=number, values=(msgspec.json.decode(text),), fault=None, chars=len(text))
    except (ValueError, RecursionError):
        pass  # also what only msgspec refuses: NaN, half of a surrogate pair
    try:
        return Line(number=number, values=(json.loads(text),), fault=None, chars=len(text))
    except (ValueError, RecursionError):
        pass
    values: tuple[object, ...] = ()
    if not text.strip("\0"):
        fault = "only NULs"
    elif ends_early(text):
        fault = "ends early"
    else:
        head, at = chain(text, 0)
        tail = saved_tail(text, at)
        values = (*head, *tail)
        fault = "more than one record" if tail or len(head) > 1 else "not JSON"
    return Line(number=number, values=values, fault=fault, chars=len(text))


def chain(text: str, at: int) -> tuple[list[object], int]:
    """Return the whole objects that follow each other from a place on, and where they end."""
    found: list[object] = []
    while at < len(text) and text[at] == "{":
        try:
            value, end = DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        found.append(value)
        at = end
        while at < len(text) and text[at] in SPACE:
            at += 1
    return found, at


def saved_tail(text: str, at: int) -> list[object]:
    """Return the objects at the end of a line in which something was torn before them.

    A tail begins where an object can, and reaches the end of the line. What stands inside a whole
    object is no record of its own.
    """
    left = PASSES * len(text)
    while left > 0 and (begin := BEGIN.search(text, at)):
        found, end = chain(text, begin.start())
        if found and end == len(text):
            return found
        left -= max(1, (end if found else len(text)) - begin.start())
        at = end if found else begin.start() + 1
    return []
