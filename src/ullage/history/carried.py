"""The block in a history: put in, or put in the place of the earlier one."""

from collections.abc import Collection, Iterable, Sequence

from ullage.history.block import Block, Failure, Gone, counted, distinct
from ullage.history.guard import Guard
from ullage.history.piece import Piece
from ullage.history.trim import place_of_block


def without(pieces: Sequence[Piece], gone: Collection[int]) -> list[Piece]:
    """Return the pieces that stay when some are gone."""
    return [one for index, one in enumerate(pieces) if index not in gone]


def with_block(
    pieces: Sequence[Piece], gone: Collection[int], guard: Guard, block: Piece
) -> list[Piece]:
    """Return the pieces that stay, the block behind the task in the place of the earlier one."""
    away = {*gone, guard.block}
    kept = [index for index in range(len(pieces)) if index not in away]
    at = place_of_block(pieces, kept, guard.task)
    return [*(pieces[index] for index in kept[:at]), block, *(pieces[index] for index in kept[at:])]


def summarised_block(
    pieces: Sequence[Piece], gone: Sequence[int], guard: Guard, summary: str
) -> Block:
    """Return the block for pieces that a summary stands for: their rules and failures beside it."""
    before = guard.carried.notice if guard.carried is not None else Gone()
    stay = places(one for one in without(pieces, frozenset(gone)))
    block = frozenset(() if guard.block is None else (guard.block,))
    return Block(
        notice=Gone(
            summarised=len(places(pieces[index] for index in gone) - stay),
            of=before.messages + len(places(without(pieces, block))),
            tokens=sum(pieces[index].tokens for index in gone),
        ),
        summary=summary,
        rules=distinct(rule for index in gone for rule in guard.constraints(index)),
        failures=counted(Failure(text=one) for index in gone for one in guard.stacks(index)),
    )


def places(pieces: Iterable[Piece]) -> set[int]:
    """Return where pieces stood in the history that was given: each a message."""
    return {one.place for one in pieces if one.place is not None}


def places_of(pieces: Sequence[Piece], indices: Iterable[int]) -> tuple[int, ...]:
    """Return where pieces stood, in order; ours stood nowhere."""
    return tuple(sorted(places(pieces[index] for index in indices)))
