"""Taking rules one after the other until enough is won back; what must stay is put back in."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ullage.history.piece import Piece
from ullage.history.rules.placeholder import AGAIN, Placeholder, rules_on, taken_off
from ullage.history.rules.rule import Guard, Proposal, Rule
from ullage.transcript.counted import many

Handle = Callable[[str], str]
"""Keeps a whole text and returns how to have it again, such as `recall("a1b2c3d4")`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Elided:
    """The text that now stands at `index`, the rule that shortened it, and its figures."""

    index: int
    text: str
    rule: str
    why: str


def elisions(
    pieces: Sequence[Piece],
    guard: Guard,
    rules: Mapping[str, Rule],
    over: int,
    size: Callable[[int, str], int],
    *,
    handle: Handle | None = None,
) -> Iterator[Elided]:
    """Yield what the rules take, in their order, until `over` is won back.

    `size(index, text)` is what a piece costs with another text, in what `over` counts. A rule sees
    what those before it left, and leaves alone what itself or a later one shortened before; a
    piece may come more than once, each time smaller. `handle` is called with the whole text of
    each result that is shortened, once, and its answer becomes the way back in the placeholder.
    Raises TypeError and ValueError for what a rule of a user's own must not propose.
    """
    state = State(pieces=pieces, guard=guard, size=size, handle=handle, order=tuple(rules))
    for name, rule in rules.items():
        if over <= 0:
            return
        now = tuple(state.now)
        for proposal in rule(now, guard):
            check(name, proposal, now)
            won, elided = state.take(name, proposal, now)
            if elided is None:
                continue
            over -= won
            yield elided
            if over <= 0:
                return


def check(name: str, proposal: object, pieces: Sequence[Piece]) -> None:
    """Raise where a rule proposes what cannot be done."""
    if not isinstance(proposal, Proposal):
        raise TypeError(f"the rule {name!r} must give Proposals, and gave {proposal!r}")
    if not 0 <= proposal.index < len(pieces):
        raise ValueError(
            f"the rule {name!r} proposes piece {proposal.index}: there are {len(pieces)}, from 0"
        )
    if not pieces[proposal.index].is_result:
        raise ValueError(
            f"the rule {name!r} proposes piece {proposal.index}, which is no tool's result but a "
            f"message of role {pieces[proposal.index].message.role!r}: only results are elided"
        )


@dataclass(slots=True, kw_only=True)
class State:
    """The pieces as the rules have left them so far, and what each costs."""

    pieces: Sequence[Piece]
    guard: Guard
    size: Callable[[int, str], int]
    handle: Handle | None
    order: tuple[str, ...]
    now: list[Piece] = field(init=False)
    costs: list[int] = field(init=False)
    backs: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.now = list(self.pieces)
        self.costs = [one.cost for one in self.pieces]

    def take(
        self, name: str, proposal: Proposal, seen: Sequence[Piece]
    ) -> tuple[int, Elided | None]:
        """Return what a proposal wins and what it does; nothing where it may not, or wins nothing.

        `seen` are the pieces as the rule saw them.
        """
        index = proposal.index
        if not self.may(name, seen[index], index):
            return 0, None
        text = self.text(name, proposal, seen[index], None)
        if text is None or self.size(index, text) >= self.costs[index]:
            return 0, None
        if self.handle is not None:
            text = self.text(name, proposal, seen[index], self.back(index, self.handle))
            if text is None:
                return 0, None
        cost = self.size(index, text)
        won = self.costs[index] - cost
        if won <= 0:
            return 0, None
        piece = self.now[index]
        self.now[index] = replace(piece, message=replace(piece.message, text=text))
        self.costs[index] = cost
        return won, Elided(index=index, text=text, rule=name, why=proposal.why)

    def may(self, name: str, piece: Piece, index: int) -> bool:
        """Whether a rule may replace a text: not twice, and not after a rule that comes later."""
        if index in self.guard.untouched or piece.solid:
            return False
        rank = {one: at for at, one in enumerate(self.order)}
        return all(rank.get(one, -1) < rank[name] for one in rules_on(piece.message.text))

    def back(self, index: int, handle: Handle) -> str:
        """Return the way back to the whole text of a result, which is kept once."""
        if index not in self.backs:
            text = self.pieces[index].message.text
            first, _ = taken_off(text)
            known = first is not None and first.back != AGAIN
            self.backs[index] = first.back if first is not None and known else handle(text)
        return self.backs[index]

    def text(self, name: str, proposal: Proposal, piece: Piece, back: str | None) -> str | None:
        """Return the text with its placeholder and what must stay; None where it cannot have it."""
        if proposal.again is not None:
            text = proposal.text if back is None else proposal.again(back)
            # Nothing can be put below a text that has to keep its syntax.
            return text if self.guard.completed(proposal.index, text) == text else None
        first, _ = taken_off(piece.message.text)
        head, rest = taken_off(proposal.text)
        if head is None or head == first:
            gone = max(len(piece.message.text) - len(proposal.text), 0)
            said = f"{gone} of {many(len(piece.message.text), 'character')}"
            head = Placeholder(gone=said, rules=(name,))
        head = replace(head, rules=(name,))
        if back is not None:
            head = replace(head, back=back)
        return self.guard.completed(proposal.index, head.after(first).above(rest))
