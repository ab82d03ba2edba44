"""What a chunked reading returns: the answer, what each request held, and what was not read."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ullage.cutter.excerpt import excerpt
from ullage.history.chunk_plan import ranged

SHOWN = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """What the share is a share of, in the budget's unit, and whether the data is over it.

    `usable` is the budget after the reserve for the reply; `data` the size of the data; `most` is
    `share` of `usable`.
    """

    unit: str
    budget: int
    reserve: int
    usable: int
    share: float
    most: int
    data: int

    @property
    def over(self) -> bool:
        """Whether the data takes more than its share, so that it is read in chunks."""
        return self.data > self.most

    def __str__(self) -> str:
        """Say the comparison with its base."""
        sign = ">" if self.over else "<="
        return (
            f"data {self.data} {sign} {self.most} {self.unit}: {self.share:.0%} of the usable "
            f"budget {self.usable} (budget {self.budget} - reserve {self.reserve})"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkRead:
    """One chunk: the positions of its records, the answer, and how often it was asked for.

    `answer` is None where no attempt gave one; `why` says why then. `cut` are records in it that
    were larger than a chunk. `resumed` says that the answer is from the journal.
    """

    number: int
    label: str
    positions: tuple[int, ...]
    answer: str | None
    why: str | None
    attempts: int
    cut: tuple[int, ...] = ()
    resumed: bool = False

    def to_dict(self) -> dict[str, object]:
        """Return the members of `chunks[]` in `ullage.chunks/1`."""
        return {
            "number": self.number,
            "label": self.label,
            "records": list(self.positions),
            "answer": self.answer,
            "why": self.why,
            "attempts": self.attempts,
            "cut": list(self.cut),
            "resumed": self.resumed,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeRead:
    """One merge request: which partial results stood in it, by their labels.

    `cut` are those that were too large for it and stand there with a notice of what is left out.
    """

    level: int
    parts: tuple[str, ...]
    cut: tuple[str, ...]
    answer: str | None
    why: str | None
    attempts: int

    def to_dict(self) -> dict[str, object]:
        """Return the members of `merges[]` in `ullage.chunks/1`."""
        return {
            "level": self.level,
            "parts": list(self.parts),
            "cut": list(self.cut),
            "answer": self.answer,
            "why": self.why,
            "attempts": self.attempts,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingRecord:
    """A record that no answered request held: its position from 0, its id, its chunk, and why."""

    position: int
    id: str | None
    chunk: int
    why: str

    def __str__(self) -> str:
        """Name the record."""
        return f"record {self.position}" if self.id is None else f"{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """How often each record stood, byte for byte, in a request that was answered.

    Counted in the texts that were sent, by the place of each record in them. A record that had to
    be cut counts where its shortened text stood.
    """

    records: int
    once: int
    never: tuple[int, ...]
    more: tuple[int, ...]

    @property
    def holds(self) -> bool:
        """Whether each record was in exactly one request that was answered."""
        return self.once == self.records


def proof_of(records: int, sent: Sequence[Sequence[int]]) -> Proof:
    """Count; `sent` holds for each answered request the positions of the records found in it."""
    times = Counter(at for one in sent for at in one)
    return Proof(
        records=records,
        once=sum(times[at] == 1 for at in range(records)),
        never=tuple(at for at in range(records) if not times[at]),
        more=tuple(at for at in range(records) if times[at] > 1),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Requests and what they took, retries included, against one request with all of the data.

    `sent` is in the budget's unit. What the journal had was not asked for again, and costs nothing.
    """

    calls: int
    sent: int
    whole: int

    @property
    def extra_calls(self) -> int:
        """Requests beyond the one."""
        return self.calls - 1

    @property
    def extra_sent(self) -> int:
        """What was sent beyond what one request with all of the data would have taken."""
        return self.sent - self.whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunked:
    """The result of `read_in_chunks`.

    `text` is what to use: the answer, below a notice where something was not read or not merged.
    `answer` is the answer alone, None where there is none. `base` says what the share is one of.
    """

    text: str
    answer: str | None
    form: str
    base: Base
    chunks: tuple[ChunkRead, ...]
    merges: tuple[MergeRead, ...]
    missing: tuple[MissingRecord, ...]
    proof: Proof
    cost: Cost
    notes: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether every record was read whole, and every partial result is in the answer."""
        cut = any(one.cut for one in self.chunks) or any(one.cut for one in self.merges)
        failed = any(one.answer is None for one in self.merges)
        return not (self.missing or cut or failed) and self.answer is not None

    def to_dict(self) -> dict[str, object]:
        """Return the members of `ullage.chunks/1`, in their order."""
        base = self.base
        return {
            "text": self.text,
            "complete": self.complete,
            "form": self.form,
            "base": {
                "unit": base.unit,
                "budget": base.budget,
                "reserve": base.reserve,
                "usable": base.usable,
                "share": base.share,
                "most": base.most,
                "data": base.data,
                "said": str(base),
            },
            "chunks": [one.to_dict() for one in self.chunks],
            "merges": [one.to_dict() for one in self.merges],
            "missing": [
                {"record": one.position, "id": one.id, "chunk": one.chunk, "why": one.why}
                for one in self.missing
            ],
            "proof": {
                "records": self.proof.records,
                "once": self.proof.once,
                "never": list(self.proof.never),
                "more": list(self.proof.more),
            },
            "cost": {
                "calls": self.cost.calls,
                "extra_calls": self.cost.extra_calls,
                "sent": self.cost.sent,
                "whole": self.cost.whole,
                "extra_sent": self.cost.extra_sent,
            },
            "notes": list(self.notes),
        }


def missing_said(missing: Sequence[MissingRecord], records: int) -> str:
    """Say which records were not read: all of them by position, and by id where they have one."""
    by_why: dict[str, list[MissingRecord]] = {}
    for one in missing:
        by_why.setdefault(one.why, []).append(one)
    told = [
        f"{named(group)}, because of {excerpt(' '.join(why.split()), SHOWN)}"
        for why, group in by_why.items()
    ]
    return f"{len(missing)} of {records} records were not read: {'; '.join(told)}"


def named(group: Sequence[MissingRecord]) -> str:
    """Name records that are missing for one reason."""
    runs = ranged([one.position for one in group])
    ids = [one.id for one in group if one.id is not None]
    return f"{runs} ({', '.join(ids)})" if ids else runs


IDS = ("id", "_id", "uuid", "key", "number", "name")


def ids_of(values: Sequence[object], field: str | None) -> dict[int, str]:
    """Return what identifies each record, by its position: a field that no two of them share.

    The one that is named; else the first of the usual names, or one that ends in `_id`, which every
    record has with a value of its own. Empty where there is none.
    """
    rows = {at: one for at, one in enumerate(values) if isinstance(one, Mapping)}
    if not rows:
        return {}
    names = next(iter(rows.values())).keys()
    usual = [*IDS, *(str(name) for name in names if str(name).endswith(("_id", "Id", "ID")))]
    for name in [field] if field is not None else usual:
        found = {at: str(row[name]) for at, row in rows.items() if row.get(name) is not None}
        if field is not None or (len(found) == len(rows) == len(set(found.values()))):
            return found
    return {}
