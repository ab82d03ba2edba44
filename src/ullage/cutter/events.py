"""Splitting a log into whole events: a line that starts one, and the lines that belong to it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ullage.cutter.fold import MARK
from ullage.cutter.signals import WORD, signal

LEVELS = (
    r"TRACE|DEBUG|INFO|INFORMATION|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE|PANIC|FINE"
)
TIME = (
    r"\d{4}[-/.]\d\d[-/.]\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[ ]?[+-]\d\d:?\d\d|[ ]UTC)?"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d (?:\d{4} )?\d\d:\d\d:\d\d"
    r"|\d{1,2}/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d(?: [+-]\d{4})?"
    r"|\d\d-\d\d \d\d:\d\d:\d\d[.,]\d+|\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?"
)
LOG_LINE = re.compile(
    rf"[ ]*(?:[\[(<]?(?:{TIME})(?:[\])>|]|:(?=\s)|(?=[ \t]|\r?$))"
    rf"|\[?(?:{LEVELS})(?:\[\d+\])?(?:\]|:(?=\s)|(?=\s+[\[(]|\s+[\w.]+[:\[ ]))"
    r"|\[?(?:trace|debug|info|notice|warn|warning|error|fatal|critical)(?:\[\w+\])?(?:\]|:(?=\s))"
    r"|[IWEF]\d{4} \d\d:\d\d:\d\d|\[ *\d+\.\d{3,}\] |<\d{1,3}>\S"
    r"|(?:time|ts|level|lvl|severity)=\S"
    r"|(?:\d{1,3}\.){3}\d{1,3} \S+ \S+ \[\d\d/"
    r"|\[[\w.:-]*[A-Za-z][\w.:-]*\] )"
)
# A line of a build or a search: `path:line:`, make, cargo, docker, ninja, npm, pip.
BUILD_LINE = re.compile(
    r"[\w./@+~-]{1,300}\.\w{1,12}:\d+(?::\d+)?[:\s]|[\w./@+~-]{1,300}\(\d+(?:,\d+)?\): "
    r"|make(?:\[\d+\])?: |npm (?:ERR!|warn|WARN|error)|#\d+ (?:\[|\d+\.\d|DONE|CACHED|ERROR)"
    r"|\[\d+/\d+\] \S|\[ *\d+%\] \S|Step \d+/\d+ :|> Task :|FAILED: |ninja: "
    r"|(?:Collecting|Downloading|Requirement already satisfied:|Get:\d+|Unpacking|Setting up) \S"
    r"|[\w./-]+: In (?:member )?function |In file included from "
)
VERB = re.compile(r"( *)([A-Z][a-z]+) \S")  # cargo aligns its verbs to the right
VERB_COLUMN = 12
EXIT = re.compile(r"(?:exit (?:status|code):? \d+|Process exited with code \d+)\r?$")

FRAME = re.compile(r"\s+at \S|\s+File \"|\s+\.\.\. \d+ (?:more|common frames)")
CONTINUES = re.compile(
    rf"{FRAME.pattern}|\s*(?:Caused by: |Suppressed: |Wrapped by: )|[\]}})>]+[;,]?\r?$"
    rf"|(?:{MARK.pattern})\Z"
)
TRACEBACK = re.compile(r"\s*(?:\+ Exception Group )?Traceback \(most recent call last\):")
CHAINED = re.compile(r"During handling of the above exception|The above exception was the direct")
RAISED = re.compile(r"[A-Za-z_][\w.]*(?::|\r?$)")
GO_PANIC = re.compile(r"(?:panic|fatal error): |goroutine \d+ \[")
GO_ROUTINE = re.compile(r"goroutine \d+ \[[^\]]*\]:|\[signal ")
RUST_PANIC = re.compile(r"thread '.*' (?:\(\d+\) )?panicked at ")
RUST_MORE = re.compile(r"note: |stack backtrace:|  +\d+: |assertion |  (?:left|right): ")
DIAGNOSTIC = re.compile(
    r"(?:error|warning)(?:\[\w+\])?: |[\w./@+~-]{1,300}:\d+(?::\d+)?: (?:fatal )?(?:error|warning):"
)
ENTERED = re.compile(
    "|".join(one.pattern for one in (TRACEBACK, GO_PANIC, RUST_PANIC, DIAGNOSTIC, FRAME))
)
EXCERPT = re.compile(r" *\d* *\||\s*-->|\s*= (?:note|help)|(?:help|note): |\s*\^+|\.\.\.\r?$")
IN_FUNCTION = re.compile(r"[\w./@+~-]{1,300}: In |In file included from |[ ]+from ")
NOTE = re.compile(r"[\w./@+~-]{1,300}:\d+(?::\d+)?: note:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Whole lines that belong together; `known` where only logs have such."""

    lines: tuple[str, ...]
    known: bool

    @property
    def text(self) -> str:
        """The lines as they stand in the source."""
        return "\n".join(self.lines)


def split(lines: Sequence[str]) -> list[Event]:
    """Return the events of a log, every line in one of them."""
    found: list[Event] = []
    start = 0
    while start < len(lines):
        if stands_alone(lines, start):
            line = lines[start]
            found.append(Event(lines=(line,), known=starts_event(line)))
            start += 1
            continue
        reader = Reader(lines=lines, first=start)
        end = reader.end()
        found.append(
            Event(
                lines=tuple(lines[start:end]),
                known=reader.trace or starts_event(lines[start]),
            )
        )
        start = end
    return found


def stands_alone(lines: Sequence[str], at: int) -> bool:
    """Whether a line is plainly an event of its own: told from first characters, as most are."""
    line = lines[at]
    following = lines[at + 1] if at + 1 < len(lines) else ""
    after = lines[at + 2] if at + 2 < len(lines) else ""
    return (
        bool(line and following)
        and not may_enter(line)
        and line[0] != "I"
        and ": In " not in line
        and not may_continue(following)
        and following[0] not in "+T"
        and not after[:1].isspace()
    )


def may_enter(line: str) -> bool:
    """Whether a trace or a diagnostic can begin with a line."""
    first = line[:1]
    return first in "+Tpfgtew" or first.isspace() or "error:" in line or "warning:" in line


def may_continue(line: str) -> bool:
    """Whether a line can belong to the one before for what it begins with."""
    return line[0] in "CSW]})>…" or line[0].isspace()


def starts_event(line: str) -> bool:
    """Whether a line looks like the first of an event of a log."""
    if LOG_LINE.match(line) or BUILD_LINE.match(line) or EXIT.match(line):
        return True
    verb = VERB.match(line)
    return bool(verb and verb[1] and len(verb[1]) + len(verb[2]) == VERB_COLUMN)


@dataclass(slots=True, kw_only=True)
class Reader:
    """Reads one event from its first line on; `inside` names what it is within."""

    lines: Sequence[str]
    first: int
    inside: str = ""
    trace: bool = False

    def end(self) -> int:
        """Return the line after the last one of the event."""
        self.enter(self.lines[self.first])
        at = self.first + 1
        while at < len(self.lines) and self.goes_on(at):
            self.enter(self.lines[at])
            at += 1
        return at

    def enter(self, line: str) -> None:
        """Note what the event is within after `line`."""
        if not (self.inside or (may_enter(line) and ENTERED.match(line))):
            return
        if TRACEBACK.match(line):
            self.inside = "python"
        elif GO_PANIC.match(line):
            self.inside = "go"
        elif RUST_PANIC.match(line):
            self.inside = "rust message" if line.rstrip().endswith(":") else "rust"
        elif DIAGNOSTIC.match(line):
            self.inside = "diagnostic"
        elif self.inside == "rust message":
            self.inside = "rust"
        elif self.inside == "python" and line[:1].strip() and RAISED.match(line):
            self.inside = "raised"
        self.trace = self.trace or self.inside != "" or FRAME.match(line) is not None

    def goes_on(self, at: int) -> bool:
        """Whether the line at `at` belongs to the event."""
        line = self.lines[at]
        if not line.strip():
            return True
        if may_continue(line) and CONTINUES.match(line):
            return True
        if self.inside and self.goes_on_inside(at):
            return True
        if self.explains(at) or self.heads_trace(at):
            return True
        if not line[0].isspace():
            return False
        return indent(line) > indent(self.lines[self.first]) and not starts_event(line)

    def goes_on_inside(self, at: int) -> bool:
        """Whether a line continues the trace or diagnostic that the event is within."""
        line = self.lines[at]
        if self.inside == "python":
            return line[0].isspace() or RAISED.match(line) is not None
        if self.inside == "raised":
            return bool(CHAINED.match(line) or (TRACEBACK.match(line) and self.chained(at)))
        if self.inside == "go":
            fresh = not self.lines[at - 1].strip() or starts_event(line)
            return not fresh or GO_ROUTINE.match(line) is not None
        if self.inside == "rust message":
            return not starts_event(line)
        if self.inside == "rust":
            return RUST_MORE.match(line) is not None
        return EXCERPT.match(line) is not None or NOTE.match(line) is not None

    def explains(self, at: int) -> bool:
        """Whether a line is the diagnostic that the line before says the place of."""
        line = self.lines[at]
        if not (DIAGNOSTIC.match(line) or IN_FUNCTION.match(line)):
            return False
        return IN_FUNCTION.match(self.lines[at - 1]) is not None

    def chained(self, at: int) -> bool:
        """Whether a traceback follows the sentence that chains it to the one before."""
        return any(CHAINED.match(line) for line in self.lines[max(at - 3, self.first) : at])

    def heads_trace(self, at: int) -> bool:
        """Whether a line is the first of a trace that an error just announced."""
        line = self.lines[at]
        following = self.lines[at + 1] if at + 1 < len(self.lines) else ""
        if at != self.first + 1 or not (TRACEBACK.match(line) or FRAME.match(following)):
            return False
        if starts_event(line):
            return False
        return signal(self.lines[self.first], near_end=False) >= WORD


def indent(line: str) -> int:
    """Return the columns of white space before a line's first character."""
    return len(line) - len(line.lstrip())
