"""Shortening a JSON string literal: a prefix of whole graphemes, and its length stated."""

import json
import re
from dataclasses import dataclass

from ullage.cutter import grapheme, notice

ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)
PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
ESCAPED = re.compile(rf"{PAIR.pattern}|{ESCAPE.pattern}", re.DOTALL)
# One character as it is written: a surrogate pair, an escape, or itself.
WRITTEN = re.compile(rf"{ESCAPED.pattern}|.", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal:
    """A string literal of the source: its inner text, its length, and its length at first."""

    inner: str
    characters: int
    produced: int


def read(text: str) -> Literal:
    """Read a literal, quotes included; an earlier cut's mark is taken off and its total kept."""
    inner = text[1:-1]
    earlier = notice.STRING_MARK.search(inner)
    if earlier:
        rest = inner[: earlier.start()]
        if length(rest) == int(earlier[1]):
            return Literal(inner=rest, characters=int(earlier[1]), produced=int(earlier[2]))
    count = length(inner)
    return Literal(inner=inner, characters=count, produced=count)


def length(inner: str) -> int:
    """Return how many characters a literal stands for."""
    if "\\" not in inner:
        return len(inner)
    escapes = ESCAPED.findall(inner)
    return len(inner) - sum(map(len, escapes)) + len(escapes)


def least(text: str) -> int:
    """Return the length of the shortest form of a literal."""
    if len(text) <= len('"[0 of 1 characters]"'):
        return len(text)
    return min(len(text), 2 + len(notice.string_mark(0, read(text).produced)))


def shorten(text: str, budget: int) -> tuple[str, Literal, int] | None:
    """Return a literal within `budget`, what it was, and the characters kept; None if none fits."""
    literal = read(text)
    room = budget - 2 - len(notice.string_mark(literal.characters, literal.produced))
    kept = prefix(literal.inner, room) if room > 0 else ""
    count = length(kept)
    short = f'"{kept}{notice.string_mark(count, literal.produced)}"'
    return (short, literal, count) if len(short) <= budget else None


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
    return str(json.loads(f'"{written}"')) if written[0] == "\\" else written
