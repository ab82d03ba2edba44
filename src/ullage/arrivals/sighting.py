"""One produced text seen in one message text: where, how much of it, and how surely."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal

from ullage.arrivals.notice import WRAPPER
from ullage.arrivals.parts import parts_of
from ullage.arrivals.pool import Pool
from ullage.arrivals.read import Reading, read
from ullage.arrivals.runs import SEED, Run, block_index, find_runs, kept
from ullage.arrivals.scan import Piece
from ullage.arrivals.values import canonical, has_leaf

Certainty = Literal["call-id", "exact", "high", "low"]

SHORT = 16
"""A shorter produced text is joined only with a message that says nothing else."""
OWN_LINE = 200
"""A shorter produced text is joined only where it fills lines of its own, or all of a message."""
LEAST = 100
"""Fewer matched characters of a text that was cut are no evidence."""
SURE = 400
"""From this many matched characters on a join of a cut text is of high certainty."""
CLEAR = 16
"""By so many characters the next best produced text must stay behind."""
PURE = 0.95
"""So much of what is not the mark of the cut must be the produced text's own characters."""
AS_GOOD = 0.9
BESIDE = 4
"""So many characters stand between two records at the most."""
DENSE = 0.5
"""So much of the stretch must be the produced text's own characters."""

SPELLING = re.compile(r"[\s\\]+")
PYTHON_WORD = re.compile(r"\b(?:True|False|None)\b")
JSON_WORDS = {"True": "true", "False": "false", "None": "null"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """`texts[index][start:end]` carries the produced text, `matched` characters of it.

    `call-id`: the message answers the call that made it; what stands there is what came of it.
    `exact`: it stands there as it was produced, or is the same value in another spelling.
    `high`: a cut or re-spelled copy with 400 characters or half of the produced text in common,
    made of it but for one mark in the middle, and no other produced text of the run fits as well.
    `low`: any other join.
    """

    index: int
    start: int
    end: int
    matched: int
    certainty: Certainty


@dataclass(frozen=True)
class Source:
    """A produced text, read when it is needed."""

    text: str

    @cached_property
    def bare(self) -> str:
        """The text without the space around it."""
        return self.text.strip()

    @cached_property
    def reading(self) -> Reading:
        """The values in it."""
        return read(self.text)

    @cached_property
    def root(self) -> str | None:
        """Its canonical value, where it is one value with something in it."""
        is_whole = self.reading.is_value and has_leaf(self.reading.value)
        return canonical(self.reading.value) if is_whole else None

    @cached_property
    def records(self) -> frozenset[str]:
        """The canonical texts of its records, those that are long enough to be its own."""
        if self.root is None:
            return frozenset()
        records = (one for part in parts_of(self.reading.value) for one in part.records)
        return frozenset(text for one in records if len(text := canonical(one)) >= SHORT)

    @cached_property
    def squeezed(self) -> str:
        """The text without what another spelling of it would change."""
        return squeezed(self.text)

    @cached_property
    def blocks(self) -> dict[str, list[int]]:
        """Its blocks by their text."""
        return block_index(self.bare, SEED)


def squeezed(text: str) -> str:
    """Return a text with what JSON and Python spell differently made alike, without any space."""
    alike = PYTHON_WORD.sub(lambda word: JSON_WORDS[word[0]], text)
    return SPELLING.sub("", alike).replace("'", '"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One value in a message, and the canonical texts of it and of what is inside it."""

    start: int
    end: int
    values: frozenset[str]
    outer: frozenset[str]


@dataclass(frozen=True)
class Target:
    """A message text, read when it is needed."""

    text: str

    @cached_property
    def unwrapped(self) -> str:
        """The text without the words that frameworks put around a result."""
        return WRAPPER.sub("", self.text).strip()

    @cached_property
    def found(self) -> tuple[Found, ...]:
        """Its values, in order."""
        if not any(mark in self.text for mark in "[{("):
            return ()
        reading = read(self.text)
        direct = reading.surface == self.text
        return tuple(self.values_in(reading, piece, direct=direct) for piece in reading.pieces)

    def values_in(self, reading: Reading, piece: Piece, *, direct: bool) -> Found:
        """Return one value; where it was encoded again, its place is the whole text."""
        pool = Pool(replace(reading, pieces=(piece,)))
        pool.enter_strings()
        whole = [(canonical(item.value), item.outer) for item in pool.items if not item.torn]
        return Found(
            start=piece.start if direct else 0,
            end=piece.end if direct else len(self.text),
            values=frozenset(text for text, _ in whole),
            outer=frozenset(text for text, outer in whole if outer),
        )


def verbatim(source: Source, target: Target) -> Iterator[Sighting]:
    """Find every place where a produced text stands as it is, in order."""
    text, bare = target.text, source.bare
    if len(bare) < SHORT:
        if target.unwrapped == bare:
            start = text.rindex(bare)
            yield seen(start, start + len(bare), len(bare))
        return
    start = text.find(bare)
    while start >= 0:
        end = start + len(bare)
        if len(bare) >= OWN_LINE or fills_lines(text, start, end):
            yield seen(start, end, len(bare))
        start = text.find(bare, end)


def seen(start: int, end: int, matched: int, certainty: Certainty = "exact") -> Sighting:
    """Return a sighting whose message is filled in later."""
    return Sighting(index=-1, start=start, end=end, matched=matched, certainty=certainty)


def fills_lines(text: str, start: int, end: int) -> bool:
    """Whether nothing else stands on the lines of a stretch, or it is most of the text."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    stop = text.find("\n", end)
    after = text[end:stop] if stop >= 0 else text[end:]
    return not (before + after).strip() or 2 * (end - start) > len(text)


def changed(source: Source, target: Target, *, alike: bool) -> list[Sighting]:
    """Find the stretches that may carry a cut or re-spelled copy; certainty is not judged yet.

    Either every place of the whole value, or the best one of a part. `alike` tells that the two
    have a long stretch in common.
    """
    again = list(as_value(source, target))
    if again:
        return again
    by_runs = as_runs(source, target) if alike else None
    by_records = as_records(source, target)
    if by_runs is None or by_records is None:
        return [one for one in (by_runs, by_records) if one is not None]
    return [by_records if by_runs.matched < AS_GOOD * by_records.matched else by_runs]


def as_value(source: Source, target: Target) -> Iterator[Sighting]:
    """Find every place of the whole produced value in another spelling, or in an envelope."""
    if source.root is None or len(source.root) < SHORT:
        return
    for one in target.found:
        if source.root in one.outer:
            yield seen(one.start, one.end, len(source.bare))


def as_records(source: Source, target: Target) -> Sighting | None:
    """Find records of a produced value, in whatever spelling."""
    if len(source.bare) < OWN_LINE or not source.records:
        return None
    holding = [one for one in target.found if not source.records.isdisjoint(one.values)]
    if not holding:
        return None
    common = source.records.intersection(*[frozenset().union(*[one.values for one in holding])])
    start, end = holding[0].start, max(one.end for one in holding)
    matched = min(sum(map(len, common)), end - start)
    return seen(start, end, matched, "high") if matched >= LEAST else None


def as_runs(source: Source, target: Target) -> Sighting | None:
    """Find the stretch that holds a produced text's own characters, with a mark between them."""
    runs = list(find_runs(source.bare, target.text, source.blocks, SEED))
    found = adjoined(runs)
    if not found:
        return None
    start, end, matched = found[0].start, found[-1].end, kept(found)
    if matched < DENSE * (end - start):
        longest = max(found, key=lambda run: run.end - run.start)
        start, end, matched = longest.start, longest.end, longest.end - longest.start
        found = [longest]
    mark = max((right.start - left.end for left, right in pairwise(found)), default=0)
    pure = matched >= PURE * (end - start - mark)
    return seen(start, end, matched, "high" if pure else "low") if matched >= LEAST else None


def adjoined(runs: Sequence[Run]) -> list[Run]:
    """Return the runs that are long enough to be no chance, and shorter ones right beside them.

    A cut by records keeps records that stood apart: each is a run of its own, and short.
    """
    belongs = [run.end - run.start >= 2 * SEED for run in runs]
    beside = [right.start - left.end <= BESIDE for left, right in pairwise(runs)]
    for at, touches in enumerate(beside):
        belongs[at + 1] |= touches and belongs[at]
    for at, touches in reversed(list(enumerate(beside))):
        belongs[at] |= touches and belongs[at + 1]
    return [run for run, its in zip(runs, belongs, strict=True) if its]


def judged(one: Sighting, source: Source, rivals: Sequence[int]) -> Sighting:
    """Judge the certainty of a changed copy; `rivals` are what other produced texts matched."""
    if one.certainty != "high":
        return one
    much = one.matched >= SURE or 2 * one.matched >= len(source.bare)
    alone = all(rival + CLEAR <= one.matched for rival in rivals)
    return replace(one, certainty="high" if much and alone else "low")
