"""The last resort: whole units leave, the oldest first; what they held for good is carried on.

What leaves has to pay for the block that says so. A unit whose rules and stacks would cost as much
in the block as the unit itself stays. How many of the others leave is found by halving, so that the
block is written a few times and not once a unit.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from ullage.arrivals.wording import squeezed
from ullage.errors import HistoryError
from ullage.history.block import Block, Failure, Gone, counted, distinct, merged
from ullage.history.guard import Guard
from ullage.history.piece import HistoryUnit, Piece, Unit
from ullage.transcript.counted import many

Order = Callable[[Sequence[Piece], Sequence[Unit]], Sequence[Unit]]
Cost = Callable[[Block], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trimmed:
    """What a trim took: the positions that stay and those that leave, and the block for these.

    `block` is None where nothing left; then the history is as it was. Else the block takes the
    place of the earlier one, which is in neither list, and stands before `kept[at]`. `won` is what
    was won back, the cost of the block paid.
    """

    rule: str
    kept: tuple[int, ...]
    left: tuple[int, ...] = ()
    block: Block | None = None
    at: int = 0
    won: int = 0


def trim(
    pieces: Sequence[Piece],
    units: Sequence[Unit],
    guard: Guard,
    over: int,
    *,
    cost_of_block: Cost,
    rule: str = "oldest-unit",
    unit: HistoryUnit = "tokens",
) -> Trimmed:
    """Take whole units out of a history until `over` is won back, in what the pieces' costs count.

    `rule` is a name in `ORDERS`. Raises HistoryError where all that may leave is not enough, and
    ValueError for an unknown rule.
    """
    if rule not in ORDERS:
        raise ValueError(f"trim: {rule!r} is none of {', '.join(ORDERS)}")
    if over <= 0:
        return Trimmed(rule=rule, kept=tuple(range(len(pieces))))
    work = Work(pieces=pieces, guard=guard, cost_of_block=cost_of_block)
    order = ORDERS[rule](pieces, [one for one in units if may_leave(pieces, guard, one)])
    leaving = work.paying(order)
    count = fewest(leaving, over, work)
    if count is None:
        raise HistoryError(too_large(work, leaving, over, unit))
    return work.trimmed(rule, leaving, count)


def may_leave(pieces: Sequence[Piece], guard: Guard, unit: Unit) -> bool:
    """Whether a unit may leave: nothing in it is exempt, and no result of it is still to come."""
    if any(index in guard.exempt or index == guard.block for index in unit.members):
        return False
    is_last = unit.members[-1] == len(pieces) - 1
    answers = {pieces[index].message.answers for index in unit.members}
    calls = [call.call_id for index in unit.members for call in pieces[index].message.calls]
    return not is_last or all(one in answers for one in calls)


def oldest(pieces: Sequence[Piece], units: Sequence[Unit]) -> Sequence[Unit]:
    """Return units as they stand in the history."""
    return sorted(units, key=lambda one: one.members[0])


def largest(pieces: Sequence[Piece], units: Sequence[Unit]) -> Sequence[Unit]:
    """Return the units that cost most first, the older of two alike."""
    return sorted(
        oldest(pieces, units), key=lambda one: -sum(pieces[index].cost for index in one.members)
    )


ORDERS: Mapping[str, Order] = {"oldest-unit": oldest, "largest-unit": largest}


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """A unit that may leave: what it costs, and what the block must carry of it."""

    unit: Unit
    cost: int
    rules: tuple[str, ...]
    stacks: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class Work:
    """One trim: the history, and what a block of what left costs."""

    pieces: Sequence[Piece]
    guard: Guard
    cost_of_block: Cost
    bare: int = field(init=False)
    earlier: int = field(init=False)

    def __post_init__(self) -> None:
        block = self.guard.block
        self.bare = self.cost_of_block(Block())
        self.earlier = self.pieces[block].cost if block is not None else 0

    def paying(self, order: Sequence[Unit]) -> list[Leaving]:
        """Return those units that cost more than what the block must carry of them."""
        carried = self.guard.carried or Block()
        rules = {squeezed(one) for one in carried.rules}
        stacks = {one.text for one in carried.failures}
        found = []
        for unit in order:
            one = self.leaving(unit)
            fresh = Block(
                rules=tuple(rule for rule in one.rules if squeezed(rule) not in rules),
                failures=tuple(
                    Failure(text=stack)
                    for stack in dict.fromkeys(one.stacks)
                    if stack not in stacks
                ),
            )
            must = self.cost_of_block(fresh) - self.bare if fresh != Block() else 0
            if one.cost > must:
                found.append(one)
                rules.update(map(squeezed, fresh.rules))
                stacks.update(one.text for one in fresh.failures)
        return found

    def leaving(self, unit: Unit) -> Leaving:
        """Read what a unit costs and what must be carried of it."""
        return Leaving(
            unit=unit,
            cost=sum(self.pieces[index].cost for index in unit.members),
            rules=tuple(one for index in unit.members for one in self.guard.constraints(index)),
            stacks=tuple(one for index in unit.members for one in self.guard.stacks(index)),
        )

    def block(self, leaving: Sequence[Leaving]) -> Block:
        """Return the block for what leaves, with all that was carried before."""
        gone = [index for one in leaving for index in one.unit.members]
        there = places(self.standing(gone))
        before = self.guard.carried.notice if self.guard.carried is not None else Gone()
        block = Block(
            notice=Gone(
                trimmed=len(places(self.pieces[index] for index in gone) - there),
                of=before.messages + self.messages(),
                tokens=sum(self.pieces[index].tokens for index in gone),
            ),
            rules=distinct(rule for one in leaving for rule in one.rules),
            failures=counted(Failure(text=stack) for one in leaving for stack in one.stacks),
        )
        return merged(self.guard.carried, block)

    def standing(self, gone: Sequence[int]) -> list[Piece]:
        """Return the pieces that stay when some are gone."""
        left = frozenset(gone)
        return [one for index, one in enumerate(self.pieces) if index not in left]

    def messages(self) -> int:
        """Count the messages of the history as it is, our own aside."""
        block = self.guard.block
        return len(places(one for index, one in enumerate(self.pieces) if index != block))

    def trimmed(self, rule: str, leaving: Sequence[Leaving], count: int) -> Trimmed:
        """Return what the trim took when the first so many units leave."""
        chosen = leaving[:count]
        block = self.block(chosen)
        left = {index for one in chosen for index in one.unit.members}
        away = left | {self.guard.block}
        kept = tuple(index for index in range(len(self.pieces)) if index not in away)
        return Trimmed(
            rule=rule,
            kept=kept,
            left=tuple(sorted(left)),
            block=block,
            at=place_of_block(self.pieces, kept, self.guard.task),
            won=sum(one.cost for one in chosen) + self.earlier - self.cost_of_block(block),
        )


def places(pieces: Iterable[Piece]) -> set[int]:
    """Return the messages of pieces; ours have no place, a system text outside of them has -1."""
    return {one.place for one in pieces if one.place is not None and one.place >= 0}


def fewest(leaving: Sequence[Leaving], over: int, work: Work) -> int | None:
    """Return how many units must leave, in their order; None where all are not enough."""
    won = [0, *accumulate(one.cost for one in leaving)]

    def enough(count: int) -> bool:
        # The block is only written where the units alone would do.
        gain = won[count] + work.earlier - over
        return gain >= 0 and work.cost_of_block(work.block(leaving[:count])) <= gain

    low, high = 1, len(leaving)
    if not high or not enough(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return low


def place_of_block(pieces: Sequence[Piece], kept: Sequence[int], task: int | None) -> int:
    """Return the position among the kept pieces at which the block stands: behind the task.

    Without a task it stands behind the system texts at the beginning. No message is split.
    """
    if task is None:
        first = (at for at, index in enumerate(kept) if pieces[index].message.role != "system")
        return next(first, len(kept))
    at = kept.index(task) + 1
    place = pieces[task].place
    while place is not None and at < len(kept) and pieces[kept[at]].place == place:
        at += 1
    return at


def too_large(work: Work, leaving: Sequence[Leaving], over: int, unit: HistoryUnit) -> str:
    """Say by how much what may not leave is too large, and name its largest part."""
    gone = {index for one in leaving for index in one.unit.members}
    block = work.cost_of_block(work.block(leaving)) if leaving else work.earlier
    short = over - sum(one.cost for one in leaving) - work.earlier + block
    parts = [
        (one.cost, named(one))
        for index, one in enumerate(work.pieces)
        if index not in gone and index != work.guard.block
    ]
    if block:
        parts.append((block, "the block with the rules and failures of what left"))
    cost, name = max(parts, key=lambda one: one[0], default=(0, "nothing"))
    return (
        f"the history is {said(short, unit)} over its budget when all that may "
        f"leave has left: {name} is the largest part of the rest with {said(cost, unit)}. Give it "
        "a larger budget, protect less, or shorten that part"
    )


def named(piece: Piece) -> str:
    """Return what a piece is and where it stood."""
    role = "tool result" if piece.is_result else f"{piece.message.role} message"
    if piece.place is None:
        return f"a {role}"
    return f"the {role} at position {piece.place}" if piece.place >= 0 else "the system text"


def said(cost: int, unit: HistoryUnit) -> str:
    """Return a cost with its unit."""
    return many(cost, "character" if unit == "chars" else unit.removesuffix("s"))
