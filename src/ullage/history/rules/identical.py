"""`identical`: a result that stands more than once, word for word."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence

from ullage.history.piece import Piece
from ullage.history.rules.failing import failed
from ullage.history.rules.placeholder import Placeholder
from ullage.history.rules.results import LEAST, Result, results_of
from ullage.history.rules.rule import Guard, Proposal
from ullage.transcript.counted import many

NAME = "identical"
LONG = 600
"""From this length on an equal text of another call is no coincidence."""


def identical(pieces: Sequence[Piece], guard: Guard) -> Iterator[Proposal]:
    """Propose each result that stands again elsewhere: the same call, or the same long text.

    The newest stays, as what is newest is what is worked on; of failures the first.
    """
    first: dict[bytes, Result] = {}
    newest: dict[bytes, Result] = {}
    times: Counter[bytes] = Counter()
    for one in results_of(pieces):
        for mark in marks(one):
            first.setdefault(mark, one)
            newest[mark] = one
            times[mark] += 1
    for one in results_of(pieces, guard):
        if len(one.text) < LEAST:
            continue
        fails = failed(one)
        stays = first if fails else newest
        found = next((mark for mark in marks(one) if stays[mark].index != one.index), None)
        if found is not None:
            size, which = many(len(one.text), "character"), "earlier" if fails else "newer"
            gone = f"{size}, the same as the {which} result of {stays[found].named}"
            text = Placeholder(gone=gone, rules=(NAME,), back="read them there").line()
            why = f"the same {size} stand in {times[found]} results"
            yield Proposal(index=one.index, text=text, why=why)


def marks(one: Result) -> Iterator[bytes]:
    """Yield what equal results share: the call with its text, and a long text alone."""
    text = hashlib.blake2b(one.text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    if one.key is not None:
        yield one.key.encode("utf-8", "surrogatepass") + b"\0" + text
    if len(one.text) >= LONG:
        yield text
