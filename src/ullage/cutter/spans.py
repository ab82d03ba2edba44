"""JSON as spans of its own text: nothing is decoded, so what is kept keeps its bytes.

Two engines with the same answer. `msgspec` splits ordinary JSON at C speed; what it refuses and
Python's own reader takes (NaN, lone surrogates, nesting of any depth) is scanned here without
recursion.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

Kind = Literal["object", "array", "string", "number", "literal"]

WHITE = " \t\n\r"
KINDS: dict[str, Kind] = {"{": "object", "[": "array", '"': "string", "-": "number"}
KINDS |= {digit: "number" for digit in "0123456789"}

OPENING = {"[": 1, "{": 2}

STRING = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
NUMBER = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?"
TOKEN = re.compile(
    rf"[ \t\n\r]*+(?:(?P<string>{STRING})|(?P<scalar>{NUMBER}|true|false|null|NaN|-?Infinity)"
    r"|(?P<punctuation>[\[\]{},:]))"
)
# What a cut leaves of a token at the very end: an open string, or the beginning of a word.
TORN = re.compile(
    r'[ \t\n\r]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+\\?|-?[0-9.eE+-]*|t|tr|tru|f|fa|fal|fals|n|nu|nul)',
    re.DOTALL,
)
SKELETON = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{},:]', re.DOTALL)
KEY = re.compile(rf"[ \t\n\r]*+({STRING})[ \t\n\r]*+:[ \t\n\r]*+")
COMMA = re.compile(r"[ \t\n\r]*+,")


@cache
def decoders() -> tuple[Any, Any, Any, Any]:
    """Make msgspec's decoders on first use: spans of a value, a list, an object; and values."""
    import msgspec

    raw = msgspec.Raw
    return (
        msgspec.json.Decoder(raw),
        msgspec.json.Decoder(list[raw]),  # type: ignore[valid-type]  # a type made at run time
        msgspec.json.Decoder(dict[str, raw]),  # type: ignore[valid-type]  # the same
        msgspec.json.Decoder(),
    )


Opened = list[Any] | dict[str, Any]
"""The children of a list or an object as msgspec's spans."""


def opened(text: str) -> Opened | None:
    """Return the children of a list or an object that any reader takes; None of all else."""
    which = OPENING.get(text.lstrip(WHITE)[:1]) if text else None
    if which is None:
        return None
    try:
        found: Opened = decoders()[which].decode(text)
    except (ValueError, RecursionError):
        return None
    return found


def kind(text: str) -> Kind:
    """Return the kind of a JSON value from its first character."""
    return KINDS.get(text[0], "literal")


def is_json(text: str) -> bool:
    """Whether all of `text`, without the white space around it, is one JSON value."""
    return is_plain(text) or scan(text)


def is_plain(text: str) -> bool:
    """Whether a text is JSON that any reader takes: no NaN, no half of a surrogate pair."""
    try:
        decoders()[0].decode(text)
    except (ValueError, RecursionError):
        return False
    return True


def scan(text: str) -> bool:
    """Check the whole grammar without recursion; takes NaN, Infinity and lone surrogates."""
    closes: list[str] = []
    wanted = "value"
    at, end = 0, len(text.rstrip(WHITE))
    while at < end:
        match = TOKEN.match(text, at)
        if match is None or wanted == "end":
            return False
        at = match.end()
        step = follow(match, wanted, closes)
        if step is None:
            return False
        wanted = step
    return wanted == "end"


def ends_early(text: str) -> bool:
    """Whether a text is the beginning of a JSON object or list, cut off after a whole member.

    True only if the reader comes to the end of the input: a mistake before the end is no cut.
    """
    closes: list[str] = []
    wanted, members = "value", 0
    at, end = 0, len(text.rstrip(WHITE))
    while at < end:
        match = TOKEN.match(text, at)
        step = follow(match, wanted, closes) if match and wanted != "end" else None
        if match is None or step is None:
            return members > 0 and bool(closes) and TORN.fullmatch(text, at, end) is not None
        members += match["punctuation"] == ","
        at, wanted = match.end(), step
    return members > 0 and bool(closes)


def follow(match: "re.Match[str]", wanted: str, closes: list[str]) -> str | None:
    """Return what may come after this token, or None where it may not stand here."""
    if match["string"] is not None and wanted in ("key", "first key"):
        return "colon"
    if match["punctuation"] is None:
        return after(closes) if wanted in ("value", "first value") else None
    mark = match["punctuation"]
    if mark in "[{" and wanted in ("value", "first value"):
        closes.append("]" if mark == "[" else "}")
        return "first value" if mark == "[" else "first key"
    if mark in "]}" and closes and closes[-1] == mark and wanted in closing(mark):
        closes.pop()
        return after(closes)
    if mark == ":" and wanted == "colon":
        return "value"
    if mark == "," and wanted == "comma":
        return "value" if closes[-1] == "]" else "key"
    return None


def closing(mark: str) -> tuple[str, str]:
    """Return the states in which a bracket may close."""
    return ("comma", "first value" if mark == "]" else "first key")


def after(closes: list[str]) -> str:
    """Return what comes after a whole value."""
    return "comma" if closes else "end"


def values(texts: Sequence[str]) -> list[object]:
    """Return the Python values of JSON texts; none where Python cannot hold one of them."""
    return values_of(f"[{','.join(texts)}]")


def values_of(text: str) -> list[object]:
    """Return the Python values of a JSON array; none where Python cannot hold one of them."""
    try:
        found: list[object] = decoders()[3].decode(text)
    except (ValueError, RecursionError):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            return []
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """What a reader that keeps one of equal keys makes of a JSON text, and writes for it."""

    value: Any
    written: bytes


def decoded(text: str) -> Decoded | None:
    """Decode a JSON text; None where Python cannot hold what it says."""
    import msgspec

    try:
        value = decoders()[3].decode(text)
        return Decoded(value=value, written=msgspec.json.encode(value))
    except (ValueError, RecursionError):
        return None


def literal(key: str) -> str:
    """Return a key as it is written, quotes included."""
    import msgspec

    return msgspec.json.encode(key).decode()


def items(text: str, spans: Opened | None = None) -> list[str]:
    """Return the text of each item of a valid JSON array, whose `spans` may be known."""
    spans = opened(text) if spans is None else spans
    if not isinstance(spans, list):
        return [text[start:end] for _, start, end in split(text)]
    return [str(one, "utf-8") for one in spans]


def members(text: str, spans: Opened | None = None) -> list[tuple[str, str]]:
    """Return key and value of each member of a valid JSON object, as texts; duplicates stay."""
    spans = opened(text) if spans is None else spans
    found = walk(text, spans) if isinstance(spans, dict) else None
    if found is None:
        found = [(key, text[start:end]) for key, start, end in split(text)]
    return found


def walk(text: str, values: dict[str, Any]) -> list[tuple[str, str]] | None:
    """Follow decoded values along the text; None where they do not cover it (a duplicate key)."""
    found, at = [], 1
    for raw in values.values():
        value = str(raw, "utf-8")
        key = KEY.match(text, at)
        if key is None or not text.startswith(value, key.end()):
            return None
        found.append((key[1], value))
        at = key.end() + len(value)
        comma = COMMA.match(text, at)
        at = comma.end() if comma else at
    return found if text[at:].strip(WHITE) == "}" else None


def split(text: str) -> list[tuple[str, int, int]]:
    """Return key, start and end of each child of a valid array or object, without recursion."""
    found: list[tuple[str, int, int]] = []
    depth, start, key = 0, 1, ""
    for match in SKELETON.finditer(text):
        mark = match[0]
        if mark in "[{":
            depth += 1
        elif depth == 1 and mark == ":":
            key, start = text[start : match.start()].strip(WHITE), match.end()
        elif depth == 1 and mark in ",]}":
            value = text[start : match.start()]
            left = start + len(value) - len(value.lstrip(WHITE))
            if value.strip(WHITE):
                found.append((key, left, left + len(value.strip(WHITE))))
            start = match.end()
        if mark in "]}":
            depth -= 1
    return found
