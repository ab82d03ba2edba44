"""What of a history never leaves, and what no rule may shorten.

Two kinds of "must stay". Exempt from trim: the system text, the task, the newest user message, what
is pinned; their messages stay as they are. Never elided: the last turns, and in every other result
its failures, codes, paths, commits and ids; a trim may still take the whole of them, but for rules
of a user and failure stacks, which the block then carries word for word.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ullage.arrivals.added import is_handed, without_added, without_handed
from ullage.arrivals.standing_rules import rules_in
from ullage.arrivals.user_turns import user_turns
from ullage.history.block import Block, read_block
from ullage.history.never.kept import Never
from ullage.history.piece import Piece, Unit
from ullage.history.protect import Protect, Protects, read_protect


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """What must stay in one history, by the positions of its pieces.

    `exempt` never leave. `untouched` are never elided: the exempt ones, the last turns, and our own
    block. `task` is the piece with the task, behind which the block stands; `block` the piece that
    is the block of an earlier compaction, and `carried` what that says.
    """

    pieces: Sequence[Piece]
    exempt: frozenset[int]
    untouched: frozenset[int]
    task: int | None = None
    block: int | None = None
    carried: Block | None = None
    never: Never = field(repr=False, compare=False)

    def completed(self, index: int, text: str) -> str:
        """Return a text that is to replace a piece's, with what must stay of the old one."""
        return self.never.completed(index, text)

    def stacks(self, index: int) -> tuple[str, ...]:
        """Return the failure stacks in a piece, word for word, repeats too."""
        if index == self.block and self.carried is not None:
            return tuple(one.text for one in self.carried.failures)
        return self.never.stacks(index)

    def constraints(self, index: int) -> tuple[str, ...]:
        """Return the standing rules in what a user said, word for word."""
        if index == self.block and self.carried is not None:
            return self.carried.rules
        piece = self.pieces[index]
        if piece.is_result or piece.message.role != "user":
            return ()
        rules = rules_in(without_handed(without_added(piece.message.text)))
        return tuple(dict.fromkeys(one.text for one in rules))


def guard_of(
    pieces: Sequence[Piece],
    units: Sequence[Unit],
    *,
    protect: Iterable[Protect] = (),
    keep_turns: int = 3,
) -> Guard:
    """Return what must stay in a history.

    A message that a marker says may go is not pinned by a rule of `protect`. Raises ValueError for
    a rule that is none and for `keep_turns` below 0.
    """
    if keep_turns < 0:
        raise ValueError(f"keep_turns must be 0 or more, got {keep_turns!r}")
    block, carried = block_in(pieces)
    task, newest = task_and_newest(pieces, block)
    exempt = {index for index, one in enumerate(pieces) if one.message.role == "system"}
    exempt.update(index for one in (task, *newest) for index in whole_message(pieces, one))
    exempt.update(pinned(pieces, [read_protect(one) for one in protect]))
    exempt.update(index for index, one in enumerate(pieces) if has_findings(one))
    exempt -= {block}
    last = last_turns(units, keep_turns)
    return Guard(
        pieces=pieces,
        exempt=frozenset(exempt),
        untouched=frozenset(exempt | last | ({block} if block is not None else set())),
        task=task,
        block=block,
        carried=carried,
        never=Never(pieces),
    )


def block_in(pieces: Sequence[Piece]) -> tuple[int | None, Block | None]:
    """Return the block of an earlier compaction and where it stands; a tool cannot write one."""
    for index, piece in enumerate(pieces):
        if piece.message.role == "user" and not piece.is_result:
            block = read_block(piece.message.text)
            if block is not None:
                return index, block
    return None, None


def task_and_newest(
    pieces: Sequence[Piece], block: int | None
) -> tuple[int | None, tuple[int | None, ...]]:
    """Return the first real turn of a user, the newest one, and the newest message of a user.

    The newest message may only say "go on": what is to be done then stands in the turn before it.
    """
    said = [
        index
        for index, one in enumerate(pieces)
        if one.message.role == "user" and not one.is_result and index != block
    ]
    turns = [one.index for one in user_turns([one.message for one in pieces])]
    turns = [one for one in turns if one != block]
    task = next(iter((*turns, *said)), None)
    return task, (turns[-1] if turns else None, said[-1] if said else None)


def has_findings(piece: Piece) -> bool:
    """Whether a message hands on findings of another stage; a tool cannot write such a block."""
    return piece.message.role == "user" and not piece.is_result and is_handed(piece.message.text)


def whole_message(pieces: Sequence[Piece], index: int | None) -> Iterator[int]:
    """Yield a piece and what else its message says; results in it belong to their calls."""
    if index is None:
        return
    yield index
    place = pieces[index].place
    if place is None:
        return
    for step in (-1, 1):
        at = index + step
        while 0 <= at < len(pieces) and pieces[at].place == place:
            if not pieces[at].is_result:
                yield at
            at += step


def pinned(pieces: Sequence[Piece], rules: Sequence[Protects]) -> Iterator[int]:
    """Yield the pieces that a marker or a rule pins."""
    names = {call.call_id: call.name for one in pieces for call in one.message.calls}
    for index, piece in enumerate(pieces):
        if piece.marked is not None:
            if piece.marked:
                yield index
        elif rules and any(rule(with_name(piece, names)) for rule in rules):
            yield index


def with_name(piece: Piece, names: dict[str | None, str]) -> Piece:
    """Return a result with the name of its tool, which many providers do not repeat."""
    message = piece.message
    name = names.get(message.answers) if message.answers is not None else None
    if message.name is not None or name is None:
        return piece
    return replace(piece, message=replace(message, name=name))


def last_turns(units: Sequence[Unit], keep: int) -> set[int]:
    """Return the pieces of the last turns: replies, their results, and what came after them."""
    newest = max((one.turn for one in units), default=0)
    return {at for one in units if keep and one.turn > newest - keep for at in one.members}
