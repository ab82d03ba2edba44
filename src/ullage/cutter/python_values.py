"""Items of a Python literal: as values to compare, and with their long strings shortened."""

import re

from ullage.cutter import grapheme
from ullage.cutter.python_spans import children, kind
from ullage.cutter.shorten import Spelling, shorten_text

# A shorter string stays whole: its mark would hardly be smaller.
LEAST = 48

ESCAPE = re.compile(
    r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]{1,80}\}|[0-7]{1,3}|.)",
    re.DOTALL,
)
WRITTEN = re.compile(rf"{ESCAPE.pattern}|.", re.DOTALL)
LONGEST_ESCAPE = 12
HEXADECIMAL = ("x", "u", "U")
SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"'}
BRACKETS = ("[", "(", "{")
QUOTES = ("'", '"')
WORDS: dict[str, object] = {"True": True, "False": False, "None": None}
OPENING = re.compile(r"([A-Za-z]*)('''|\"\"\"|'|\")")
# How libraries print a number.
NUMBER_CALL = re.compile(
    r"(?:decimal\.)?(?:Decimal|np\.float\d+|np\.u?int\d+)\(['\"]?([-+0-9.eE]{1,40})['\"]?\)"
)


def decoded(text: str) -> object:
    """Return a value as scalars by key, one level deep; a nested container is its kind."""
    opening = 0
    if text[:1] not in BRACKETS:
        if text[-1:] != ")" or text[:1] in QUOTES or NUMBER_CALL.fullmatch(text):
            return scalar(text)
        opening = text.index("(")
    found: dict[str, object] = {}
    for at, one in enumerate(children(text, opening)):
        key = text[one.start : one.value].strip().rstrip(":=").strip()
        name = str(scalar(key)) if key else str(at)
        found[name] = scalar(text[one.value : one.end].strip())
    return found


def scalar(text: str) -> object:
    """Return one value; what is no scalar as its kind or as its text."""
    first = text[:1]
    if first in BRACKETS:
        return kind(text)
    if first in QUOTES or first in "bBrRuUfF":
        return unquoted(text)
    if text in WORDS:
        return WORDS[text]
    if first in "+-.0123456789":
        return as_number(text)
    number = NUMBER_CALL.fullmatch(text)
    return as_number(number[1]) if number else text


def unquoted(text: str) -> str:
    """Return what a string literal stands for; any other text as it is."""
    opening = OPENING.match(text)
    if opening is None or not text.endswith(opening[2]) or len(text) < 2 * len(opening[2]):
        return text
    inner = text[opening.end() : -len(opening[2])]
    if "\\" not in inner:
        return inner
    return ESCAPE.sub(lambda one: character(one[0]), inner)


def as_number(text: str) -> object:
    """Return a number, or the text where Python reads none."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def shorten_string(literal: str, room: int) -> str | None:
    """Shorten a string literal, its quotes included."""
    opening = OPENING.match(literal)
    if opening is None or len(literal) <= room:
        return literal
    inner = literal[opening.end() : -len(opening[2])]
    short = shorten_text(inner, room - len(opening[0]) - len(opening[2]), PYTHON)
    return None if short is None else opening[0] + short + opening[2]


def length(inner: str) -> int:
    """Return how many characters a literal stands for."""
    if "\\" not in inner:
        return len(inner)
    return len(inner) - sum(len(one) - 1 for one in ESCAPE.findall(inner))


def boundary(text: str, limit: int) -> int:
    """Return the last place at or before `limit` that splits no escape and no grapheme."""
    if "\\" not in text[: limit + LONGEST_ESCAPE]:
        return grapheme.boundary(text, limit)
    sizes: list[int] = []
    used = kept = 0
    characters: list[str] = []
    for match in WRITTEN.finditer(text):
        sizes.append(len(match[0]))
        characters.append(character(match[0]))
        used += len(match[0])
        kept += used <= limit
        if used > limit + LONGEST_ESCAPE * grapheme.LOOK_AHEAD:
            break
    return sum(sizes[: grapheme.boundary("".join(characters), kept)])


def character(written: str) -> str:
    """Return the one character that a written one stands for; of a name or octal number, `?`."""
    if len(written) == 1:
        return written
    if written[1] in HEXADECIMAL and len(written) > 3:
        code = int(written[2:], 16)
        return chr(code) if code <= 0x10FFFF else "?"
    return SIMPLE.get(written[1:], "?")


PYTHON = Spelling(count=length, boundary=boundary)
