"""Cutting what is made of lines: blocks of whole records, each block with a fair share.

A format reads its text into blocks and says how a notice is written; everything else is here. CSV
is one block with a head, a diff has one block a file, Markdown one a section.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from ullage.cutter import notice
from ullage.cutter.budget import Budget
from ullage.cutter.choose import STANDOUT_SHARE, capped, choose
from ullage.cutter.keep import Keep
from ullage.cutter.notice import Prior
from ullage.cutter.share import hand_back, level
from ullage.cutter.standout import Standout
from ullage.cutter.values import (
    Account,
    Counted,
    Cut,
    Format,
    Noticed,
    Part,
    Size,
    left_out,
)
from ullage.cutter.wording import Body, Worded, with_notice

Shorten = Callable[[str, int], str | None]
"""A record within so many characters, its loss stated inside; None where it cannot be so short."""


Measure = Callable[[str], Sequence[tuple[int, bool]]]
"""What a record consists of, in its unit: runs of so many, each there or left out."""


def nothing_unusual() -> Sequence[Standout]:
    """Say that no record stands out."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One part of a text: whole records between a head and a tail that stay as long as it does.

    Head, records and tail are each written on lines of their own (no line end at their end).
    `unusual` and `decoded` are asked only when something must be left out; `decoded` gives the
    values that `keep` rules look at, one a record. A block without records is a heading or a caveat
    that stays if it can. `measure` says how many lines a record stands for, where that is more.
    `emptied` is written in place of head and tail where no record is left between them.
    """

    path: str
    records: Sequence[str]
    unit: Counted = "lines"
    head: str | None = None
    tail: str | None = None
    unusual: Callable[[], Sequence[Standout]] = nothing_unusual
    decoded: Callable[[], Sequence[object]] | None = None
    shorten: Shorten | None = None
    standout_share: float = STANDOUT_SHARE
    measure: Measure | None = None
    emptied: str | None = None

    def frame(self, gap: int) -> int:
        """Characters of head and tail, or of what is written in their place, gaps included."""
        frame = sum(len(one) + gap for one in (self.head, self.tail) if one is not None)
        return max(frame, len(self.emptied) + gap if self.emptied is not None else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How a text of one format is written.

    `before` and `after` stay whatever is cut: a root's tags, a header, the source's last line end.
    `insert(text, sentence)` puts the notice into a finished text where the syntax allows. `also`
    are clauses that the notice has to hold, `empty` is the emptiest text of the format.
    """

    format: Format
    blocks: Sequence[Block]
    insert: Callable[[str, str], str] = field(default=lambda text, said: bracketed(text, said))
    join: str = "\n"
    before: str = ""
    after: str = ""
    empty: str = ""
    prior: Prior = field(default_factory=Prior)
    also: Sequence[str] = ()
    findings: Sequence[Noticed] = ()


def bracketed(text: str, said: str) -> str:
    """Put the notice into a first line in brackets."""
    line = f"[{said.removesuffix('.')}]"
    return f"{line}\n{text}" if text else line


def cut_blocks(
    layout: Layout,
    source: str,
    budget: Budget,
    *,
    keep: Keep,
    inside: bool,
    way_back: str = "",
) -> Cut:
    """Cut a text that is longer than `budget`; below its floor it is empty, and says so."""
    fitter = BlockFitter(layout=layout, keep=keep)
    back = way_back or layout.prior.way_back
    insert = layout.insert if inside else apart
    done = with_notice(
        budget.limit,
        fit=fitter.fit,
        insert=insert,
        wordings=lambda parts: notice.wordings(
            parts,
            budget.words,
            layout.prior,
            fitter.not_kept(parts),
            always=layout.also,
            way_back=back,
        ),
    )
    nothing = fitter.put_together({})
    said = f"Cut: {'; '.join([notice.overall(nothing.parts, layout.prior), *layout.also])}."
    least = insert(nothing.text, said)
    if done is None:
        fitting = [text for text in (least, layout.empty, "") if len(text) <= budget.limit]
        done = Worded(text=fitting[0], said=said, parts=nothing.parts)
    account = Account(
        format=layout.format,
        budget=budget,
        floor=len(least),
        produced=Size(chars=len(source), records=records(done.parts, "produced")),
        delivered=Size(chars=len(done.text), records=records(done.parts, "delivered")),
        parts=done.parts,
        below_floor=not done.text,
        not_kept=tuple(fitter.not_kept(done.parts)),
        not_found=tuple(fitter.not_found()),
    )
    return Cut(
        text=done.text,
        notice=done.said,
        account=account,
        complete=False,
        findings=tuple(layout.findings),
    )


def shortened_lines(short: Mapping[int, str]) -> int:
    """Return how many lines of shortened records are not whole themselves."""
    lines = [line for text in short.values() for line in text.split("\n")]
    return sum(notice.STRING_MARK.search(line) is not None for line in lines)


def measured(
    block: Block, starts: Sequence[int], picked: Iterable[int], short: Mapping[int, str]
) -> list[int]:
    """Return which units of a block stand in its text; `starts` says where each record begins."""
    assert block.measure
    given: list[int] = []
    for index in sorted(picked):
        place = starts[index]
        for count, there in block.measure(short.get(index, block.records[index])):
            given.extend(range(place, place + count) if there else ())
            place += count
    return given


def starts_of(block: Block) -> list[int]:
    """Return at which unit each record of a block begins, and how many units there are."""
    assert block.measure
    return [0, *accumulate(sum(count for count, _ in block.measure(one)) for one in block.records)]


def apart(text: str, _: str) -> str:
    """Leave the notice out of the text."""
    return text


def records(parts: Sequence[Part], side: str) -> int:
    """Return the records of all parts on one side."""
    return sum(getattr(part, side) for part in parts if part.unit != "characters")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A fitted block: its text, and its account."""

    text: str
    part: Part


def only_a_head(block: Block) -> Part:
    """Return the account of a dropped block that had no records: the lines of its head."""
    count = (block.head or "").count("\n") + 1
    return Part(
        path=block.path, unit="lines", produced=count, delivered=0, left_out=left_out((), count)
    )


@dataclass(slots=True, kw_only=True)
class BlockFitter:
    """Fits the blocks of one text; what stands out is asked once."""

    layout: Layout
    keep: Keep
    odd: dict[int, Sequence[Standout]] = field(default_factory=dict)
    sizes: dict[int, list[int]] = field(default_factory=dict)
    units: dict[int, list[int]] = field(default_factory=dict)
    asked: dict[int, list[int]] = field(default_factory=dict)

    @property
    def gap(self) -> int:
        """Characters between two records."""
        return len(self.layout.join)

    def fit(self, room: int) -> Body | None:
        """Fit all blocks into `room`, each with a fair share; drop whole blocks where they must."""
        blocks = self.layout.blocks
        room -= len(self.layout.before) + len(self.layout.after)
        if room < 0:
            return None
        kept = self.blocks_that_fit(room)
        wants = [sum(self.full(at)) for at in kept]
        gap = self.gap
        extra = room + gap - sum(blocks[at].frame(gap) for at in kept)
        done: dict[int, Chosen] = {}
        order = sorted(range(len(kept)), key=wants.__getitem__)
        share = level(wants, extra)
        for count, rank in enumerate(order):
            if wants[rank] > share:
                share = max(extra // (len(order) - count), 0)
            one = self.fill(kept[rank], min(wants[rank], share))
            done[kept[rank]] = one
            extra -= len(one.text) + gap - blocks[kept[rank]].frame(gap) if one.text else 0
        hand_back(done, [kept[rank] for rank in order], extra, self.larger)
        return self.put_together(done)

    def blocks_that_fit(self, room: int) -> list[int]:
        """Return the blocks whose frames fit: all, or the first, the last and an even sample."""
        blocks = self.layout.blocks
        frames = [one.frame(self.gap) for one in blocks]
        if sum(frames) <= room + self.gap:
            return list(range(len(blocks)))
        wanted = [at for at in range(len(blocks)) if self.wanted(at)]
        return sorted(choose(frames, room + self.gap, wanted=wanted, unusual=()))

    def fill(self, at: int, room: int) -> Chosen:
        """Choose the records of a block that fit into `room`, line ends included."""
        block = self.layout.blocks[at]
        full = self.full(at)
        if sum(full) <= room:
            return self.chosen(at, dict.fromkeys(range(len(full)), ""), {})
        costs = capped(full, room, lambda _: 1) if block.shorten else list(full)
        picked, short, lost = self.tried(at, costs, room)
        if lost:  # what cannot be so short is whole or absent
            for index in lost:
                costs[index] = full[index]
            picked, short, lost = self.tried(at, costs, room)
        if lost:  # and so is all that is not known to be otherwise
            costs = [costs[index] if index in short else whole for index, whole in enumerate(full)]
            picked, short, _ = self.tried(at, costs, room)
        return self.chosen(at, picked, short)

    def tried(
        self, at: int, costs: Sequence[int], room: int
    ) -> tuple[dict[int, str], dict[int, str], list[int]]:
        """Choose records at their costs; also return the short ones, and which cannot be so short.

        What cannot be so short is not among the chosen ones.
        """
        picked = self.picked(at, costs, room)
        short = self.shortened(at, picked, costs)
        full = self.full(at)
        lost = [index for index in picked if costs[index] < full[index] and index not in short]
        for index in lost:
            del picked[index]
        return picked, short, lost

    def full(self, at: int) -> list[int]:
        """Return what each record of a block takes, the gap after it included."""
        if at not in self.sizes:
            self.sizes[at] = [len(one) + self.gap for one in self.layout.blocks[at].records]
        return self.sizes[at]

    def picked(self, at: int, costs: Sequence[int], room: int) -> dict[int, str]:
        """Choose the records of a block, each at its cost."""
        return choose(
            costs,
            room,
            wanted=self.wanted(at),
            unusual=self.unusual(at),
            standout_share=self.layout.blocks[at].standout_share,
        )

    def shortened(self, at: int, picked: dict[int, str], costs: Sequence[int]) -> dict[int, str]:
        """Return the chosen records that are outsized, each within its cost, if it can be."""
        block = self.layout.blocks[at]
        short: dict[int, str] = {}
        for index in picked:
            record = block.records[index]
            if costs[index] < len(record) + self.gap and block.shorten:
                text = block.shorten(record, costs[index] - self.gap)
                if text is not None:
                    short[index] = text
        return short

    def larger(self, at: int, before: Chosen, extra: int) -> Chosen | None:
        """Return a block with more room, if it can use it."""
        if before.part.whole:
            return None
        taken = len(before.text) + self.gap - self.layout.blocks[at].frame(self.gap)
        room = max(taken, 0) + extra
        return self.fill(at, room)

    def chosen(self, at: int, picked: dict[int, str], short: dict[int, str]) -> Chosen:
        """Return a block with the picked records, in their order."""
        block = self.layout.blocks[at]
        kept = sorted(picked)
        lines = [short.get(index, block.records[index]) for index in kept]
        text = self.layout.join.join(
            one for one in (block.head, *lines, block.tail) if one is not None
        )
        if not kept and block.emptied is not None:
            text = block.emptied
        given, count = kept, len(block.records)
        if block.measure:
            if at not in self.units:
                self.units[at] = starts_of(block)
            given = measured(block, self.units[at], picked, short)
            count = self.units[at][-1]
        part = Part(
            path=block.path,
            unit=block.unit,
            produced=self.layout.prior.first(block.path, count),
            delivered=len(given),
            shortened=shortened_lines(short) if block.measure else len(short),
            left_out=left_out(given, count),
            kept={index: picked[index] for index in kept if picked[index]},
        )
        return Chosen(text=text, part=part)

    def put_together(self, done: dict[int, Chosen]) -> Body:
        """Join the blocks; one that was dropped is in the account with nothing delivered."""
        parts = []
        for at, block in enumerate(self.layout.blocks):
            if at in done:
                parts.append(done[at].part)
            elif block.records:
                parts.append(self.chosen(at, {}, {}).part)
            elif block.head is not None:  # a heading or a renamed file, and nothing below it
                parts.append(only_a_head(block))
        text = self.layout.join.join(done[at].text for at in sorted(done) if done[at].text)
        return Body(text=self.layout.before + text + self.layout.after, parts=tuple(parts))

    def unusual(self, at: int) -> Sequence[Standout]:
        """Return which records of a block stand out."""
        if at not in self.odd:
            self.odd[at] = self.layout.blocks[at].unusual()
        return self.odd[at]

    def wanted(self, at: int) -> list[int]:
        """Return which records of a block the caller wants."""
        if at not in self.asked:
            block = self.layout.blocks[at]
            found = []
            if self.keep.looks_inside:
                found = self.keep.wanted(self.values(block))
            self.asked[at] = found
        return self.asked[at]

    def not_kept(self, parts: Sequence[Part]) -> list[str]:
        """Return the rules that the budget did not allow."""
        delivered = {part.path: part for part in parts}
        gone: list[object] = []
        for at, wanted in self.asked.items():
            block = self.layout.blocks[at]
            part = delivered.get(block.path)
            gone += [
                self.values(block)[index]
                for index in wanted
                if part and part.left_out and index not in part.kept
            ]
        return self.keep.fitting(gone) if gone else []

    def values(self, block: Block) -> Sequence[object]:
        """Return what `keep` rules look at, one a record."""
        return block.decoded() if block.decoded else block.records

    def not_found(self) -> list[str]:
        """Return the rules that nothing fits; a text of lines has no paths."""
        if not self.keep.paths and not self.keep.fields:
            return []
        found = {one for block in self.layout.blocks for one in self.keep.found(self.values(block))}
        return [*self.keep.paths, *(one for one in self.keep.equations if one not in found)]
