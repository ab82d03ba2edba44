"""Texts without what a harness takes away or adds for show: a terminal's colours, line numbers."""

import itertools
import re

ESCAPE = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][AB012])")
NUMBERED = re.compile(r"[ \t]*(?P<number>\d{1,7})(?:\t|→|[ ]?[|│:][ ]?|[ ]{1,2})(?P<line>.*)")
LEAST_LINES = 2
MOST = 0.9
"""So much of the lines must be numbered one after the other: an empty one may have no number."""


def undressed(produced: str, delivered: str) -> tuple[str, str]:
    """Return both texts without colours, and the delivered one without numbers that it was given.

    A viewer numbers the lines of a file: `cat -n`. Where the produced text has the same numbers,
    they are its own.
    """
    made, got = without_colours(produced), without_colours(delivered)
    bare = without_numbers(got)
    if bare is not None and without_numbers(made) is None:
        got = bare
    return made, got


def without_colours(text: str) -> str:
    """Return a text without the escapes of a terminal."""
    return ESCAPE.sub("", text) if "\x1b" in text else text


def without_numbers(text: str) -> str | None:
    """Return a text without the numbers of its lines; None where they are not numbered."""
    if NUMBERED.match(text.lstrip("\n")) is None:
        return None
    lines = text.split("\n")
    found = [NUMBERED.fullmatch(line) for line in lines]
    numbers = [int(one["number"]) for one in found if one is not None]
    follow = sum(after == before + 1 for before, after in itertools.pairwise(numbers))
    if len(numbers) < LEAST_LINES or follow + 1 < MOST * sum(bool(one.strip()) for one in lines):
        return None
    return "\n".join(
        line if one is None else one["line"] for line, one in zip(lines, found, strict=True)
    )
