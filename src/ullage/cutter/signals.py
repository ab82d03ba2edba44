"""What a line of a log says about itself: an error, a warning, an exit status, a summary."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# A line that matches is worth more than any rare line (log2 of the lines of a log is below 30).
ERROR = 60.0
WORD = 45.0
SUMMARY = 40.0
WARNING = 4.0
NEIGHBOUR = 6.0
# From this share of all events on, a signal says nothing.
MEANINGLESS = 1 / 3
FEWEST = 9
# How much of a line is looked at: a word far out in a long line is part of some data.
LOOKED_AT = 600

NEGATED = re.compile(
    r"\b(?:no|0|zero|without)\s+(?:\w+\s+)?(?:errors?|fail(?:ed|ures?)|exceptions?|warnings?)\b"
    r"|\b(?:errors?|fail(?:ed|ures?)|exceptions?|warnings?)['\"]?\s*[:=]\s*['\"]?"
    r"(?:0|none|null|nil|false|-)(?![\w.])",
    re.IGNORECASE,
)
LEVEL = re.compile(
    r"(?<![\w/.-])(?:ERROR|FATAL|CRITICAL|CRIT|SEVERE|EMERG|ALERT|PANIC|FAILED|FAILURE)(?![\w/-])"
    r"|(?:level|severity|lvl)\W{1,4}(?:error|fatal|critical|panic|err)\b"
    r"|^[EF]\d{4} \d\d:\d\d"
    r"|^\d\d-\d\d \d\d:\d\d:\d\d\S* +\d+ +\d+ [EF] "
    r"|^\[?(?:error|fatal|critical)(?:\[\w+\])?[\]:]"
    r"|:\d+(?::\d+)?:? (?:fatal )?error\b|\): error |: error [A-Z]+\d+:"
    r"|^npm ERR!|^make(?:\[\d+\])?: \*\*\*|Traceback \(most recent call last\)|^panic: |panicked at"
    r"|exit(?:ed)?(?: with)?(?: status| code)?\W{1,3}[1-9]\d*|non-zero (?:exit|status)"
    r"|segmentation fault|core dumped|(?:^|[\s.(])\w*(?:Error|Exception)(?::|$)"
)
WORDS = re.compile(
    r"(?<![\w/.-])(?:errors?|fail(?:ed|ures?|ing)?|fatal|panic(?:ked)?|exceptions?|critical"
    r"|abort(?:ed|ing)?|killed|denied|refused|timed out|timeout|unreachable|cannot|unhandled"
    r"|uncaught|corrupt(?:ed)?|out of memory|undefined reference|rejected|crash(?:ed)?)"
    r"(?![\w/-]|\.\w)",
    re.IGNORECASE,
)
WARNINGS = re.compile(r"(?<![\w/.-])(?:warn(?:ings?)?|deprecated)(?![\w/-])", re.IGNORECASE)
CLOSING = re.compile(
    r"exit(?:ed)?(?: with)?(?: status| code)\W{1,3}\d+|^\W*(?:summary|totals?|result)\b"
    r"|\bbuild (?:succe|fail)"
    r"|\b\d+ (?:errors?|warnings?|passed|failed|failures?|skipped|succeeded)\b"
    r"|\b(?:finished|done|completed?|took|elapsed)\b.{0,40}\d",
    re.IGNORECASE,
)


# Cheap to look for: a line that holds none of them says nothing, but in its first column.
TELLING = (
    "err",
    "fail",
    "fatal",
    "panic",
    "exception",
    "crit",
    "severe",
    "emerg",
    "alert",
    "exit",
    "non-zero",
    "fault",
    "dump",
    "make",
    "kill",
    "abort",
    "denied",
    "refused",
    "time",
    "unreachable",
    "cannot",
    "unhandled",
    "uncaught",
    "corrupt",
    "memory",
    "undefined",
    "reject",
    "crash",
    "warn",
    "deprecated",
)
COLUMN = re.compile(r"[EF]\d{4} |\d\d-\d\d \d\d:")
# What a text holds in which each of the patterns can match, in lower case. Words that no text here
# holds cost a search each; the patterns cost a hundred.
IN_NEGATED = ("err", "fail", "exception", "warn")
IN_LEVEL = (
    *("err", "fatal", "crit", "severe", "emerg", "alert", "panic", "fail", "make", "traceback"),
    *("exit", "non-zero", "fault", "dump", "exception"),
)
IN_WORDS = (
    *("error", "fail", "fatal", "panic", "exception", "critical", "abort", "killed", "denied"),
    *("refused", "timed out", "timeout", "unreachable", "cannot", "unhandled", "uncaught"),
    *("corrupt", "out of memory", "undefined reference", "rejected", "crash"),
)
IN_WARNINGS = ("warn", "deprecated")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """The words that the events of one log can hold, of those that tell which pattern can match."""

    telling: Sequence[str] = TELLING
    negated: Sequence[str] = IN_NEGATED
    level: Sequence[str] = IN_LEVEL
    words: Sequence[str] = IN_WORDS
    warnings: Sequence[str] = IN_WARNINGS


ALL_HINTS = Hints()


def hints_of(text: str) -> Hints:
    """Return the hints that a whole text holds: few, in nearly every log."""
    lowered = text.lower()
    telling = [word for word in TELLING if word in lowered]
    absent = set(TELLING) - set(telling)

    def held(words: Sequence[str]) -> list[str]:
        return [word for word in words if not holds(word, absent) and word in lowered]

    return Hints(
        telling=telling,
        negated=held(IN_NEGATED),
        level=held(IN_LEVEL),
        words=held(IN_WORDS),
        warnings=held(IN_WARNINGS),
    )


def signal(text: str, *, near_end: bool, hints: Hints = ALL_HINTS) -> float:
    """Return how loudly the text of an event says that something is wrong, or how it ended.

    `hints` are those of the log that the event is of.
    """
    start = text[:LOOKED_AT]
    lowered = start.lower()
    in_column = COLUMN.match(text) is not None
    if not in_column and not holds(lowered, hints.telling):
        return SUMMARY if near_end and CLOSING.search(lowered) else 0.0
    # Letters of other scripts may count as some of ours to a pattern: there no hint is trusted.
    sure = start.isascii()
    looked_at = NEGATED.sub("", start) if not sure or holds(lowered, hints.negated) else start
    sure = sure and looked_at == start
    if (not sure or in_column or holds(lowered, hints.level)) and LEVEL.search(looked_at):
        return ERROR
    if (not sure or holds(lowered, hints.words)) and WORDS.search(looked_at):
        return WORD
    if near_end and CLOSING.search(start):
        return SUMMARY
    warns = (not sure or holds(lowered, hints.warnings)) and WARNINGS.search(looked_at)
    return WARNING if warns else 0.0


def holds(text: str, words: Iterable[str]) -> bool:
    """Whether one of the words stands in a text."""
    for word in words:  # faster than any()  # noqa: SIM110
        if word in text:
            return True
    return False


def audible(found: Sequence[float]) -> list[float]:
    """Return the signals without those that so many events give that they say nothing."""
    many = max(FEWEST, len(found) + 1) * MEANINGLESS
    loud = sum(one == ERROR for one in found)
    words = sum(one in (ERROR, WORD) for one in found)
    mute = set()
    if loud >= many:
        mute.add(ERROR)
    if words >= many:
        mute.add(WORD)
    return [0.0 if one in mute else one for one in found]
