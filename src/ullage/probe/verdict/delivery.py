"""How one payload arrived: in one text, at its first request."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ullage.arrivals.arrival import LEAST_FIGURE, arrival, loss_of
from ullage.arrivals.notice import Loss
from ullage.arrivals.read import read
from ullage.arrivals.states import Counts, State
from ullage.arrivals.undressed import undressed
from ullage.probe.canary import Payload
from ullage.probe.forms import FORMS
from ullage.probe.rows import Part
from ullage.probe.verdict.notice import Said, judged
from ullage.probe.verdict.records import Records, records
from ullage.probe.verdict.side import Side, side
from ullage.probe.verdict.syntax import DECODES, Syntax, syntax
from ullage.transcript.message import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class PartRows:
    """The records of one part: produced, delivered whole, and of how many others the id."""

    produced: int
    delivered: int
    partial: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """What of one payload arrived.

    `chars_delivered` counts the characters of the produced text that are in the delivered one,
    `chars_given` all that this holds. `lines_whole` and `lines_cut` are None for a format that has
    no lines. `around` is what stands there that is not the payload's, notice or not. `role` and
    `request` say in which message of which request it came first; None where it never came.
    `late` says that it was not the first request after the payload was made, `sent` is False where
    there was none after that: the harness ended.
    """

    rows_produced: int
    rows_delivered: int
    rows_partial: int
    by_part: Mapping[Part, PartRows]
    side_lost: Side
    chars_produced: int
    chars_delivered: int
    chars_given: int
    syntax: Syntax
    notice: Said
    lines_whole: int | None = None
    lines_cut: int | None = None
    around: str = ""
    role: Role | None = None
    request: int | None = None
    late: bool = False
    sent: bool = True
    missing: tuple[int, ...] = field(default=(), repr=False)

    @property
    def valid(self) -> bool:
        """Whether what arrived decodes as what was produced, or is whole lines of it."""
        return self.syntax in DECODES

    @property
    def lost(self) -> bool:
        """Whether a record is not whole, or nothing can be decoded any more."""
        return self.rows_delivered < self.rows_produced or self.syntax in ("broken", "nothing")


def delivery(produced: Payload, delivered: str, *, around: str | None = None) -> Delivery:
    """Judge a delivered text against its payload.

    `around` is what the harness writes around a payload when it loses nothing (`Delivery.around`
    of such a case): that is no notice, and all else is one, whatever its words. Where it is not
    known, only words that speak of a loss are a notice.
    """
    made, bare = undressed(produced.text, delivered)
    seen = arrival(made, bare)
    got = read(bare)
    found = records(produced, bare, got)
    by_line = FORMS[produced.format].by_line
    form = syntax(produced, bare, got, found, seen)
    whole = found.whole == len(found.states) and form not in ("broken", "nothing")
    return Delivery(
        rows_produced=len(found.states),
        rows_delivered=found.whole,
        rows_partial=found.partial,
        by_part=by_part(produced, found),
        side_lost=side([one == "whole" for one in found.states]),
        chars_produced=len(produced.text),
        chars_delivered=max(seen.chars, found.chars),
        chars_given=len(delivered),
        syntax=form,
        notice=judged(
            seen.notice.text,
            around,
            None if whole else loss(produced, found, delivered),
        ),
        lines_whole=found.whole if by_line else None,
        lines_cut=found.cut if by_line else None,
        around=seen.notice.text,
        missing=tuple(at for at, one in enumerate(found.states) if one != "whole"),
    )


def by_part(produced: Payload, found: Records) -> Mapping[Part, PartRows]:
    """Count the records of each part."""
    states: dict[Part, list[State]] = defaultdict(list)
    for place, one in zip(produced.places.values(), found.states, strict=True):
        states[place.part].append(one)
    return {part: counted(known) for part, known in states.items()}


def counted(states: Sequence[State]) -> PartRows:
    """Count the records of one part."""
    return PartRows(
        produced=len(states), delivered=states.count("whole"), partial=states.count("partial")
    )


def loss(produced: Payload, found: Records, delivered: str) -> Loss:
    """Gather the figures that a notice may state, and the names of the parts that lost."""
    counts = Counts(produced=len(found.states), delivered=found.whole, partial=found.partial)
    known = loss_of(counts, None, found.chars, produced.text)
    parts = {
        part: one for part, one in by_part(produced, found).items() if one.delivered < one.produced
    }
    figures = {
        figure
        for one in parts.values()
        for figure in (one.produced, one.delivered, one.produced - one.delivered)
        if figure >= LEAST_FIGURE
    }
    size, given = len(produced.text.encode()), len(delivered.encode("utf-8", "surrogatepass"))
    is_named = produced.format == "json" and bool(parts)
    return Loss(
        figures=known.figures | figures | {given, abs(size - given)},
        parts=tuple(part.removeprefix("$.") for part in parts) if is_named else ("",),
    )
