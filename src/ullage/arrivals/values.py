"""Decoded values: how a text is decoded, and when two values are the same one."""

import json
import re
from itertools import chain
from typing import TypeAlias

import msgspec

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
"""A JSON value; the values of a Python literal are brought into this form (a tuple is a list)."""

MARK = "\ufeff"
"""A byte order mark: files of Windows begin with one, and no JSON decoder takes it."""

MAX_DEPTH = 150
"""Containers nested deeper than this are read in slices, on every machine alike."""

INT_DIGITS = 4000
"""Python refuses to convert much longer integers; those are compared by their text."""

ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0"}


def number(digits: str) -> int | float:
    """Return a number by value, so that 1.0 is 1 and only what has a fraction is a float."""
    value = float(digits)
    return int(value) if value.is_integer() else value


def integer(digits: str) -> Json:
    """Return an exact integer, or its text behind a word where Python cannot hold it."""
    return int(digits) if len(digits) <= INT_DIGITS else f"integer {digits}"


DECODER = json.JSONDecoder(parse_float=number)
LONG_DECODER = json.JSONDecoder(parse_float=number, parse_int=integer)
ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
QUICK_ENCODER = msgspec.json.Encoder(order="sorted")
CONTAINERS = (dict, list)
Identity: TypeAlias = str | bytes
"""What equal values have in common, and no others: `identity`."""


def decode(text: str) -> Json:
    """Decode a whole JSON text.

    Raises ValueError where it is none, and RecursionError where it is nested too deeply.
    """
    try:
        value: Json = DECODER.decode(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        value = LONG_DECODER.decode(text)
    if too_deep(value, text.count("[") + text.count("{")):
        raise RecursionError(f"nested deeper than {MAX_DEPTH} levels")
    return value


def too_deep(value: Json, openers: int) -> bool:
    """Whether `value` is nested deeper than we go; `openers` bounds the number of containers."""
    inside, left = [value], openers
    for depth in range(1, MAX_DEPTH + 1):
        level = containers(inside)
        left -= len(level)
        if not level or depth + left <= MAX_DEPTH:  # each deeper level takes one opener at least
            return False
        inside = list(chain.from_iterable(map(of, level)))
    return bool(containers(inside))


def containers(values: "list[Json]") -> "list[dict[str, Json] | list[Json]]":
    """Return those of some values that are containers."""
    return [one for one in values if isinstance(one, CONTAINERS)]


def of(container: "dict[str, Json] | list[Json]") -> list[Json]:
    """Return the values that a container holds."""
    return list(container.values()) if isinstance(container, dict) else container


def canonical(value: Json) -> str:
    """Write a value so that equal values give equal texts.

    Numbers count by value, the order of keys does not count, NaN equals NaN, true is not 1.
    """
    # The encoder takes a text at once, and a number by way of a generator.
    return repr(value) if type(value) is int else ENCODER.encode(value)


def identity(value: Json) -> Identity:
    """Return what only equal values have in common, by the rule of `canonical`; ten times as quick.

    It is no text to show or to look for.
    """
    try:
        written = QUICK_ENCODER.encode(value)
    except (ValueError, TypeError, OverflowError, RecursionError):  # such as half a surrogate pair
        return canonical(value)
    # NaN and the infinities are written as null there.
    return canonical(value) if b"null" in written else written


def is_scalar(value: Json) -> bool:
    """Whether a value is no container."""
    return not isinstance(value, CONTAINERS)


def has_leaf(value: Json) -> bool:
    """Whether a value holds anything: an empty container, an empty text and null hold nothing."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, CONTAINERS):
            waiting += of(one)
        elif one is not None and one != "":
            return True
    return False


def unescape(body: str) -> str:
    """Undo backslash escapes as Python and JSON write them; an unknown one stays as it is."""
    return ESCAPE.sub(unescape_one, body)


def unescape_one(match: re.Match[str]) -> str:
    """Return what one escape stands for."""
    code = match[1]
    if len(code) > 1:
        point = int(code[1:], 16)
        return chr(point) if point <= 0x10FFFF else match[0]
    if code in "\\\"'/":
        return code
    return PLAIN_ESCAPES.get(code, match[0])
