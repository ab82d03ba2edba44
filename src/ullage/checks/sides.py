"""A produced and a delivered text side by side: what arrived, what was lost, what was put in."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.arrivals.runs import Run, runs
from ullage.cutter.excerpt import ends

Kind = Literal["same", "lost", "added", "missing", "left out"]

EDGE = 160
"""So much of what arrived is shown on either side of a loss."""
LOSS = 360
"""So much of either end of a longer loss is shown."""
MOST = 14
"""So many stretches of one side are shown at most."""
SPECK = 4
"""A shorter gap between two stretches that arrived is no loss that anybody can see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch of one side.

    `left out` is not shown here: `chars` of it, which are `of` a kind. `missing` stands in the
    delivered text where so many characters of the produced one are not.
    """

    kind: Kind
    text: str
    chars: int
    of: Kind | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """Excerpts of both texts around the losses; `produced` is None where it is not known."""

    produced: Sequence[Piece] | None
    delivered: Sequence[Piece]
    produced_chars: int | None
    delivered_chars: int


def sides(produced: str | None, delivered: str) -> Sides:
    """Set two texts side by side, long ones as excerpts that say what they leave out."""
    if produced is None:
        alone = [Piece(kind="same", text=delivered, chars=len(delivered))]
        return Sides(
            produced=None,
            delivered=excerpts(alone, keep_ends=True),
            produced_chars=None,
            delivered_chars=len(delivered),
        )
    found = runs(produced, delivered)
    return Sides(
        produced=excerpts(list(stretches(produced, of_produced(found), "lost"))),
        delivered=excerpts(list(delivered_stretches(delivered, found, len(produced)))),
        produced_chars=len(produced),
        delivered_chars=len(delivered),
    )


def of_produced(found: Sequence[Run]) -> Iterator[tuple[int, int]]:
    """Give the stretches of the produced text that arrived."""
    yield from sorted((one.at, one.at + one.end - one.start) for one in found)


def stretches(text: str, same: Iterator[tuple[int, int]], other: Kind) -> Iterator[Piece]:
    """Divide a text into what is the same on both sides, and what is not."""
    reached, begin = 0, 0
    for start, end in same:
        gap = start - reached
        if gap >= SPECK and text[reached:start].strip():
            yield from piece("same", text, begin, reached)
            yield from piece(other, text, reached, start)
            begin = start
        reached = max(reached, end)
    if len(text) - reached < SPECK or not text[reached:].strip():
        reached = len(text)
    yield from piece("same", text, begin, reached)
    yield from piece(other, text, reached, len(text))


def delivered_stretches(text: str, found: Sequence[Run], produced: int) -> Iterator[Piece]:
    """Divide a delivered text into what was produced and what was put in, and mark the losses."""
    reached, begin, at = 0, 0, 0
    last = [*found, Run(start=len(text), end=len(text), at=max(produced, at))]
    for one in last:
        lost, put_in = one.at - at, text[reached : one.start]
        is_gap = lost >= SPECK or len(put_in) >= SPECK
        if is_gap:
            yield from piece("same", text, begin, reached)
            yield from piece("added", text, reached, one.start)
            if lost >= SPECK:
                yield Piece(kind="missing", text="", chars=lost)
            begin = one.start
        reached, at = one.end, one.at + one.end - one.start
    yield from piece("same", text, begin, reached)


def piece(kind: Kind, text: str, start: int, end: int) -> Iterator[Piece]:
    """Give a stretch, if there is any."""
    if end > start:
        yield Piece(kind=kind, text=text[start:end], chars=end - start)


def excerpts(pieces: Sequence[Piece], *, keep_ends: bool = False) -> list[Piece]:
    """Shorten long pieces, and leave out those in the middle of very many."""
    shown: list[Piece] = []
    middle = pieces[MOST // 2 : len(pieces) - MOST // 2] if len(pieces) > MOST else []
    for number, one in enumerate(pieces):
        if middle and MOST // 2 <= number < len(pieces) - MOST // 2:
            if number == MOST // 2:
                shown.append(Piece(kind="left out", text="", chars=sum(p.chars for p in middle)))
            continue
        is_first, is_last = number == 0, number == len(pieces) - 1
        limit = LOSS if one.kind != "same" or keep_ends else EDGE
        head = 0 if is_first and not is_last and one.kind == "same" else limit
        tail = 0 if is_last and not is_first and one.kind == "same" else limit
        shown += shortened(one, head, tail)
    return shown


def shortened(one: Piece, head: int, tail: int) -> Iterator[Piece]:
    """Give the two ends of a piece, and how much stands between them."""
    both = ends(one.text, head, tail)
    if not both.left_out:
        yield one
        return
    if both.head:
        yield Piece(kind=one.kind, text=both.head, chars=len(both.head))
    yield Piece(kind="left out", text="", chars=both.left_out, of=one.kind)
    if both.tail:
        yield Piece(kind=one.kind, text=both.tail, chars=len(both.tail))
