"""The texts in a result: itself, or the strings of the JSON that it is; and whether one is there.

A command's output often comes as `{"stdout": "…", "stderr": "…"}`: a stack stands there with its
line breaks escaped, and is read from the string.
"""

import json
from collections.abc import Iterator

from ullage.arrivals.values import Json, decode

SHORTEST = 2
DEEPEST = 40
"""No command's output is nested deeper."""


def strings_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield the texts of a result, each with the name of its member, empty without one."""
    value = decoded(text)
    if isinstance(value, (dict, list)):
        yield from leaves(value, "", 0)
    else:
        yield "", value if isinstance(value, str) else text


def decoded(text: str) -> Json:
    """Return the value that a text is in JSON; None where it is none."""
    bare = text.strip()
    if len(bare) < SHORTEST or bare[0] + bare[-1] not in ("{}", "[]", '""'):
        return None
    try:
        return decode(bare)
    except (ValueError, RecursionError):
        return None


def leaves(value: Json, name: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the strings in a value that can hold more than a word, with their names."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, (int, float)):
        yield name, f"{value}"
    elif depth < DEEPEST:
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from leaves(inner, key, depth + 1)
        else:
            for inner in value:
                yield from leaves(inner, name, depth + 1)


def stands_word_for_word(part: str, text: str) -> bool:
    """Whether a part stands in a text as it is, or escaped as in JSON."""
    if part in text:
        return True
    if "\\" not in text:
        return False
    return any(escaped(part, ascii_only=one) in text for one in (False, True))


def escaped(text: str, *, ascii_only: bool) -> str:
    """Return a text as it stands in a JSON string, without the quotes."""
    return json.dumps(text, ensure_ascii=ascii_only).removeprefix('"').removesuffix('"')
