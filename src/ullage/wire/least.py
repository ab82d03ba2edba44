"""The least that a prompt can be in tokens, to hold against what a server says it has read.

A count of our own is of texts as they were sent. Servers write tools and messages into a prompt in
ways of their own, count by vocabularies that we do not have, and may leave out what was thought on
earlier turns. So the bound is low on purpose: only what falls far below it says something.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ullage.counting.count import LEAST as ESTIMATE
from ullage.counting.count import Method, counter, encoding_for
from ullage.counting.images import LEAST as IMAGE
from ullage.wire.body_parts import Image, Piece, Text
from ullage.wire.exchange import Size

# Inferred. An exact count is exact for one vendor; another server behind the same name counts by
# its own vocabulary. A tool's schema is written shorter, some vendors say, than the JSON it is.
EXACT = 0.8
TOOLS = 0.25
# Tokens for a character, at the least: English prose is at 0.2 to 0.25, Chinese at 0.6 and more.
OF_SCRIPT = {"latin": 0.1, "cjk": 0.4}
LIKELY = {"latin": 0.25, "cjk": 0.8}


@dataclass(frozen=True, slots=True, kw_only=True)
class Least:
    """What a prompt is likely to be in tokens, and what it is at the least."""

    tokens: int
    low: int
    method: Method


class Counter:
    """Counts each text once: requests repeat their history. Texts are not kept."""

    def __init__(self) -> None:
        self._known: dict[tuple[str | None, int, int], int] = {}

    def count(self, text: str, model: str | None, tokens: Callable[[str], int]) -> int:
        """Return the tokens of a text for a model."""
        key = (model, len(text), hash(text))
        if key not in self._known:
            self._known[key] = tokens(text)
        return self._known[key]


def least_of_pieces(pieces: Iterable[Piece], model: str | None, known: Counter) -> Least:
    """Return what a request body is in tokens, at the least."""
    exact = encoding_for(model) is not None
    factor = EXACT if exact else ESTIMATE
    tokens = counter(model)
    total, low = 0, 0.0
    for one in pieces:
        if isinstance(one, Image):
            total, low = total + IMAGE, low + IMAGE
        elif isinstance(one, Text) and not one.thought:
            size = known.count(one.text, model, tokens)
            total += size
            low += size * (TOOLS if one.part == "tools" else factor)
    return Least(tokens=total, low=math.floor(low), method="exact" if exact else "estimate")


def least_of_size(size: Size) -> Least:
    """Return what so many characters are in tokens, at the least."""
    return Least(
        tokens=math.ceil(size.chars * LIKELY[size.script]),
        low=math.floor(size.chars * OF_SCRIPT[size.script]),
        method="estimate",
    )
