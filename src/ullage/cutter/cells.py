"""Cells of a table and texts inside a record: as values to compare, and shortened to fit."""

import re
from collections.abc import Callable, Mapping, Sequence

from ullage.cutter import grapheme
from ullage.cutter.share import level
from ullage.cutter.shorten import Spelling

NUMBER = re.compile(r"([-+]?[0-9]{1,18}(?:\.[0-9]{1,18})?(?:[eE][-+]?[0-9]{1,3})?)(.*)", re.ASCII)
# A restart count as kubectl writes it: `5 (3d ago)`.
ASIDE = re.compile(r" \([^()]*\)")
UNITS = {"": 1, "%": 1} | {
    f"{letter}{rest}": 1024**power
    for power, letter in enumerate("KMGT", start=1)
    for rest in ("", "B", "i", "iB")
}
# Shorter texts stay whole: a mark that states what is missing is hardly smaller.
LEAST = 48
Shorten = Callable[[str, int], str | None]


def value(cell: str) -> object:
    """Return a cell as a number where it is one (`12`, `7%`, `1.5Gi`), else as stripped text."""
    text = cell.strip()
    match = NUMBER.fullmatch(text)
    if match is None:
        return text
    digits, unit = match.groups()
    if ASIDE.fullmatch(unit):
        unit = ""
    if unit not in UNITS:
        return text
    number = float(digits) if re.search(r"[.eE]", digits) else int(digits)
    return number * UNITS[unit]


def is_number(cell: str) -> bool:
    """Whether a cell is a number."""
    return not isinstance(value(cell), str)


def numbers(record: Mapping[str, str]) -> dict[str, object]:
    """Return a record with the numbers among its texts read."""
    return {name: value(text) for name, text in record.items()}


def fit(texts: Sequence[str], room: int, shorten: Shorten) -> list[str] | None:
    """Return `texts` within `room` together, the longest shortened; None where they cannot be."""
    small = sum(len(one) for one in texts if len(one) <= LEAST)
    long = [len(one) for one in texts if len(one) > LEAST]
    cap = max(level(long, room - small), LEAST)
    done: list[str] = []
    for one in texts:
        short = one if len(one) <= cap else shorten(one, cap)
        if short is None:
            return None
        done.append(short)
    return done if sum(map(len, done)) <= room else None


def spelling(escape: "re.Pattern[str]") -> Spelling:
    """Return how a text is written in which `escape` stands for one character."""

    def count(text: str) -> int:
        return len(text) - sum(len(one) - 1 for one in escape.findall(text))

    def boundary(text: str, limit: int) -> int:
        at = grapheme.boundary(text, limit)
        for match in escape.finditer(text[: at + grapheme.LOOK_AHEAD]):
            if match.start() < at < match.end():
                return match.start()
        return at

    return Spelling(count=count, boundary=boundary)
