"""Arrival of text that is not JSON: its lines as a multiset."""

from collections import Counter

from ullage.arrivals.read import Reading
from ullage.arrivals.records import Counts
from ullage.arrivals.values import Json, of

SHORTEST_PART = 8
"""So many characters of a line must have arrived for it to count as arrived in part."""


def lines_of(text: str) -> list[str]:
    """Split a text into its lines, blank ones and the space at their ends left out."""
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def line_counts(produced: str, delivered: Reading) -> Counts:
    """Count the produced lines that were delivered; a duplicate never hides a loss."""
    wanted = lines_of(produced)
    texts = texts_in(delivered)
    if any(produced.strip() in text for text in texts):
        return Counts(produced=len(wanted), delivered=len(wanted), partial=0)
    known, best = set(wanted), count(wanted, texts[0])
    for text in texts[1:]:
        lines = lines_of(text)
        # Few of the strings of a value hold lines of the produced text: the others are passed by.
        if len(lines) > best.delivered and not known.isdisjoint(lines):
            best = max(best, count(wanted, text), key=lambda one: one.delivered)
    return best


def texts_in(delivered: Reading) -> list[str]:
    """Return the delivered text as it stands, and the strings that it encodes."""
    texts = [delivered.surface]
    waiting: list[Json] = [piece.value for piece in delivered.pieces]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, dict):
            waiting += of(value)
    return texts


def count(wanted: list[str], text: str) -> Counts:
    """Count the lines of `wanted` in one text."""
    there = Counter(lines_of(text))
    missing = []
    for line in wanted:
        if there[line] > 0:
            there[line] -= 1
        else:
            missing.append(line)
    starts = {line[:SHORTEST_PART] for line in there.elements()}  # a key, not a text for show
    ends = {line[-SHORTEST_PART:] for line in there.elements()}
    partial = sum(
        len(line) > SHORTEST_PART
        and (line[:SHORTEST_PART] in starts or line[-SHORTEST_PART:] in ends)
        for line in missing
    )
    return Counts(produced=len(wanted), delivered=len(wanted) - len(missing), partial=partial)
