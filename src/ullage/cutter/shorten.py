"""Shortening one long string: its ends and what stands out in it, its length stated."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ullage.cutter import grapheme, notice
from ullage.cutter.rarity import surprising

# A text is looked at in windows of about this many characters; below a few of them only its
# beginning is kept.
WINDOW = 100
FEWEST_WINDOWS = 2
HEAD_SHARE = 0.3
TAIL_SHARE = 0.2
GAP = re.compile(r" … \[(\d+) characters\] … ")
SPACE = re.compile(r".*(?<=[\s。！？])", re.DOTALL)  # noqa: RUF001  # Chinese sentence ends


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """How a string is written: what its text counts as, and where it may be cut.

    `boundary(text, limit)` is the last place at or before `limit` that splits nothing; `text`
    starts at such a place. A JSON string is written with escapes.
    """

    count: Callable[[str], int]
    boundary: Callable[[str, int], int]


PLAIN = Spelling(count=len, boundary=grapheme.boundary)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of the first text: where it starts, in characters, and how it is written."""

    start: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Windows:
    """The pieces of a text in windows, what each takes, the first length, and which stand out."""

    pieces: tuple[Piece, ...]
    costs: tuple[int, ...]
    produced: int
    odd: tuple[int, ...]


def shorten_text(text: str, room: int, spelling: Spelling = PLAIN) -> str | None:
    """Return `text` within `room` characters, its first length stated; None if none fits.

    The ends come first, then windows whose words or characters are rare in the text; a gap says
    how much it leaves out. No grapheme is split, and a second cut keeps the first length.
    """
    if len(text) <= room:
        return text
    if not text:
        return None
    windows = look(text, spelling)
    usable = room - len(notice.string_mark(windows.produced, windows.produced))
    if usable < FEWEST_WINDOWS * WINDOW:
        kept = beginning(windows, usable, spelling)
    else:
        kept = select(windows, usable, spelling)
    body, count = written(kept, spelling)
    short = body + notice.string_mark(count, windows.produced)
    return short if len(short) <= room else None


def least(text: str, spelling: Spelling = PLAIN) -> int:
    """Return the smallest room into which `shorten_text` can bring a text."""
    produced = earlier(text, spelling)[1] if notice.STRING_MARK.search(text) else None
    produced = spelling.count(text) if produced is None else produced
    return min(len(text), len(notice.string_mark(0, produced)))


def beginning(windows: Windows, usable: int, spelling: Spelling) -> list[Piece]:
    """Return the first characters of a text, where there is room for no more."""
    first = windows.pieces[0]
    text = first.text
    for one in windows.pieces[1:]:
        if len(text) > usable or one.start != first.start + spelling.count(text):
            break
        text += one.text
    at = spelling.boundary(text, usable) if usable > 0 and first.start == 0 else 0
    return [Piece(start=0, text=text[:at])] if at else []


def select(windows: Windows, usable: int, spelling: Spelling) -> list[Piece]:
    """Return the ends, the windows that stand out, and as much of the head as then still fits."""
    costs = windows.costs
    gap = len(gap_mark(windows.produced))
    chosen: set[int] = set()
    left = usable - take(costs, iter(range(len(costs))), chosen, round(usable * HEAD_SHARE))
    backwards = iter(range(len(costs) - 1, -1, -1))
    tail = take(costs, backwards, chosen, min(round(usable * TAIL_SHARE), left) - gap)
    left -= tail + (gap if tail else 0)
    for at in windows.odd:
        if at not in chosen and costs[at] + gap <= left:
            chosen.add(at)
            left -= costs[at] + gap
    return extend(windows, chosen, left, spelling)


def take(costs: Sequence[int], order: Iterator[int], chosen: set[int], room: int) -> int:
    """Choose windows in their order until one does not fit; return what they cost."""
    used = 0
    for at in order:
        if at in chosen or used + costs[at] > room:
            break
        chosen.add(at)
        used += costs[at]
    return used


def extend(windows: Windows, chosen: set[int], left: int, spelling: Spelling) -> list[Piece]:
    """Add what still fits to the head: whole windows, then a part of one."""
    pieces, costs = windows.pieces, windows.costs
    at = 0
    while at < len(pieces) and (at in chosen or costs[at] <= left):
        left -= 0 if at in chosen else costs[at]
        chosen.add(at)
        at += 1
    kept = [pieces[index] for index in sorted(chosen)]
    if at < len(pieces):
        one = pieces[at]
        room = left - (costs[at] - len(one.text))
        size = spelling.boundary(one.text, room) if room > 0 else 0
        if size:
            kept.append(Piece(start=one.start, text=one.text[:size]))
            kept.sort(key=lambda piece: piece.start)
    return kept


def written(kept: Sequence[Piece], spelling: Spelling) -> tuple[str, int]:
    """Join the kept pieces, each gap stated; also return the characters kept."""
    out: list[str] = []
    count = end = 0
    for one in kept:
        if one.start > end:
            out.append(gap_mark(one.start - end))
        size = spelling.count(one.text)
        out.append(one.text)
        count += size
        end = one.start + size
    return "".join(out), count


def gap_mark(characters: int) -> str:
    """Return what stands for characters that are left out between two that are not."""
    return f" … [{characters} characters] … "


def forget() -> None:
    """Let go of the texts that were looked at: nothing of a result stays once it is cut."""
    look.cache_clear()


@lru_cache(maxsize=8)  # a fit is tried several times; the windows stay the same
def look(text: str, spelling: Spelling) -> Windows:
    """Split a text into windows and find those that stand out."""
    runs, produced = earlier(text, spelling)
    gap = len(gap_mark(produced))
    pieces: list[Piece] = []
    costs: list[int] = []
    for run in runs:
        at, start = 0, run.start
        for end in ends(run.text, spelling):
            one = Piece(start=start, text=run.text[at:end])
            # Between the runs of an earlier cut stands a gap that has to be stated again.
            costs.append(len(one.text) + (gap if at == 0 and start else 0))
            pieces.append(one)
            at, start = end, start + spelling.count(one.text)
    odd = tuple(one.record for one in surprising([one.text for one in pieces]))
    return Windows(pieces=tuple(pieces), costs=tuple(costs), produced=produced, odd=odd)


def earlier(text: str, spelling: Spelling) -> tuple[list[Piece], int]:
    """Return the pieces that an earlier cut kept, and the first length."""
    whole = [Piece(start=0, text=text)], spelling.count(text)
    mark = notice.STRING_MARK.search(text, max(len(text) - 80, 0))
    if mark is None:
        return whole
    if mark.start() == 0:  # nothing was kept: the mark is all there is
        return whole[0], int(mark[2])
    parts = GAP.split(text[: mark.start()])
    pieces: list[Piece] = []
    kept = start = 0
    for run, gap in zip(parts[::2], [*parts[1::2], "0"], strict=True):
        size = spelling.count(run)
        if run:
            pieces.append(Piece(start=start, text=run))
        kept += size
        start += size + int(gap)
    if kept != int(mark[1]) or start > int(mark[2]) or not pieces:
        return whole
    return pieces, int(mark[2])


def ends(text: str, spelling: Spelling) -> Iterator[int]:
    """Yield where each window ends: after white space where there is some, never in a grapheme."""
    at = 0
    while len(text) - at > WINDOW:
        size = window(text[at : at + 2 * WINDOW], spelling)
        look_at = 4 * WINDOW
        while size == 0:  # a cluster longer than a window stays whole
            part = text[at : at + look_at]
            size = len(part) if look_at >= len(text) - at else cluster(part, spelling)
            look_at *= 2
        at += size
        yield at
    if at < len(text):
        yield len(text)


def window(text: str, spelling: Spelling) -> int:
    """Return the length of the first window of a text."""
    space = SPACE.match(text, 0, WINDOW)
    size = space.end() if space and space.end() > WINDOW // 2 else WINDOW
    return spelling.boundary(text, size)


def cluster(text: str, spelling: Spelling) -> int:
    """Return where a text can be cut that cannot be cut within its first window, or 0."""
    return spelling.boundary(text, len(text) // 2)
