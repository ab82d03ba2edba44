"""Shortening a JSON string literal: what stands out in it stays, and its length is stated."""

import json
import re
from dataclasses import dataclass

from ullage.cutter import encoded, grapheme, notice
from ullage.cutter.shorten import Spelling, shorten_text
from ullage.cutter.shorten import least as least_text

ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)
PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
ESCAPED = re.compile(rf"{PAIR.pattern}|{ESCAPE.pattern}", re.DOTALL)
# One character as it is written: a surrogate pair, an escape, or itself.
WRITTEN = re.compile(rf"{ESCAPED.pattern}|.", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Short:
    """A shortened literal: its characters that are still there, before this cut, and at first."""

    text: str
    delivered: int
    characters: int
    produced: int


def length(inner: str) -> int:
    """Return how many characters a literal stands for."""
    if "\\" not in inner:
        return len(inner)
    escapes = ESCAPED.findall(inner)
    return len(inner) - sum(map(len, escapes)) + len(escapes)


def boundary(inner: str, limit: int) -> int:
    """Return the last place at or before `limit` that splits neither escape nor grapheme."""
    return len(prefix(inner, limit))


JSON = Spelling(count=length, boundary=boundary)


def least(text: str) -> int:
    """Return the length of the shortest form of a literal."""
    if len(text) <= len('"[0 of 1 characters]"'):
        return len(text)
    return min(len(text), 2 + least_text(text[1:-1], JSON))


def shorten(text: str, budget: int) -> Short | None:
    """Return a literal within `budget`; None if no form of it fits.

    Base64 in it is replaced by what it is first: a part of it would be worth nothing.
    """
    if budget < 2:
        return None
    inner = text[1:-1]
    shown = encoded.replace(inner)
    body = shorten_text(shown.text, budget - 2, JSON)
    if body is None:
        return None
    count = length(inner)
    mark = notice.STRING_MARK.search(body) if body != shown.text else None
    kept = int(mark[1]) if mark else count - shown.gone
    before = notice.STRING_MARK.search(inner)
    at_first = int(mark[2]) if mark and before else count
    return Short(text=f'"{body}"', delivered=kept, characters=count, produced=at_first)


def prefix(inner: str, room: int) -> str:
    """Return the longest prefix within `room` written characters that splits no grapheme."""
    if "\\" not in inner[: room + grapheme.LOOK_AHEAD]:
        return inner[: grapheme.boundary(inner, room)]
    written: list[str] = []
    used = kept = 0
    for match in WRITTEN.finditer(inner):
        written.append(match[0])
        used += len(match[0])
        kept += used <= room
        if used > room + 6 * grapheme.LOOK_AHEAD:
            break
    decoded = "".join(decode(one) for one in written)
    return "".join(written[: grapheme.boundary(decoded, kept)])


def decode(written: str) -> str:
    """Return the one character that a written one stands for."""
    if written[0] != "\\":
        return written
    if written in ("\\", "\\u"):  # the window that is looked at ended inside an escape
        return "?"
    return str(json.loads(f'"{written}"'))
