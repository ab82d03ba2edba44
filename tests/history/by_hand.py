"""Pieces made by hand: what a message costs is its length."""

from collections.abc import Sequence
from itertools import pairwise

from ullage.history.block import Block, write_block
from ullage.history.piece import Piece, Unit
from ullage.transcript.message import Message, Role, ToolCall

OVERHEAD = 10


def said(role: Role, text: str, **more: object) -> Message:
    """Return a message."""
    return Message(role=role, text=text, **more)  # type: ignore[arg-type]  # as they are given


def asked(call_id: str, arguments: str = "{}", name: str = "run", text: str = "") -> Message:
    """Return a reply with one call."""
    call = ToolCall(call_id=call_id, name=name, arguments=arguments)
    return Message(role="assistant", text=text, calls=(call,))


def told(call_id: str, text: str) -> Message:
    """Return what a tool returned."""
    return Message(role="tool", text=text, answers=call_id)


def pieces_of(*messages: Message, **more: object) -> tuple[Piece, ...]:
    """Return pieces, each a message of its own."""
    return tuple(
        Piece(message=one, raw={}, place=place, cost=size(one), tokens=size(one) // 4, **more)  # type: ignore[arg-type]  # as they are given
        for place, one in enumerate(messages)
    )


def size(one: Message) -> int:
    """Return what a message costs."""
    return OVERHEAD + len(one.text) + sum(len(call.arguments) for call in one.calls)


def cost_of_block(block: Block) -> int:
    """Return what a block costs."""
    return OVERHEAD + len(write_block(block))


def units(pieces: Sequence[Piece]) -> tuple[Unit, ...]:
    """Return units: a reply with the results that follow it, every other piece its own."""
    starts = [at for at, one in enumerate(pieces) if not one.is_result]
    found = []
    turn = 0
    for start, end in pairwise([*starts, len(pieces)]):
        turn += pieces[start].message.role == "assistant"
        found.append(Unit(members=tuple(range(start, end)), turn=turn))
    return tuple(found)
