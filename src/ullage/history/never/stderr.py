"""The last lines that a command wrote to standard error, or of all it wrote where it failed."""

import re

from ullage.cutter.excerpt import excerpt
from ullage.history.never.codes import ended_badly
from ullage.history.never.strings import strings_in

TAIL = 5
"""So many lines that are not empty."""
LONGEST_LINE = 500
"""A longer line is some data; its beginning stays, and its length is said."""
_TAGGED = re.compile(r"<(stderr|bash-stderr)>(?P<text>.*?)</\1>", re.DOTALL | re.IGNORECASE)
_HEADED = re.compile(
    r"^\W*(?:std ?err(?:or)?|standard error)\W*$\n(?P<text>.*?)"
    r"(?=^\W*(?:std ?out|standard output|exit[_ ]?code)\b|\Z)"
    r"|^std ?err:[ \t]+(?P<line>\S[^\n]*)",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_NAME = re.compile(r"std_?err(?:or)?|error_output", re.IGNORECASE)
_REDRAWN = re.compile(r"[^\n]*\r(?!\n|$)", re.MULTILINE)


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
    tagged = [match["text"] for match in _TAGGED.finditer(text)]
    return tagged or [match["text"] or match["line"] or "" for match in _HEADED.finditer(text)]


def last_lines(text: str) -> list[str]:
    """Return the last lines that hold something, as a terminal shows them."""
    shown = _REDRAWN.sub("", text).rstrip().split("\n")
    lines = [line.rstrip() for line in shown if line.strip()]
    return [excerpt(line, LONGEST_LINE) for line in lines[-TAIL:]]
