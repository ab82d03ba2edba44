"""Shortening what has many lines to the lines that say most, with a mark at each gap.

A mark counts lines: `… [41 more lines]`, or `… [41 more lines like this]` in a run of similar
ones. A mark met in a text that was cut before counts as the lines it stands for.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice

from ullage.cutter.plain import shorten_line

MARK = re.compile(r"\s*… \[(\d+) more lines?(?: like this)?\]\r?")
# One item of several may take up to this part of the room.
WIDEST = 3


@dataclass(slots=True, kw_only=True)
class Foldable:
    """Items of one or more lines each, and the order in which they are worth keeping."""

    items: Sequence[str]
    order: Iterable[int]
    like: bool = False
    weights: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.weights = [0, *accumulate(map(weight, self.items))]

    def within(self, room: int) -> str | None:
        """Return as many items as `room` allows, in their places, what is left out marked."""
        if len(self.items) == 1:
            return shorten_line(self.items[0], room)
        order = list(islice(self.order, max(room, 0) + 1))
        low, high = 0, min(len(order), room)
        best = None
        while low < high:
            middle = (low + high + 1) // 2
            text = self.written(sorted(order[:middle]), room)
            if len(text) <= room:
                best, low = text, middle
            else:
                high = middle - 1
        return best

    def written(self, kept: Sequence[int], room: int) -> str:
        """Return the items at `kept`, and a mark for each gap."""
        widest = max(room // WIDEST, 60)
        lines: list[str] = []
        after = 0
        for at in kept:
            self.mark(lines, after, at)
            item = self.items[at]
            short = shorten_line(item, widest) if len(item) > widest and "\n" not in item else None
            lines.append(short or item)
            after = at + 1
        self.mark(lines, after, len(self.items))
        return "\n".join(lines)

    def mark(self, lines: list[str], first: int, end: int) -> None:
        """Add the mark for the items from `first` up to `end`, if there are any."""
        gap = self.weights[end] - self.weights[first]
        if gap:
            like = " like this" if self.like else ""
            lines.append(f"… [{gap} more line{'' if gap == 1 else 's'}{like}]")


def weight(item: str) -> int:
    """Return how many lines an item stands for."""
    if "… [" not in item:
        return item.count("\n") + 1
    lines = item.split("\n")
    return sum(int(found[1]) if (found := MARK.fullmatch(line)) else 1 for line in lines)


def ends(count: int) -> Iterable[int]:
    """Yield every index below `count`, from both ends to the middle."""
    return [at // 2 if at % 2 == 0 else count - 1 - at // 2 for at in range(count)]


def measure(text: str) -> list[tuple[int, bool]]:
    """Return the lines of a text, and those that its marks stand for, as runs."""
    found = []
    for line in text.split("\n"):
        mark = MARK.fullmatch(line)
        found.append((int(mark[1]), False) if mark else (1, True))
    return found
