"""Failure stacks: a failure may occur once and be the key, so none is ever left out.

Python tracebacks with what they are chained to, Java and .NET with their causes, Go panics with
goroutines, Rust panics, Node, failures in the reports of test runners, errors of compilers. The
borders are those of the cutter's events.
"""

import re
from collections.abc import Iterator, Sequence

from ullage.cutter import events, test_report
from ullage.history.never.strings import strings_in

# Cheap to look for: a text without any of them has no failure in it.
_HINT = re.compile(
    r"Traceback \(|panic|goroutine \d|[eE]rror|Exception|Throwable|\n[ \t]+at \S|FAIL|not ok \d|● "
    r"|_{4} |  File \""
)
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_BEFORE = re.compile(r"^[^\n]*\S[ \t]*(?=Traceback \(most recent call last\):)", re.MULTILINE)
_AT = re.compile(r"\s+at \S.*(?:\(|:\d+)|\s+at \S+$")
_PLACE = re.compile(r"\s*File \".+\", line \d+")
_RAISED = re.compile(r"\w[\w.]*(?:Error|Exception|Warning|Interrupt|Exit|Iteration)\b")
_ERROR = re.compile(
    r"(?:\S+: )?(?:fatal )?error(?:\[\w+\])?: |(?:\S+: )?error(?:\[\w+\])?:? [A-Z]+\d+: "
    r"|[^\s:]{1,300}(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)) ?: (?:fatal )?error\b"
)


def stacks_in(text: str) -> tuple[str, ...]:
    """Return the failure stacks of a result, word for word and in order, repeats too."""
    if not _HINT.search(text):
        return ()
    return tuple(one for _, part in strings_in(text) for one in in_plain(part))


def in_plain(text: str) -> Iterator[str]:
    """Yield the failure stacks of a text that is no JSON."""
    if not _HINT.search(text):
        return
    lines = text.split("\n")
    bare = bared(text).split("\n")
    at = 0
    for part, failed in regions(bare):
        size = len(part)
        spans = [(0, size)] if failed else list(spans_of(part))
        for start, end in spans:
            stack = "\n".join(lines[at + start : at + end]).rstrip()
            if stack.strip():
                yield stack
        at += size


def bared(text: str) -> str:
    """Return a text of the same lines, without what hides where a stack begins.

    That are colours, and words before a traceback (`Output: Traceback (…`).
    """
    plain = _COLOUR.sub("", text) if "\x1b[" in text else text
    return _BEFORE.sub("", plain) if "Traceback (" in plain else plain


def regions(lines: Sequence[str]) -> Iterator[tuple[Sequence[str], bool]]:
    """Split a text into the failures of a test report and what stands between them."""
    runner = test_report.runner_of(lines)
    if runner is None:
        yield lines, False
        return
    between: list[str] = []
    for event in test_report.split(lines, runner):
        if not runner.begins.match(event.lines[0]):
            between += event.lines
            continue
        if between:
            yield between, False
            between = []
        yield event.lines, True
    if between:
        yield between, False


def spans_of(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the first line and the one after the last of each failure."""
    at = 0
    found = events.split(lines)
    skip = False
    for number, event in enumerate(found):
        end = at + len(event.lines)
        following = found[number + 1] if number + 1 < len(found) else None
        if skip:
            skip = False
        elif is_failure(event.lines):
            yield at + announced(event.lines), end
        elif (
            following is not None and (place := place_in(event.lines, following.lines)) is not None
        ):
            # A syntax error has its place in front, and no headline above that.
            yield at + place, end + len(following.lines)
            skip = True
        at = end


def is_failure(lines: Sequence[str]) -> bool:
    """Whether an event is a failure, not a warning or a line of a log."""
    if any(_AT.match(line) for line in lines) and len(lines) > 1:
        return True
    return any(
        events.TRACEBACK.match(line)
        or events.GO_PANIC.match(line)
        or events.RUST_PANIC.match(line)
        or _ERROR.match(line)
        for line in lines
    )


def announced(lines: Sequence[str]) -> int:
    """Return how many lines of a log stand before the stack: their times make no two alike."""
    is_log = len(lines) > 1 and events.LOG_LINE.match(lines[0]) and not _ERROR.match(lines[0])
    return int(bool(is_log and "Traceback (" not in lines[0] and not _AT.match(lines[1])))


def place_in(lines: Sequence[str], following: Sequence[str]) -> int | None:
    """Return which line says the place in a file of what was raised below; None without both."""
    if not _RAISED.match(following[0]):
        return None
    return next((at for at, line in enumerate(lines) if _PLACE.match(line)), None)
