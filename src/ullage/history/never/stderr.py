"""The last lines that a command wrote to standard error, or of all it wrote where it failed."""

import re
from collections.abc import Iterator

from ullage.cutter.excerpt import excerpt
from ullage.history.never.codes import ended_badly
from ullage.history.never.strings import strings_in

TAIL = 5
"""So many lines that are not empty."""
LONGEST_LINE = 500
"""A longer line is some data; its beginning stays, and its length is said."""
_TAG = re.compile(r"<(?P<name>stderr|bash-stderr)>", re.IGNORECASE)
_HEADED = re.compile(
    r"^[^\w\n]{0,20}(?:std ?err(?:or)?|standard error)[^\w\n]{0,20}$\n(?P<text>.*?)"
    r"(?=^[^\w\n]{0,20}(?:std ?out|standard output|exit[_ ]?code)\b|\Z)"
    r"|^std ?err:[ \t]+(?P<line>\S[^\n]*)",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_NAME = re.compile(r"std_?err(?:or)?|error_output", re.IGNORECASE)


def tail_in(text: str, *, failed: bool) -> tuple[str, ...]:
    """Return the last lines of standard error; of a failed command without one, of its output."""
    parts = list(strings_in(text))
    named = [part for name, part in parts if _NAME.fullmatch(name)]
    if not named:
        named = [part for _, whole in parts for part in marked_in(whole)]
    if not named and (failed or ended_badly(text)):
        named = [max((part for _, part in parts), key=len, default="")]
    return tuple(line for part in named for line in last_lines(part))


def marked_in(text: str) -> list[str]:
    """Return what stands in a text below a mark of standard error."""
    if "err" not in text and "ERR" not in text and "Err" not in text:
        return []
    return list(tagged_in(text)) or [
        match["text"] or match["line"] or "" for match in _HEADED.finditer(text)
    ]


def tagged_in(text: str) -> Iterator[str]:
    """Yield what stands between tags of standard error."""
    end = 0
    for match in _TAG.finditer(text):
        close = text.find(f"</{match['name']}>", match.end())
        if close < 0:
            return
        if match.start() >= end:
            yield text[match.end() : close]
            end = close


def last_lines(text: str) -> list[str]:
    """Return the last lines that hold something, as a terminal shows them."""
    shown = (line.rstrip() for line in text.rstrip().split("\n"))
    # A terminal shows what stands behind the last carriage return of a line.
    lines = [line.rpartition("\r")[2] for line in shown if line]
    return [excerpt(line, LONGEST_LINE) for line in lines[-TAIL:]]
