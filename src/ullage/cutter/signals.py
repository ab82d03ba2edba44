"""What a line of a log says about itself: an error, a warning, an exit status, a summary."""

import re
from collections.abc import Sequence

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


def signal(text: str, *, near_end: bool) -> float:
    """Return how loudly the text of an event says that something is wrong, or how it ended."""
    lowered = text[:LOOKED_AT].lower()
    if not (COLUMN.match(text) or any(word in lowered for word in TELLING)):
        return SUMMARY if near_end and CLOSING.search(lowered) else 0.0
    looked_at = NEGATED.sub("", text[:LOOKED_AT])
    if LEVEL.search(looked_at):
        return ERROR
    if WORDS.search(looked_at):
        return WORD
    if near_end and CLOSING.search(text[:LOOKED_AT]):
        return SUMMARY
    return WARNING if WARNINGS.search(looked_at) else 0.0


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
