"""Logs: whole events, similar ones folded with a count, what went wrong wherever it stands."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ullage.cutter import events, miner, plain, traces
from ullage.cutter.blocks import Block, Layout
from ullage.cutter.events import Event
from ullage.cutter.fold import Foldable, ends, measure
from ullage.cutter.notice import Prior
from ullage.cutter.signals import (
    NEIGHBOUR,
    SUMMARY,
    WARNING,
    WORD,
    audible,
    hints_of,
    signal,
)
from ullage.cutter.standout import Standout
from ullage.cutter.values import Format

# From this share of its lines on, a text is a log.
ENOUGH = 0.5
# Lines that are alike but for numbers and paths tell a log when there are so many of one kind.
REPEATS = 8
# A run of at least so many events of one template is folded.
LONG_RUN = 5
# How many events at the end may be a summary.
TAIL = 8
# What is wrong matters more than what is usual.
STANDOUT_SHARE = 0.7
# The first event of its kind says more than the next ones.
FIRST_OF_KIND = 6.0
FILLER = -1

Signal = Callable[[str, bool], float]
"""How loudly an event, near the end or not, asks to be kept."""


def read(text: str) -> Layout | None:
    """Read a log; None for text of which less than half looks like one."""
    lines, prior = plain.read(text)
    if len(lines) < 2:
        return None
    found = events.split(lines)
    if not is_log(found):
        return None
    hints = hints_of(text)
    return layout(
        "log",
        found,
        text,
        prior,
        signal=lambda one, near: signal(one, near_end=near, hints=hints),
    )


def is_log(found: Sequence[Event]) -> bool:
    """Whether enough lines stand in events that only logs have, or are alike."""
    sizes = [sum(1 for line in one.lines if line.strip()) for one in found]
    known = sum(size for one, size in zip(found, sizes, strict=True) if one.known)
    if known >= ENOUGH * sum(sizes):
        return known > 1
    others = [one.lines[0] for one in found if not one.known]
    keys = miner.mine(others).keys
    counts = Counter(key for key in keys if says_something(key))
    alike = sum(count for count in counts.values() if count >= REPEATS)
    return known + alike >= ENOUGH * sum(sizes)


def says_something(key: str) -> bool:
    """Whether a masked line has words between values, and is no list item, table row or quote."""
    words = sum(word.strip(miner.SEPARATOR).isalpha() for word in key.split())
    values = key.count(miner.SEPARATOR)
    if key[:1] in "-*+|>#{" or any(sign in key for sign in ",'\""):
        return False
    return words >= 2 or (words == 1 and values >= 2)


def layout(
    form: Format,
    found: Sequence[Event],
    text: str,
    prior: Prior,
    *,
    signal: Signal,
    filler: Callable[[str], bool] = lambda _: False,
) -> Layout:
    """Return a layout of one block with the events of a text, runs of similar ones folded.

    Events that are `filler` are alike, whatever they say.
    """
    weighed = [
        replace(weight, template=FILLER) if filler(event.text) else weight
        for event, weight in zip(found, weigh(found, signal), strict=True)
    ]
    records = list(recorded(found, weighed))
    folds = {one.text: one.fold for one in records}
    total = prior.records or prior.parts.get("$")
    block = Block(
        path="$",
        unit="lines",
        measure=measure,
        records=[one.text for one in records],
        unusual=lambda: unusual(records),
        shorten=lambda record, room: folds[record].within(room),
        standout_share=STANDOUT_SHARE,
    )
    if total:
        # Lines that a first cut left out without a mark are gone; how many there were, it has said.
        here = sum(count for one in records for count, _ in measure(one.text))
        prior = Prior(parts={"$": replace(total, delivered=here)})
    return Layout(
        format=form, blocks=[block], prior=prior, after="\n" if text.endswith("\n") else ""
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """What is known of one event: its template, how much it stands out, and why."""

    template: int
    why: str = ""
    strength: float = 0.0


def weigh(found: Sequence[Event], signal: Signal) -> list[Weighed]:
    """Weigh each event by what it says and by how rare it is, and its neighbours with it."""
    mined = miner.mine([one.lines[0] for one in found])
    said = audible([signal(one.text, at >= len(found) - TAIL) for at, one in enumerate(found)])
    plain = {template: Weighed(template=template) for template in set(mined.templates)}
    weighed = [plain[template] for template in mined.templates]
    for odd in miner.uncommon(mined):
        weighed[odd.record] = replace(weighed[odd.record], why=odd.why, strength=odd.strength)
    seen: set[int] = set()
    for at, loudness in enumerate(said):
        if loudness:
            weighed[at] = louder(weighed[at], loudness, first=mined.templates[at] not in seen)
            seen.add(mined.templates[at])
    for at, loudness in enumerate(said):
        for near in (at - 1, at + 1) if loudness >= WORD else ():
            if 0 <= near < len(found) and weighed[near].strength < NEIGHBOUR:
                weighed[near] = replace(weighed[near], why="near an error", strength=NEIGHBOUR)
    return weighed


def louder(one: Weighed, loudness: float, *, first: bool) -> Weighed:
    """Add what an event says to how rare it is."""
    why = "error" if loudness >= WORD else "summary" if loudness >= SUMMARY else "warning"
    if loudness <= WARNING < one.strength:
        why = one.why
    rarity = min(one.strength, FIRST_OF_KIND)
    strength = max(one.strength, loudness + rarity + FIRST_OF_KIND * first)
    return replace(one, why=why, strength=strength)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """An event, or what is between the first and the last of a run of similar ones."""

    text: str
    fold: Foldable
    weight: Weighed


def recorded(found: Sequence[Event], weighed: Sequence[Weighed]) -> Iterator[Record]:
    """Yield the records of a log: events, and of a long run its first, its middle and its last."""
    start = 0
    while start < len(found):
        end = start + 1
        if weighed[start].strength <= NEIGHBOUR:
            while end < len(found) and alike(weighed[start], weighed[end]):
                end += 1
        if end - start < LONG_RUN:
            for at in range(start, end):
                yield single(found[at], weighed[at])
        else:
            yield single(found[start], weighed[start])
            yield run(found[start + 1 : end - 1], weighed[start])
            yield single(found[end - 1], weighed[end - 1])
        start = end


def alike(one: Weighed, other: Weighed) -> bool:
    """Whether two events may be folded into one run."""
    return one.template == other.template and other.strength <= NEIGHBOUR


def single(event: Event, weight: Weighed) -> Record:
    """Return the record of one event."""
    fold = Foldable(items=event.lines, order=traces.order(event.lines))
    return Record(text=event.text, fold=fold, weight=weight)


def run(between: Sequence[Event], weight: Weighed) -> Record:
    """Return the record of what is between the ends of a run."""
    items = [one.text for one in between]
    fold = Foldable(items=items, order=ends(len(items)), like=True)
    return Record(text="\n".join(items), fold=fold, weight=Weighed(template=weight.template))


def unusual(records: Sequence[Record]) -> list[Standout]:
    """Return the records that stand out, strongest first."""
    odd = [
        Standout(record=at, why=one.weight.why, strength=one.weight.strength)
        for at, one in enumerate(records)
        if one.weight.strength
    ]
    return sorted(odd, key=lambda one: (-one.strength, one.record))
