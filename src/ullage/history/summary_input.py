"""What a summariser is shown: every piece whole, in as many requests as it takes.

A piece is shown with its role, its tool, its calls and their arguments. One that is larger than a
request goes into several, at whole lines, else at whole graphemes, and each says which of how many
it is. Nothing is left out: the slices of a piece, in order, are its text.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ullage.cutter import grapheme
from ullage.history.piece import Piece

Size = Callable[[str], int]
"""How much of a request a text takes."""

LEAST_ROOM = 100
"""In tokens: a request that can show no more is of no use."""
FRAME = 4
"""What a slice may take beside its label and its text: the blank lines around it, in tokens."""
WIDEST = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """A text to be shown: that of a piece at `index`, None where it is of no piece.

    `role` is the word for who said it. `unseen` says what of the piece no text can show.
    """

    index: int | None
    role: str
    text: str
    unseen: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """A part of a material, all of it where `of` is 1; parts count from 1."""

    index: int | None
    role: str
    text: str
    part: int
    of: int

    @property
    def shown(self) -> str:
        """The slice as it stands in a request."""
        return f"{label(self.index, self.role, self.part, self.of)}\n{self.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Portion:
    """What one request shows."""

    slices: tuple[Slice, ...]

    @property
    def text(self) -> str:
        """The portion as it stands in a request."""
        return "\n\n".join(one.shown for one in self.slices)

    @property
    def indices(self) -> tuple[int, ...]:
        """The pieces of which it shows all or a part, in order."""
        return tuple(dict.fromkeys(one.index for one in self.slices if one.index is not None))


def materials_of(pieces: Sequence[Piece], replaced: Iterable[int]) -> tuple[Material, ...]:
    """Return the pieces that are to be replaced as they are shown, in their order."""
    tools = {call.call_id: call.name for one in pieces for call in one.message.calls}
    found = []
    for index in sorted(set(replaced)):
        piece = pieces[index]
        unseen = "a part that is no text (a picture, a file, sealed data)" if piece.solid else None
        found.append(
            Material(index=index, role=role_of(piece), text=told(piece, tools), unseen=unseen)
        )
    return tuple(found)


def role_of(piece: Piece) -> str:
    """Return the word for who said a piece."""
    if not piece.is_result:
        return piece.message.role
    return "tool result, an error" if piece.failed else "tool result"


def told(piece: Piece, tools: dict[str | None, str]) -> str:
    """Return all of a piece as text: what it answers, what it says, what it calls."""
    message = piece.message
    lines = []
    if piece.is_result:
        tool = message.name or tools.get(message.answers, "a tool")
        lines.append(tool if message.answers is None else f"{tool}, call {message.answers}")
    elif message.name:
        lines.append(f"name: {message.name}")
    if message.text:
        lines.append(message.text)
    lines += [
        f"calls {one.name}{'' if one.call_id is None else f' (call {one.call_id})'}: "
        f"{one.arguments}"
        for one in message.calls
    ]
    if piece.solid:
        lines.append("(and a part that is no text and cannot be shown)")
    return "\n".join(lines)


def label(index: int | None, role: str, part: int, of: int) -> str:
    """Return the line above a slice."""
    number = "" if index is None else f" {index}"
    which = "" if of == 1 else f" (part {part} of {of})"
    return f"==={number} {role}{which}"


def portions(materials: Sequence[Material], room: int, size: Size) -> tuple[Portion, ...]:
    """Put materials into requests that show at most `room` each, in order.

    A tokenizer may count two texts together for a little more than apart: what came out too large
    is packed again, into less.
    """
    target = room
    while True:
        packed = tuple(packs(materials, target, size))
        over = max((size(one.text) for one in packed), default=0) - room
        if over <= 0 or target <= 1:
            return packed
        target = max(1, target - over)


def packs(materials: Sequence[Material], room: int, size: Size) -> Iterator[Portion]:
    """Fill one request after the other; a material that fits into one is not divided."""
    held: list[Slice] = []
    taken = 0
    for one in materials:
        for each, cost in slices(one, room, size):
            if held and taken + cost > room:
                yield Portion(slices=tuple(held))
                held, taken = [], 0
            held.append(each)
            taken += cost
    if held:
        yield Portion(slices=tuple(held))


def slices(one: Material, room: int, size: Size) -> list[tuple[Slice, int]]:
    """Divide a material into slices that fit a request, each with its cost."""
    frame = size(label(one.index, one.role, WIDEST, WIDEST)) + FRAME
    divided = [(one.text, size(one.text))]
    if frame + divided[0][1] > room:
        divided = list(joined(lines_within(one.text, room - frame, size), room - frame))
    return [
        (
            Slice(index=one.index, role=one.role, text=text, part=part, of=len(divided)),
            cost + frame,
        )
        for part, (text, cost) in enumerate(divided, start=1)
    ]


def joined(lines: Iterable[tuple[str, int]], room: int) -> Iterator[tuple[str, int]]:
    """Put lines together for as long as they fit."""
    held: list[str] = []
    taken = 0
    for line, cost in lines:
        if held and taken + cost > room:
            yield "".join(held), taken
            held, taken = [], 0
        held.append(line)
        taken += cost
    if held:
        yield "".join(held), taken


def lines_within(text: str, room: int, size: Size) -> Iterator[tuple[str, int]]:
    """Yield the lines of a text with their cost, line ends included; long ones in pieces."""
    known: dict[str, int] = {}
    for line in whole_lines(text):
        if line not in known:
            known[line] = size(line)
        if known[line] <= room:
            yield line, known[line]
        else:
            yield from pieces_within(line, room, size)


def whole_lines(text: str) -> Iterator[str]:
    """Yield the lines of a text with their ends."""
    last = None
    for line in text.split("\n"):
        if last is not None:
            yield f"{last}\n"
        last = line
    if last:
        yield last


def pieces_within(line: str, room: int, size: Size) -> Iterator[tuple[str, int]]:
    """Divide a line at whole graphemes; one that is larger than the room stands by itself."""
    at, step = 0, max(1, 4 * room)
    while at < len(line):
        # Nothing is left out here: what is taken off the front is shown in one request, what
        # follows in the next.
        ahead = line[at : at + step + grapheme.LOOK_AHEAD]
        end = grapheme.boundary(ahead, step) or 1
        text = line[at : at + end]
        cost = size(text)
        if cost > room and end > 1:
            step = max(1, min(end - 1, step * room // cost))
            continue
        yield text, cost
        at += end


def shown_whole(portions_shown: Sequence[Portion]) -> tuple[int, ...]:
    """Return the pieces of which every slice stands in one of these requests, in order."""
    of = {one.index: one.of for each in portions_shown for one in each.slices}
    seen = Counter(
        index
        for index, _ in {(one.index, one.part) for each in portions_shown for one in each.slices}
    )
    return tuple(
        sorted(index for index, parts in of.items() if index is not None and seen[index] == parts)
    )
