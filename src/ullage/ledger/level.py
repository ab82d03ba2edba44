"""Two texts of a run, made equal where only their redaction differs.

A process that has met no whole secret yet cannot know a piece of it: one text then holds the piece,
the other its placeholder. Before such texts are compared, the piece is replaced here.
"""

import re
from collections import Counter

from ullage.ledger.known import PIECE
from ullage.ledger.redact import LONGEST_LEARNT
from ullage.ledger.spans import PLACEHOLDER
from ullage.ledger.strength import TWO_WORDS, bits

# So much of what stands before and behind a placeholder says where it stands in the other text.
# Less is tried where that much is not there: rows between may have been cut, a notice put in.
CONTEXTS = (24, 16, 8)
_PLACEHOLDER = re.compile(PLACEHOLDER.pattern.decode())
_REDACTED = re.compile(rf"[^\s\"'<>\[\]]{{{PIECE},{LONGEST_LEARNT}}}")


def levelled(first: str, second: str) -> tuple[str, str]:
    """Return both texts; what one shows and the other holds redacted is redacted in both.

    A text changes only where the other has a placeholder between the same surroundings, and there
    only what looks random and is alike at every such place.
    """
    second = _filled(second, first)
    return _filled(first, second), second


def _filled(text: str, other: str) -> str:
    """Return a text with the placeholders of the other in place of what they stand for."""
    placeholders = _PLACEHOLDER.findall(other)
    between = _PLACEHOLDER.split(other)
    held = Counter(_PLACEHOLDER.findall(text))
    missing = {one for one, times in Counter(placeholders).items() if held[one] < times}
    for number, placeholder in enumerate(placeholders):
        if placeholder not in missing:
            continue
        shown = _shown(text, between[number], between[number + 1])
        if shown is not None:
            text = text.replace(shown, placeholder)
            missing.discard(placeholder)
    return text


def _shown(text: str, before: str, behind: str) -> str | None:
    """Return what stands between two surroundings, None if that cannot be told for certain."""
    for size in CONTEXTS:
        found = _candidates(text, before[-size:], behind[:size])
        if len(found) == 1:
            return found.pop()
    return None


def _candidates(text: str, before: str, behind: str) -> set[str]:
    """Return what looks random between two surroundings; two are as good as many."""
    found: set[str] = set()
    at = text.find(before)
    while at >= 0 and len(found) < 2:
        start = at + len(before)
        stretch = _REDACTED.match(text, start)
        end = -1
        if stretch is not None and behind:
            end = text.find(behind, start + PIECE, stretch.end() + len(behind))
        elif stretch is not None:
            end = stretch.end()
        if end >= 0 and bits(text[start:end].encode("utf-8", "replace")) > TWO_WORDS:
            found.add(text[start:end])
        at = text.find(before, at + 1) if before else -1
    return found
