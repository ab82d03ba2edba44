"""`identical`: a result that stands again in a newer one, word for word; the newest stays."""

import hashlib
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
    """Propose each result that a newer one repeats: the same call, or the same long text."""
    everything = list(results_of(pieces))
    newest: dict[bytes, Result] = {}
    times: dict[bytes, int] = {}
    for one in everything:
        for mark in marks(one):
            newest[mark] = one
            times[mark] = times.get(mark, 0) + 1
    for one in results_of(pieces, guard):
        if len(one.text) < LEAST or failed(one):
            continue
        found = next((mark for mark in marks(one) if newest[mark].index > one.index), None)
        if found is None:
            continue
        gone = f"{many(len(one.text), 'character')}, the same as the newer result of"
        text = Placeholder(
            gone=f"{gone} {newest[found].named}", rules=(NAME,), back="read them there"
        )
        why = f"the same {many(len(one.text), 'character')} stand in {times[found]} results"
        yield Proposal(index=one.index, text=text.line(), why=why)


def marks(one: Result) -> Iterator[bytes]:
    """Yield what equal results share: the call with its text, and a long text alone."""
    text = hashlib.blake2b(one.text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    if one.key is not None:
        yield one.key.encode("utf-8", "surrogatepass") + b"\0" + text
    if len(one.text) >= LONG:
        yield text
