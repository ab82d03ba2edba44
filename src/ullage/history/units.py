"""Which pieces of a history move together."""

from collections.abc import Sequence

from ullage.history.calls import assigned
from ullage.history.piece import Piece, Unit


def units_of(pieces: Sequence[Piece]) -> tuple[Unit, ...]:
    """Return the units of a history, in the order of their first pieces; each piece is in one.

    A reply (several assistant pieces in a row are one: reasoning, text, calls) and the results of
    its calls are a unit, wherever the results stand. Every other piece is its own.
    """
    owner = assigned(pieces)
    members: list[list[int]] = []
    turns: list[int] = []
    unit_at: dict[int, int] = {}
    turn = 0
    for index, one in enumerate(pieces):
        before = pieces[index - 1] if index else None
        reply = owner.get(index)
        if reply is not None:
            home = unit_at[reply[0]]
        elif is_reply(one) and before is not None and is_reply(before):
            home = unit_at[index - 1]
        else:
            turn += is_reply(one)
            home = len(members)
            members.append([])
            turns.append(turn)
        members[home].append(index)
        unit_at[index] = home
    return tuple(
        Unit(members=tuple(held), turn=at) for held, at in zip(members, turns, strict=True)
    )


def is_reply(piece: Piece) -> bool:
    """Whether a piece is the model's own."""
    return piece.message.role == "assistant" and not piece.is_result
