"""A chunked reading, step by step: chunks, then merges in levels until one result is left."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ullage.cutter.budget import Budget
from ullage.cutter.cut import cut
from ullage.history.chunk_asking import Reply, Steps
from ullage.history.chunk_plan import Chunk, Room, planned, ranged
from ullage.history.chunk_words import (
    Partial,
    Text,
    chunk_text,
    is_in,
    lost_said,
    merge_text,
    merged_label,
    whole_text,
)
from ullage.history.chunked import (
    Base,
    Chunked,
    ChunkRead,
    Cost,
    MergeRead,
    MissingRecord,
    ids_of,
    missing_said,
    proof_of,
)
from ullage.history.sheet import Sheet

Joined = Callable[[Sequence[Partial]], str]
LEAST_MERGED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is asked for, decided before the first request.

    `merge` is the instruction for a merge, or a function that merges the partial results itself.
    `merge_room` is what a merge request may take in all.
    """

    data: str
    sheet: Sheet
    base: Base
    room: Room
    instruction: str
    by: str | None
    key: str | None
    merge: str | Joined
    merge_room: int
    budget: Callable[[int], Budget]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Tally:
    """What was sent so far."""

    measure: Callable[[str], int]
    calls: int = 0
    sent: int = 0

    def add(self, texts: Sequence[Text], replies: Sequence[Reply]) -> None:
        """Count requests with their retries."""
        for text, reply in zip(texts, replies, strict=True):
            self.calls += reply.attempts
            self.sent += reply.attempts * self.measure(text.content)


@dataclass(slots=True)
class Merging:
    """Merges under way: what was asked, and what could not be merged."""

    plan: Plan
    of: int
    lost: Sequence[str]
    records: Mapping[int, tuple[int, ...]]
    merges: list[MergeRead] = field(default_factory=list)
    level: int = 0

    def batches(self, partials: Sequence[Partial]) -> list[tuple[list[Partial], list[str]]]:
        """Return what is merged together, two or more at a time, and which of them were cut."""
        merge = self.plan.merge if isinstance(self.plan.merge, str) else ""
        measure = self.plan.room.measure
        frame = measure(merge_text([], self.lost, self.plan.instruction, merge).content)
        room = max(self.plan.merge_room - frame, 1)
        sizes = [measure(one.written) + 2 for one in partials]
        groups: list[list[int]] = []
        used = 0
        for at, size in enumerate(sizes):
            fits = bool(groups) and used + size <= room
            if not fits and groups and len(groups[-1]) < LEAST_MERGED:
                fits = True  # one alone would be merged with nothing, and no level would end
            if fits:
                groups[-1].append(at)
                used += size
            else:
                groups.append([at])
                used = size
        return [self.fitted([partials[at] for at in group], room) for group in groups]

    def fitted(self, partials: list[Partial], room: int) -> tuple[list[Partial], list[str]]:
        """Return partial results that fit together: those over a fair share are cut, and say so."""
        measure = self.plan.room.measure
        if sum(measure(one.written) + 2 for one in partials) <= room:
            return partials, []
        share = room // len(partials)
        done, short = [], []
        for one in partials:
            left = share - measure(one.label) - 3
            if measure(one.text) <= left:
                done.append(one)
                continue
            text = cut(one.text, self.plan.budget(max(left, 1))).text
            done.append(Partial(label=one.label, text=text, first=one.first, last=one.last))
            short.append(one.label)
        return done, short

    def request(self, partials: Sequence[Partial]) -> Text:
        """Return the request for a batch; what was not read at all is said in each of them."""
        merge = self.plan.merge if isinstance(self.plan.merge, str) else ""
        return merge_text(partials, self.lost, self.plan.instruction, merge)

    def merged(self, partials: Sequence[Partial], answer: str) -> Partial:
        """Return the partial result that a merge has made."""
        first, last = partials[0].first, partials[-1].last
        positions = sorted(
            at for number in range(first, last + 1) for at in self.records.get(number, ())
        )
        label = merged_label(partials, self.of, ranged(positions))
        return Partial(label=label, text=answer, first=first, last=last)


def read_whole(plan: Plan) -> Steps[Chunked]:
    """Read data that is within its share: one request with all of it."""
    text = whole_text(plan.data, plan.instruction)
    tally = Tally(plan.room.measure)
    (reply,) = yield [text]
    tally.add([text], [reply])
    positions = tuple(range(len(plan.sheet.records)))
    read = ChunkRead(
        number=1,
        label="[all records]",
        positions=positions,
        answer=reply.answer,
        why=reply.why,
        attempts=reply.attempts,
        resumed=reply.resumed,
    )
    missing = missing_of(plan, [read])
    there = positions if plan.data in text.content and reply.answer is not None else ()
    return finished(plan, tally, [read], [], missing, [there], reply.answer, [])


def read_chunks(plan: Plan) -> Steps[Chunked]:
    """Read data that is over its share: a request a chunk, then merges."""
    chunks, notes = planned(plan.sheet, plan.room, plan.by)
    texts = [chunk_text(one, plan.instruction) for one in chunks]
    tally = Tally(plan.room.measure)
    replies = yield texts
    tally.add(texts, replies)
    reads = [read_of(chunk, reply) for chunk, reply in zip(chunks, replies, strict=True)]
    sent = [
        found_in(plan.sheet, chunk, text)
        for chunk, text, reply in zip(chunks, texts, replies, strict=True)
        if reply.answer is not None
    ]
    partials = [
        Partial(label=chunk.label, text=reply.answer, first=chunk.number, last=chunk.number)
        for chunk, reply in zip(chunks, replies, strict=True)
        if reply.answer is not None
    ]
    lost = lost_said(
        [
            (chunk, reply.why or "")
            for chunk, reply in zip(chunks, replies, strict=True)
            if reply.answer is None
        ]
    )
    merging = Merging(
        plan=plan,
        of=len(chunks),
        lost=lost,
        records={one.number: one.positions for one in reads if one.answer is not None},
    )
    answer, more = yield from merge_all(merging, partials, tally)
    missing = missing_of(plan, reads)
    return finished(
        plan, tally, reads, merging.merges, missing, sent, answer, [*plan.notes, *notes, *more]
    )


def merge_all(
    merging: Merging, partials: list[Partial], tally: Tally
) -> Steps[tuple[str | None, list[str]]]:
    """Merge partial results in levels; return the last one, and what is to be said of it.

    Where a merge fails, its partial results go on as they are, one below the other: nothing that
    was read is thrown away.
    """
    notes: list[str] = []
    if not partials:
        return None, notes
    if not isinstance(merging.plan.merge, str):
        return merging.plan.merge(partials), notes
    while len(partials) > 1:
        merging.level += 1
        batches = merging.batches(partials)
        asked = [one for one in batches if len(one[0]) > 1]
        texts = [merging.request(batch) for batch, _ in asked]
        replies = yield texts
        tally.add(texts, replies)
        by_first = {
            batch[0].first: (batch, short, text, reply)
            for (batch, short), text, reply in zip(asked, texts, replies, strict=True)
        }
        partials = []
        for batch, _ in batches:
            if batch[0].first not in by_first:
                partials += batch
                continue
            _, short, text, reply = by_first[batch[0].first]
            merging.merges.append(merge_read(merging.level, batch, short, text, reply))
            if reply.answer is None:
                notes.append(f"level {merging.level}: not merged: {reply.why}")
                return "\n\n".join(one.written for one in all_of(by_first, batches)), notes
            partials.append(merging.merged(batch, reply.answer))
    return partials[0].text, notes


Asked = Mapping[int, tuple[list[Partial], list[str], Text, Reply]]


def all_of(asked: Asked, batches: Sequence[tuple[list[Partial], list[str]]]) -> list[Partial]:
    """Return every partial result of a level that could not be merged to its end."""
    found: list[Partial] = []
    for batch, _ in batches:
        reply = asked[batch[0].first][3] if batch[0].first in asked else None
        if reply is not None and reply.answer is not None:
            labels = ", ".join(one.label for one in batch)
            first, last = batch[0].first, batch[-1].last
            found.append(Partial(label=labels, text=reply.answer, first=first, last=last))
        else:
            found += batch
    return found


def merge_read(
    level: int, batch: Sequence[Partial], short: Sequence[str], text: Text, reply: Reply
) -> MergeRead:
    """Return what a merge request held: only what stands in its text is counted."""
    return MergeRead(
        level=level,
        parts=tuple(one.label for one in batch if is_in(one, text.messages)),
        cut=tuple(short),
        answer=reply.answer,
        why=reply.why,
        attempts=reply.attempts,
    )


def read_of(chunk: Chunk, reply: Reply) -> ChunkRead:
    """Return what became of a chunk."""
    return ChunkRead(
        number=chunk.number,
        label=chunk.label,
        positions=chunk.positions,
        answer=reply.answer,
        why=reply.why,
        attempts=reply.attempts,
        cut=chunk.cut,
        resumed=reply.resumed,
    )


def found_in(sheet: Sheet, chunk: Chunk, text: Text) -> list[int]:
    """Return the records that stand in the text of a request, each at its place."""
    found = []
    for position, (start, end) in chunk.written.places.items():
        there = text.content[text.start + start : text.start + end]
        cut_text = chunk.written.text[start:end] if position in chunk.cut else None
        if there in (sheet.records[position], cut_text):
            found.append(position)
    return found


def missing_of(plan: Plan, reads: Sequence[ChunkRead]) -> list[MissingRecord]:
    """Return the records of the chunks that were not read."""
    if all(one.answer is not None for one in reads):
        return []
    ids = ids_of(plan.sheet.values(), plan.key)
    return [
        MissingRecord(
            position=at, id=ids.get(at), chunk=one.number, why=one.why or "no reason was given"
        )
        for one in reads
        if one.answer is None
        for at in one.positions
    ]


def finished(
    plan: Plan,
    tally: Tally,
    reads: Sequence[ChunkRead],
    merges: Sequence[MergeRead],
    missing: Sequence[MissingRecord],
    sent: Sequence[Sequence[int]],
    answer: str | None,
    notes: list[str],
) -> Chunked:
    """Put the result together, the notice of what is wrong above the answer."""
    records = len(plan.sheet.records)
    if plan.sheet.instead is not None:
        notes = [f"read as lines: {plan.sheet.instead}", *notes]
    said = [missing_said(missing, records)] if missing else []
    cut_parts = [label for one in merges for label in one.cut]
    if cut_parts:
        said.append(f"cut in a merge request: {', '.join(cut_parts)}")
    said += [note for note in notes if "not merged" in note or "was cut" in note]
    notice = "".join(f"[ullage: {one}]\n" for one in said)
    whole = plan.room.measure(whole_text(plan.data, plan.instruction).content)
    return Chunked(
        text=notice + (answer or ""),
        answer=answer,
        form=plan.sheet.form,
        base=plan.base,
        chunks=tuple(reads),
        merges=tuple(merges),
        missing=tuple(missing),
        proof=proof_of(records, sent),
        cost=Cost(calls=tally.calls, sent=tally.sent, whole=whole),
        notes=tuple(notes),
    )
