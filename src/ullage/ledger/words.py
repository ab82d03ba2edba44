"""Words of a text: whole stretches of letters, digits, `_` and `-`."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

WORD = re.compile(rb"[A-Za-z0-9_-]+")
_WORD_BYTES = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_SHAPE = bytes(ord("a") if byte in _WORD_BYTES else ord(" ") for byte in range(256))
# What such an escape ends with is no letter of the word behind it.
_ESCAPE = re.compile(rb"\\(?:[nrtbf]|u[0-9A-Fa-f]{4})|%[0-9A-Fa-f]{2}|\x1b\[[0-9;]{0,8}m")

_LONGEST_ESCAPE = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """Where a word stands."""

    start: int
    end: int


def blanked(text: bytes) -> bytes:
    """Return the text with blanks for its escapes; every other byte stays where it is."""
    if b"\\" in text or b"%" in text or b"\x1b" in text:
        return _ESCAPE.sub(lambda found: b" " * len(found[0]), text)
    return text


def words(text: bytes, lengths: Collection[int]) -> Iterator[Word]:
    """Give the words of certain lengths; a text of shorter ones is passed over quickly."""
    shape = blanked(text).translate(_SHAPE)
    shortest = b"a" * min(lengths)
    start = shape.find(shortest)
    while start >= 0:
        end = shape.find(b" ", start)
        end = len(shape) if end < 0 else end
        if end - start in lengths:
            yield Word(start=start, end=end)
        start = shape.find(shortest, end)


def is_word(text: bytes, start: int, end: int) -> bool:
    """Tell whether a stretch is a word of a text, as `words` gives them; it holds no escape."""
    around = blanked(text[max(0, start - _LONGEST_ESCAPE) : end + _LONGEST_ESCAPE])
    shape = around.translate(_SHAPE)
    first = min(start, _LONGEST_ESCAPE)
    last = first + end - start
    inside = shape[first:last].count(b"a") == end - start
    return (
        inside and b"a" not in (shape[first - 1 : first] if first else b"") + shape[last : last + 1]
    )
