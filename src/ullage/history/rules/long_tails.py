"""`long-tails`: long output that repeats itself, shortened to what stands out in it."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ullage.cutter.budget import chars
from ullage.cutter.cut import cut
from ullage.cutter.values import Cut
from ullage.history.piece import Piece
from ullage.history.rules.density import Density, density
from ullage.history.rules.placeholder import Placeholder
from ullage.history.rules.results import Result, results_of
from ullage.history.rules.rule import Guard, Proposal
from ullage.transcript.counted import many

NAME = "long-tails"
LONG = 3_000
"""From this many characters on a result is long."""
DENSE = 0.5
"""With more kinds of line than this share of its lines, a text does not repeat itself."""
SHARES = (0.5, 0.25, 0.1)
"""How much of a text stays, first of all long ones, then again, and again."""
SMALLEST = 1_200
"""No text is made shorter than this: what stands out needs room."""
SAID = f"; rule {NAME}."
CALL = "the same call"
"""The way back where there is no other."""
SAME_CUT = " Asking again gives the same cut."
"""So says a cut of a tool's result, and there it is true."""
BARE = ("log", "test-report", "text")
"""Formats in which a line in brackets may stand first without breaking the syntax."""
WORD = re.compile(r"[\w./:@-]{4,}")


def long_tails(pieces: Sequence[Piece], guard: Guard) -> Iterator[Proposal]:
    """Propose long repetitive results cut to a half, then to a quarter, then to a tenth."""
    long = [
        (one, found)
        for one in results_of(pieces, guard)
        if len(one.text) >= LONG and (found := density(one.text)).share <= DENSE
    ]
    for share in SHARES:
        for one, found in long:
            size = max(int(len(one.text) * share), SMALLEST)
            yield from shortened(Tail(one=one, found=found, size=size, guard=guard))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """A result to cut, how dense it is, and how many characters of it are to stay."""

    one: Result
    found: Density
    size: int
    guard: Guard

    @property
    def why(self) -> str:
        """The figures."""
        return f"{many(len(self.one.text), 'character')}, {self.found.words}, cut to {self.size}"


def shortened(tail: Tail) -> Iterator[Proposal]:
    """Propose one result cut to a size, in its own syntax."""
    done = cut(tail.one.text, chars(tail.size), notice="apart")
    if done.complete:
        return
    if done.account.format not in BARE:
        yield from inside(tail)
        return
    all_of = f"{len(tail.one.text) - len(done.text)} of {many(len(tail.one.text), 'character')}"
    head = Placeholder(gone=f"{all_of} of {tail.one.named}{stays(done)}", rules=(NAME,))
    yield Proposal(index=tail.one.index, text=head.above(done.text), why=tail.why)


def stays(done: Cut) -> str:
    """Return as a clause how many lines or records of a cut text stay."""
    if len(done.account.parts) != 1 or done.account.parts[0].unit == "characters":
        return ""
    part = done.account.parts[0]
    if part.delivered == part.produced:
        return ""
    return f", {part.delivered} of {part.produced} {part.unit} stay"


def inside(tail: Tail) -> Iterator[Proposal]:
    """Propose a structured result whose notice stands inside it, so that it keeps its syntax.

    What must stay cannot be put below such a text. Its records are kept instead.
    """
    index = tail.one.index

    def write(back: str | None, words: Sequence[str] = ()) -> str | None:
        return signed(tail, back, keeping(words) if words else None)

    text = write(None)
    words = missing(text, tail.guard.completed(index, text)) if text is not None else []
    text = write(None, words) if words else text
    if text is not None:
        yield Proposal(
            index=index,
            text=text,
            why=tail.why,
            again=lambda back: write(back, words) or text,
        )


def signed(tail: Tail, back: str | None, keep: Callable[[object], bool] | None) -> str | None:
    """Return the result cut, with the rule in its notice; None where the notice has no place."""
    done = cut(
        tail.one.text,
        chars(tail.size - len(SAID)),
        keep=[keep] if keep else [],
        handle=lambda _: back or CALL,
    )
    with_rule = done.notice.removesuffix(SAME_CUT).removesuffix(".") + SAID
    for write in (str, escaped):
        if done.notice and write(done.notice) in done.text:
            return done.text.replace(write(done.notice), write(with_rule), 1)
    return None


def escaped(text: str) -> str:
    """Return a text as it stands in a JSON string, without the quotes."""
    return json.dumps(text, ensure_ascii=False).removeprefix('"').removesuffix('"')


def missing(text: str, completed: str) -> list[str]:
    """Return the words that were added to a text so that they stay."""
    there = set(WORD.findall(text))
    return [one for one in dict.fromkeys(WORD.findall(completed)) if one not in there]


def keeping(words: Sequence[str]) -> Callable[[object], bool]:
    """Return what tells whether a record holds one of the words."""
    wanted = frozenset(words)

    def keep(record: object) -> bool:
        text = record if isinstance(record, str) else json.dumps(record, ensure_ascii=False)
        return not wanted.isdisjoint(WORD.findall(text))

    return keep
