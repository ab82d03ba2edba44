"""`listings`: what a call that only looks showed, and would show again."""

from collections.abc import Iterator, Sequence

from ullage.arrivals.values import decode
from ullage.cutter import spans
from ullage.history.piece import Piece
from ullage.history.rules.commands import can_be_had_again
from ullage.history.rules.density import density
from ullage.history.rules.failing import failed
from ullage.history.rules.placeholder import Placeholder
from ullage.history.rules.results import LEAST, Result, results_of
from ullage.history.rules.rule import Guard, Proposal
from ullage.transcript.counted import many

NAME = "listings"


def listings(pieces: Sequence[Piece], guard: Guard) -> Iterator[Proposal]:
    """Propose listings, those with the fewest kinds of line first by age: the call is named."""
    for one in results_of(pieces, guard):
        if len(one.text) < LEAST or not can_be_had_again(one) or failed(one):
            continue
        gone = f"{counted(one)} ({many(len(one.text), 'character')}) that {one.named} listed"
        text = Placeholder(gone=gone, rules=(NAME,)).line()
        why = f"the call changes nothing and can be made again; {density(one.text).words}"
        yield Proposal(index=one.index, text=text, why=why)


def counted(one: Result) -> str:
    """Return how much a listing lists: records where it is a list of them, else lines."""
    if spans.is_json(one.text):
        try:
            value = decode(one.text)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            lists = [inner for inner in value.values() if isinstance(inner, list)]
            value = max(lists, key=len, default=None)
        if isinstance(value, list):
            return many(len(value), "record")
    return many(len(one.text.rstrip("\n").split("\n")), "line")
