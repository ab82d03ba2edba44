"""Faults of a JSON text that a reader on the way to the model may hide or stumble over."""

import json
import re
from collections.abc import Iterator

from ullage.cutter import spans
from ullage.cutter.values import Noticed

LONE_ESCAPE = re.compile(
    r"(?<!\\)(?:\\\\)*(?:\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2})"
)
SURROGATE = re.compile("[\ud800-\udfff]")


def faults(source: str, delivered: str, *, plain: bool = False) -> Iterator[Noticed]:
    """Yield duplicate keys in what is delivered, and lone surrogates in what was produced.

    Both are kept byte for byte; they are said, because most readers keep the last of two equal
    keys and drop the others, and some providers refuse half a surrogate pair. A source that is
    known as `plain` has none of these.
    """
    for key in duplicate_keys(delivered):
        yield Noticed(check="duplicate-key", severity="warning", evidence={"key": key})
    if not plain:
        yield from lone_surrogates(source)


def lone_surrogates(source: str) -> Iterator[Noticed]:
    """Yield how many halves of a surrogate pair stand in a text, if there are any."""
    lone = 0 if source.isascii() else len(SURROGATE.findall(source))
    if "\\ud" in source or "\\uD" in source:
        lone += len(LONE_ESCAPE.findall(source))
    if lone:
        yield Noticed(check="lone-surrogate", severity="warning", evidence={"count": lone})


def as_many_keys_as_kept(text: str, again: spans.Decoded) -> bool:
    """Whether a reader that keeps one of equal keys keeps all: told without looking at each.

    False also where that cannot be told: with white space before a colon, or an escaped quote.
    """
    if again.written == text.encode():
        return True
    if "\\u00" in text or any(f"{space}:" in text for space in spans.WHITE):
        return False
    return again.written.count(b'":') == text.count('":')


def duplicate_keys(text: str) -> list[str]:
    """Return each key that stands twice in one object of a JSON text, in order of appearance."""
    again = spans.decoded(text)
    if again is not None and as_many_keys_as_kept(text, again):
        return []
    found: dict[str, None] = {}

    def look(pairs: list[tuple[str, object]]) -> None:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                found[key] = None
            seen.add(key)

    try:
        json.loads(text, object_pairs_hook=look)
    except (ValueError, RecursionError):
        return []  # nested deeper than Python reads: its keys are kept, and not looked at
    return list(found)
