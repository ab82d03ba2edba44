"""What must stay of a result that is shortened, word for word below what is left of it.

Exact repeats of a stack fold to the first in the whole history. A repeat is counted up to itself,
so that what a shortened message says never changes when the history grows.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from ullage.history.never.codes import codes_in, has_code
from ullage.history.never.later import Later, later_in
from ullage.history.never.names import Names, commits_to_keep, ids_to_keep, paths_to_keep
from ullage.history.never.stacks import stacks_in
from ullage.history.never.stderr import tail_in
from ullage.history.never.strings import stands_word_for_word
from ullage.history.piece import Piece
from ullage.transcript.counted import many

HEAD = "Kept word for word:"
OURS = "[ullage: "
"""How a result begins that was shortened before."""
AGAIN = "; rule listings; "
"""The rule whose results the same call brings back."""


class Never:
    """What the never-rules find in the results of one history, each text read once."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = pieces
        self.stacks_at: dict[int, tuple[str, ...]] = {}

    def stacks(self, index: int) -> tuple[str, ...]:
        """Return the failure stacks of what a tool returned or a user said, repeats too."""
        if index not in self.stacks_at:
            piece = self.pieces[index]
            reads = piece.is_result or piece.message.role == "user"
            self.stacks_at[index] = stacks_in(piece.message.text) if reads else ()
        return self.stacks_at[index]

    @cached_property
    def later(self) -> Later:
        """What later messages use."""
        return later_in(self.pieces)

    @cached_property
    def first(self) -> dict[str, int]:
        """Of each stack, the first piece that has it."""
        found: dict[str, int] = {}
        for index in range(len(self.pieces)):
            for stack in self.stacks(index):
                found.setdefault(stack, index)
        return found

    @cached_property
    def so_far(self) -> dict[tuple[str, int], int]:
        """Of each stack and piece that has it, how often it stood in the history up to there."""
        times: dict[str, int] = {}
        found: dict[tuple[str, int], int] = {}
        for index in range(len(self.pieces)):
            for stack in self.stacks(index):
                times[stack] = found[stack, index] = times.get(stack, 0) + 1
        return found

    def completed(self, index: int, text: str) -> str:
        """Return a text that is to replace a piece's, with what must stay of the old one."""
        whole = self.pieces[index].message.text
        if whole == text:
            return text
        lines = kept_before(whole, text)
        lines += self.missing_stacks(index, "\n".join([text, *lines]))
        so_far = "\n".join([text, *lines])
        for add in (self.missing_tail, self.missing_codes, self.missing_names):
            more = list(add(index, so_far))
            lines += more
            so_far = "\n".join([so_far, *more])
        if not lines:
            return text
        head = [] if HEAD in text else [HEAD]
        return "\n".join([text, *head, *lines])

    def missing_stacks(self, index: int, text: str) -> Iterator[str]:
        """Yield each stack that is not in the text: whole if it is the first, else by name."""
        for stack in dict.fromkeys(self.stacks(index)):
            if stands_word_for_word(stack, text):
                continue
            first = self.first[stack]
            times = many(self.so_far[stack, index], "time")
            if first == index:
                yield stack
                if self.so_far[stack, index] > 1:
                    yield f"same failure {times}"
            else:
                said = f"same failure as in message {self.number(first)} ({times})"
                if said not in text:
                    yield f"{said}: {headline(stack)}"

    def number(self, index: int) -> int:
        """Return the message of a piece, from 0."""
        place = self.pieces[index].place
        return index if place is None else place

    def missing_tail(self, index: int, text: str) -> Iterator[str]:
        """Yield the last lines of standard error that are not in the text."""
        piece = self.pieces[index]
        tail = tail_in(piece.message.text, failed=piece.failed)
        lost = [line for line in tail if not stands_word_for_word(line.strip(), text)]
        if lost:
            yield "last lines of the error output:"
            yield from lost

    def missing_codes(self, index: int, text: str) -> Iterator[str]:
        """Yield a line with the codes that are not in the text."""
        codes = codes_in(self.pieces[index].message.text)
        lost = [one for one in codes if not has_code(one, text)]
        if lost:
            yield f"codes: {', '.join(lost)}"

    def missing_names(self, index: int, text: str) -> Iterator[str]:
        """Yield lines with the paths, commits and ids that are not in the text."""
        whole = self.pieces[index].message.text
        first_line, _, _ = text.partition("\n")
        again = AGAIN in first_line
        find: tuple[tuple[str, Callable[..., Names]], ...] = (
            ("path", paths_to_keep),
            ("commit", commits_to_keep),
        )
        for noun, names in find:
            found = names(whole, text, index, self.later, again=again)
            yield from named(noun, found, text)
            text = "\n".join([text, *found.kept])
        ids = ids_to_keep(whole, text, index, self.later)
        if ids:
            yield f"used later: {', '.join(ids)}"


def kept_before(whole: str, text: str) -> list[str]:
    """Return what an earlier rule kept of a result, where the new text has it no more."""
    if not whole.startswith(OURS) or HEAD not in whole or HEAD in text:
        return []
    _, _, kept = whole.partition(f"\n{HEAD}\n")
    return kept.split("\n") if kept else []


def named(noun: str, found: Names, text: str) -> Iterator[str]:
    """Yield the line for the names of one kind, and how many others there are."""
    others = f"{found.others} other {noun}{'' if found.others == 1 else 's'} left out"
    if found.kept:
        rest = f"; {others}" if found.others else ""
        yield f"{noun}s: {', '.join(found.kept)}{rest}"
    elif found.others and others not in text:
        yield others


def headline(stack: str) -> str:
    """Return the line of a stack that says what went wrong: the last that is no frame."""
    lines = [line.strip() for line in stack.split("\n") if line.strip()]
    flush = [line for line in stack.split("\n") if line.strip() and not line[0].isspace()]
    return (flush or lines)[-1].strip()
