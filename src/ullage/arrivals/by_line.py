"""Short results of one step, which some frameworks put into one message, a line each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ullage.arrivals.notice import WRAPPER
from ullage.arrivals.sighting import Sighting, Target, seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a message without the space around it, and where it stands."""

    text: str
    start: int
    end: int


def lines_left(target: Target, taken: Sequence[Sighting]) -> list[Line]:
    """Return the lines of a result message that belong to nothing found so far.

    None of them where the message does not begin with the words that frameworks put before results.
    """
    first = target.text.lstrip().partition("\n")[0]
    if WRAPPER.fullmatch(first) is None:
        return []
    return [
        line
        for line in lines_of(target.text)
        if WRAPPER.fullmatch(line.text) is None
        and not any(line.start < other.end and other.start < line.end for other in taken)
    ]


def lines_of(text: str) -> list[Line]:
    """Return the lines with something in them."""
    lines, at = [], 0
    for whole in text.split("\n"):
        bare = whole.strip()
        if bare:
            start = at + whole.index(bare)
            lines.append(Line(text=bare, start=start, end=start + len(bare)))
        at += len(whole) + 1
    return lines


def by_line(
    lines: Sequence[Line], waiting: dict[str, list[int]]
) -> list[tuple[int, Sighting]] | None:
    """Give each line to a produced text that is this line; None unless all of them are such.

    `waiting` holds the produced texts by what they say, in order of time.
    """
    needed = Counter(line.text for line in lines)
    if not lines or any(len(waiting.get(text, ())) < times for text, times in needed.items()):
        return None
    queues = {text: iter(waiting[text]) for text in needed}
    return [
        (next(queues[line.text]), seen(line.start, line.end, line.end - line.start))
        for line in lines
    ]
