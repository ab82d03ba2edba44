"""Whether a result tells of a failure, and which of its lines do."""

import re
from collections.abc import Sequence

from ullage.arrivals.error_said import error_said
from ullage.arrivals.says_error import says_error
from ullage.cutter.excerpt import ends
from ullage.cutter.signals import ERROR, WORD, hints_of, signal
from ullage.history.rules.results import Result

EXIT = re.compile(
    r"\b(?:exit(?:ed)?(?:[ _-]*(?:with|code|status))*|return[ _]?code)[\"']?\W{1,4}(?P<code>-?\d+)",
    re.IGNORECASE,
)
AT_AN_END = 600
"""An exit code stands so near to an end of a result; further in it is part of what is told."""
LONGEST_JSON = 20_000
"""A result that is nothing but an error is shorter."""


def failed(result: Result) -> bool:
    """Whether a result is marked as an error, has an exit code that is not 0, or says it failed."""
    if result.failed or says_error(result.text):
        return True
    near = ends(result.text, AT_AN_END, AT_AN_END)
    codes = [int(one["code"]) for text in (near.head, near.tail) for one in EXIT.finditer(text)]
    if any(codes):
        return True
    is_object = len(result.text) <= LONGEST_JSON and result.text.lstrip().startswith("{")
    return is_object and error_said(result.text) is not None


def alarms(lines: Sequence[str]) -> list[float]:
    """Return how loudly each line says that something is wrong; 0 where it does not."""
    hints = hints_of("\n".join(lines))
    # Many lines of a log are the same one.
    found = {line: signal(line, near_end=False, hints=hints) for line in set(lines)}
    return [found[line] if found[line] >= WORD else 0.0 for line in lines]


def is_loud(alarmed: Sequence[float]) -> bool:
    """Whether a line of a text says by its level, or as an exception does, that it is an error."""
    return any(one >= ERROR for one in alarmed)
