"""Arrival of text that is not JSON: its lines as a multiset."""

from collections import Counter

from ullage.arrivals.read import Reading
from ullage.arrivals.states import ABSENT, PARTIAL, WHOLE, Counts, counted
from ullage.arrivals.values import Json, of

SHORTEST_PART = 8
"""So many characters of a line must have arrived for it to count as arrived in part."""


def lines_of(text: str) -> list[str]:
    """Split a text into its lines, blank ones and the space at their ends left out."""
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def line_counts(produced: str, delivered: Reading) -> Counts:
    """Count the produced lines that were delivered; a duplicate never hides a loss."""
    return counted(line_states(produced, delivered))


def line_states(produced: str, delivered: Reading) -> bytes:
    """Say of each produced line whether it was delivered: a byte a line, in their order."""
    wanted = lines_of(produced)
    texts = texts_in(delivered)
    if any(produced.strip() in text for text in texts):
        return bytes([WHOLE]) * len(wanted)
    known, best = set(wanted), states_in(wanted, texts[0])
    for text in texts[1:]:
        lines = lines_of(text)
        # Few of the strings of a value hold lines of the produced text: the others are passed by.
        if len(lines) > best.count(WHOLE) and not known.isdisjoint(lines):
            best = max(best, states_in(wanted, text), key=lambda one: one.count(WHOLE))
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


def states_in(wanted: list[str], text: str) -> bytes:
    """Say of each line of `wanted` whether it stands in one text."""
    there = Counter(lines_of(text))
    states = bytearray()
    for line in wanted:
        found = there[line] > 0
        there[line] -= found
        states.append(WHOLE if found else ABSENT)
    left = list(there.elements())
    starts = {line[:SHORTEST_PART] for line in left}  # a key, not a text for show
    ends = {line[-SHORTEST_PART:] for line in left}
    for at, line in enumerate(wanted):
        if states[at] == ABSENT and len(line) > SHORTEST_PART:
            begun = line[:SHORTEST_PART] in starts or line[-SHORTEST_PART:] in ends
            states[at] = PARTIAL if begun else ABSENT
    return bytes(states)
