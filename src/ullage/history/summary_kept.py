"""What a summary kept of what was shown, counted by kind, and what is put back word for word.

Looked for are open steps, the user's rules, and paths, commits and numbers with their units: what
a user or a reply said, what stands in a line of a result that has few like it, what a call was
given. Rows of a listing, and what nearly every result says, can be had again and are not counted.
What the summary lacks is put below it as it stood: open steps and rules always, the others while
there is room: a figure and a path by turns, what was said before what was returned or passed to a
tool, the newest first. What has no room is counted and said.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from itertools import zip_longest
from typing import Protocol

from ullage.arrivals.kept import after, is_kept
from ullage.arrivals.kept_rules import keeps_rule
from ullage.arrivals.kinds import KINDS, Kind
from ullage.arrivals.standing_rules import Rule, rules_in
from ullage.arrivals.wording import sentences, squeezed
from ullage.history.block import read_block
from ullage.history.open_steps import open_steps
from ullage.history.orders import gives_orders
from ullage.history.piece import Piece
from ullage.history.summary import Kept
from ullage.transcript.message import Message

HEADING = "## Kept word for word"
COUNTED: Sequence[Kind] = ("paths", "numbers", "commits")
"""Commands are not: what matters of them is in their paths, and the others are run again."""
LIKE_IT = 2
"""A line of a result with more lines of its form in it than this is a row of a listing."""
IN_RESULTS = Fraction(1, 4)
FEW_RESULTS = 4
"""In more results than these, and than this share of all, a line says nothing of any of them."""
LONGEST_LINE = 200
ALWAYS_STEPS = 20
"""So many of the newest open steps are put back whatever the room; more is a list of old plans."""

_DIGITS = re.compile(r"\d+")
_MARKS = re.compile(r"[^\w\s]+(?:\s+[^\w\s]+)*")


class Ruled(Protocol):
    """What knows the rules that are kept word for word beside a summary (`history.guard.Guard`)."""

    def constraints(self, index: int) -> tuple[str, ...]:
        """Return the rules in the piece at a position."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Something that a summary should have: its kind, and the words to put back if it has not.

    `beside` says that it is kept outside of the summary anyway.
    """

    kind: str
    text: str
    kept: bool
    beside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """A summary with what it lacked below it, and the figures of both."""

    text: str
    kept: tuple[Kept, ...]


def items(
    pieces: Sequence[Piece], replaced: Sequence[int], guard: Ruled, earlier: str, text: str
) -> tuple[Item, ...]:
    """Return what a summary of these pieces should have, in the order in which it is put back.

    `earlier` is the summary that this one replaces as well, empty where there is none.
    """
    there = after([Message(role="user", text=text)])
    # An earlier block is written anew: what only it names is as good as gone.
    blocks = (at for at, one in enumerate(pieces) if read_block(one.message.text) is not None)
    gone = frozenset((0, *(index + 1 for index in (*replaced, *blocks))))
    steps = reversed(open_steps(with_earlier(earlier, pieces), gone))
    found = [Item(kind="open steps", text=one.text, kept=is_kept(one.text, there)) for one in steps]
    for rule, beside in rules(pieces, replaced, guard):
        found.append(
            Item(kind="rules", text=rule.text, kept=keeps_rule(rule, there), beside=beside)
        )
    said = [
        *lines(pieces, replaced),
        *(Line(text=line, rank=Rank.SAID) for line in earlier.split("\n") if line.strip()),
    ]
    return (*found, *facts(said, text))


def with_earlier(earlier: str, pieces: Sequence[Piece]) -> tuple[Message, ...]:
    """Return the messages of a history behind its earlier summary, which the assistant wrote."""
    return (Message(role="assistant", text=earlier), *(one.message for one in pieces))


def rules(
    pieces: Sequence[Piece], replaced: Sequence[int], guard: Ruled
) -> Iterator[tuple[Rule, bool]]:
    """Yield the rules of replaced pieces, each once; True where they are kept beside a summary."""
    seen: set[str] = set()
    for index in replaced:
        pinned = guard.constraints(index)
        known = {squeezed(one) for one in pinned}
        message = pieces[index].message
        said = rules_in(message.text) if message.role == "user" and not message.answers else ()
        for rule in (*(Rule(text=one, clause=one) for one in pinned), *said):
            key = squeezed(rule.text)
            if key not in seen:
                seen.add(key)
                yield rule, any(key in one for one in known)


class Rank(IntEnum):
    """Who stated a fact, those first that say most of what matters."""

    SAID = 0
    RETURNED = 1
    PASSED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of what was shown, and who stated it."""

    text: str
    rank: Rank


def facts(said: Sequence[Line], text: str) -> list[Item]:
    """Return the facts that a summary should have, in the order in which they are put back."""
    has: Mapping[Kind, Callable[[Hashable], bool]] = {
        kind: KINDS[kind][1](text) for kind in COUNTED
    }
    found: dict[tuple[Kind, Hashable], Item] = {}
    for line in sorted(said, key=lambda one: one.rank):
        for kind in COUNTED:
            for key, as_written in KINDS[kind][0](line.text).items():
                if (kind, key) not in found:
                    found[kind, key] = Item(
                        kind=kind,
                        text=as_written if kind == "paths" else saying(line.text, as_written),
                        kept=has[kind](key),
                    )
    paths = [one for one in found.values() if one.kind == "paths"]
    others = [one for one in found.values() if one.kind != "paths"]
    return [one for pair in zip_longest(others, paths) for one in pair if one is not None]


def saying(line: str, item: str) -> str:
    """Return the sentence in which an item stands, or the item where that is long."""
    said = next((one for one in sentences(line) if item in one), item)
    return said if len(said) <= LONGEST_LINE else item


def lines(pieces: Sequence[Piece], replaced: Sequence[int]) -> Iterator[Line]:
    """Yield the lines that may hold a fact, the newest first."""
    shown = [pieces[index] for index in replaced]
    forms = [forms_of(one) for one in shown if one.is_result]
    times = Counter(form for each in forms for form in each)
    most = max(FEW_RESULTS, int(IN_RESULTS * len(forms)))
    for piece in reversed(shown):
        for call in reversed(piece.message.calls):
            yield Line(text=call.arguments, rank=Rank.PASSED)
        rank = Rank.RETURNED if piece.is_result else Rank.SAID
        own = forms_of(piece) if piece.is_result else Counter[str]()
        for line in reversed(piece.message.text.split("\n")):
            form = form_of(line)
            common = piece.is_result and (own[form] > LIKE_IT or times[form] > most)
            if line.strip() and not common:
                yield Line(text=line, rank=rank)


def forms_of(piece: Piece) -> Counter[str]:
    """Count the forms of a result's lines."""
    return Counter(map(form_of, piece.message.text.split("\n")))


def form_of(line: str) -> str:
    """Return a line with its figures taken for one: what the rows of a listing have alike.

    So are its marks and its spaces: a progress bar grows.
    """
    return " ".join(_MARKS.sub("-", _DIGITS.sub("0", line)).split())


def mended(text: str, wanted: Sequence[Item], room: int, size: Callable[[str], int]) -> Mended:
    """Put below a summary what it lacks; `room` in tokens is for what is not put back always."""
    put: dict[str, Item] = {}
    taken = 0
    for item, always in missing(wanted):
        line = written(item)
        if line in put:
            continue
        cost = size(f"{line}\n")
        if gives_orders(item.text) or not (always or taken + cost <= room):
            continue
        taken += 0 if always else cost
        put[line] = item
    kept = counted(wanted, set(put))
    below = section(list(put.items()), kept)
    return Mended(text=f"{text}\n\n{below}" if below else text, kept=kept)


def missing(wanted: Sequence[Item]) -> Iterator[tuple[Item, bool]]:
    """Yield what a summary lacks, those first that are put back whatever the room."""
    lacking = [one for one in wanted if not one.kept and not one.beside]
    steps = 0
    for one in lacking:
        steps += one.kind == "open steps"
        yield one, one.kind == "rules" or (one.kind == "open steps" and steps <= ALWAYS_STEPS)


def written(item: Item) -> str:
    """Return the line that puts an item back."""
    words = " ".join(item.text.split())
    return f"- [ ] {words}" if item.kind == "open steps" else f"- {words}"


def counted(wanted: Sequence[Item], put: set[str]) -> tuple[Kept, ...]:
    """Count by kind what a summary kept, and what was put below it; rules beside it are there."""
    kinds = dict.fromkeys(one.kind for one in wanted)
    return tuple(
        Kept(
            kind=kind,
            shown=len(those),
            kept=sum(one.kept for one in those),
            added=sum(not one.kept and (one.beside or written(one) in put) for one in those),
        )
        for kind in kinds
        for those in ([one for one in wanted if one.kind == kind],)
    )


TITLES: Mapping[str, str] = {
    "open steps": "Open steps:",
    "rules": "Rules:",
    "facts": "As it was said:",
}


def section(put: Sequence[tuple[str, Item]], kept: Sequence[Kept]) -> str:
    """Return the part below a summary, empty where nothing was put back and nothing is lacking."""
    parts = []
    for title, words in TITLES.items():
        rows = [line for line, one in put if (one.kind if one.kind in TITLES else "facts") == title]
        # Steps and rules were taken from the newest on; they read in the order they were said.
        if rows:
            parts.append("\n".join([words, *(reversed(rows) if title != "rules" else rows)]))
    left = [f"{one.left_out} {one.kind}" for one in kept if one.left_out > 0]
    if left:
        parts.append(f"Shown to the summariser, and in neither: {', '.join(left)}.")
    return "\n\n".join([HEADING, *parts]) if parts else ""
