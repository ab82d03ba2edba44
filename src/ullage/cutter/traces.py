"""Which lines of a stack trace or a diagnostic say most."""

import re
from collections.abc import Iterator, Sequence

FRAME = re.compile(
    r"\s*(?:at |File \"|\.\.\. \d+ |\d+: )|[\w./*()]+\(.*\)\r?$|created by |\s+\S+\.go:\d+"
)
HEADLINE = re.compile(
    r"\s*(?:Caused by: |Suppressed: |Exception in thread |Traceback |[+| ]*Traceback "
    r"|E  +|> |panic: |thread '|goroutine \d+ \[|assertion |left: |right: |Expected|Received"
    r"|.*\b(?:[Ee]rror|\w*(?:Error|Exception|Throwable))\b(?:\[\w+\])?(?::|\r?$))"
)
# The lines before a headline count for less than those after it, but for traces that end in theirs.
BEFORE = 4
BEFORE_LAST = 1


def order(lines: Sequence[str]) -> "Order":
    """Return the places of the lines of an event, those that say most first."""
    return Order(lines)


class Order:
    """The order is worked out only when an event must be shortened."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines

    def __iter__(self) -> Iterator[int]:
        lines = self.lines
        heads = [at for at, line in enumerate(lines) if is_headline(line)]
        before = BEFORE_LAST if any("Traceback (most" in line for line in lines) else BEFORE
        far = distances(len(lines), heads, before)
        # The first line says where it happened, the last headline is the root cause.
        first = {0: 0, **({heads[-1]: 1} if heads else {})}
        return iter(sorted(range(len(lines)), key=lambda at: (first.get(at, 2), far[at], at)))


def is_headline(line: str) -> bool:
    """Whether a line names what went wrong."""
    if FRAME.match(line):
        return False
    return bool(line.strip()) and (not line[0].isspace() or HEADLINE.match(line) is not None)


def distances(count: int, heads: Sequence[int], before: int) -> list[int]:
    """Return how far each line is from a headline; from those before it `before` times as far."""
    far = [count * before + at for at in range(count)]
    for steps, places in ((1, range(count)), (before, range(count - 1, -1, -1))):
        distance = None
        marks = set(heads)
        for at in places:
            distance = 0 if at in marks else None if distance is None else distance + steps
            if distance is not None:
                far[at] = min(far[at], distance)
    return far
