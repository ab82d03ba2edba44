"""What Anthropic's and Gemini's forms have alike: results are blocks of a user's message."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from ullage.history.forms.form import SYSTEM, Share, blocks_of, is_result_block
from ullage.history.forms.markers import marked, source, without_markers
from ullage.history.piece import Piece
from ullage.transcript.message import Message
from ullage.wire.members import Object

Group = list[Piece]


def shares(
    raw: Object,
    place: int,
    messages: Sequence[Message],
    failed: Callable[[Object], bool],
    solid: Callable[[Object], bool],
) -> Iterator[Piece]:
    """Yield the pieces of a message: each of its results, then all else that is in it.

    `messages` are what the wire's reader made of it: in the same order.
    """
    blocks = [one if isinstance(one, dict) else {} for one in blocks_of(raw)]
    results = [at for at, block in enumerate(blocks) if is_result_block(block)]
    if not results:
        (message,) = messages
        yield Piece(message=message, raw=raw, place=place, marked=marked(raw), source=source(raw))
        return
    rest = tuple(at for at in range(len(blocks)) if at not in set(results))
    for at, message in zip(results, messages, strict=False):
        yield Piece(
            message=message,
            raw=Share(whole=raw, blocks=(at,)),
            place=place,
            block=at,
            failed=failed(blocks[at]),
            marked=marked(raw),
            source=source(raw),
            solid=solid(blocks[at]),
        )
    if rest:
        behind = messages[len(results) :]
        said = behind[0] if behind else Message(role="user", text="")
        yield Piece(
            message=said,
            raw=Share(whole=raw, blocks=rest),
            place=place,
            block=rest[0],
            marked=marked(raw),
            source=source(raw),
        )


def groups(pieces: Sequence[Piece]) -> list[Group]:
    """Return the pieces by the message that they are written into.

    A result of ours joins the results before it, which answer the same reply.
    """
    found: list[Group] = []
    for one in pieces:
        if one.place == SYSTEM:
            continue
        last = found[-1][-1] if found else None
        if last is not None and joins(last, one):
            found[-1].append(one)
        else:
            found.append([one])
    return found


def joins(last: Piece, one: Piece) -> bool:
    """Whether a piece stands in the message of the one before it."""
    if isinstance(last.raw, Share) and isinstance(one.raw, Share) and last.place == one.place:
        return True
    is_ours = last.place is None or one.place is None
    return is_ours and last.is_result and one.is_result


def joined(pieces: Sequence[Piece], member: str) -> list[object]:
    """Return the messages that pieces are written as; one that is whole is the object itself."""
    return [merged(group, member) for group in groups(pieces)]


def merged(group: Group, member: str) -> object:
    """Return one message."""
    if len(group) == 1 and not isinstance(group[0].raw, Share):
        return without_markers(group[0].raw)
    whole = next((one.raw.whole for one in group if isinstance(one.raw, Share)), None)
    if whole is None:  # results of ours alone
        first = group[0].raw
        held = dict(first) if isinstance(first, dict) else {}
        return {**held, member: [block for one in group for block in written(one, member)]}
    places = [at for one in group if isinstance(one.raw, Share) for at in one.raw.blocks]
    is_whole = len(places) == len(blocks_of(whole)) and all(
        isinstance(one.raw, Share) and one.raw.new is None for one in group
    )
    if is_whole:
        return without_markers(whole)
    blocks = [block for one in in_order(group) for block in written(one, member)]
    plain = without_markers(whole)
    return {**(plain if isinstance(plain, dict) else {}), member: blocks}


def in_order(group: Group) -> Group:
    """Return the pieces of a message as its blocks stood; results of ours behind its results."""
    if not any(one.place is None for one in group):
        placed = [one.block or 0 for one in group]
        if all(one < other for one, other in pairwise(placed)):
            return group
        if all(len(one.raw.blocks) == 1 for one in group if isinstance(one.raw, Share)):
            return sorted(group, key=lambda one: one.block or 0)
    return group


def written(piece: Piece, member: str) -> list[object]:
    """Return the blocks of a piece."""
    raw = piece.raw
    if isinstance(raw, Share):
        if raw.new is not None:
            return [raw.new]
        blocks = blocks_of(raw.whole)
        return [blocks[at] for at in raw.blocks]
    held = raw.get(member) if isinstance(raw, dict) else None
    return held if isinstance(held, list) else []


def places(pieces: Sequence[Piece]) -> tuple[int | None, ...]:
    """Return where each message came from."""
    return tuple(
        next((one.place for one in group if one.place is not None), None)
        for group in groups(pieces)
    )
