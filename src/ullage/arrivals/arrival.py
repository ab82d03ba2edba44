"""What arrived of one produced text in one delivered text."""

from dataclasses import dataclass

from ullage.arrivals.fields import FieldArrival, field_arrivals
from ullage.arrivals.keys import KeyReport, key_report
from ullage.arrivals.lines import line_counts, lines_of, texts_in
from ullage.arrivals.notice import Loss, Notice, notice
from ullage.arrivals.parts import parts_of
from ullage.arrivals.read import Form, Reading, read
from ullage.arrivals.records import Match, match
from ullage.arrivals.runs import blocks, kept, runs, runs_of
from ullage.arrivals.states import Counts
from ullage.arrivals.undressed import undressed
from ullage.arrivals.validity import validity
from ullage.arrivals.values import canonical, has_leaf
from ullage.arrivals.wanted import AllWanted
from ullage.transcript.words import Boundary


@dataclass(frozen=True, slots=True, kw_only=True)
class PartArrival:
    """The records of one part: produced, delivered whole, delivered in part."""

    path: str
    produced: int
    delivered: int
    partial: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """What arrived across one boundary.

    `records` counts the records of JSON and of a Python literal, the lines of any other text.
    `chars` counts the characters of the produced text that are found in the delivered one.
    `valid` is None where the produced text is not JSON.
    """

    boundary: Boundary
    produced_chars: int
    delivered_chars: int
    chars: int
    form: Form
    stopped: bool
    valid: bool | None
    notice: Notice
    records: Counts
    parts: tuple[PartArrival, ...]
    fields: tuple[FieldArrival, ...]
    keys: KeyReport | None
    rate: float | None

    @property
    def lost(self) -> bool:
        """Whether anything that was produced did not arrive."""
        return is_short(self.rate, self.records)

    def to_dict(self) -> dict[str, object]:
        """Return the members of `ullage.arrival/1`, in their order, without its schema."""
        document: dict[str, object] = {
            "boundary": self.boundary,
            "valid": self.valid,
            "form": self.form,
            "notice": {"grade": self.notice.grade, "text": self.notice.text},
            "records": {
                "produced": self.records.produced,
                "delivered": self.records.delivered,
                "partial": self.records.partial,
            },
            "parts": [
                {
                    "path": part.path,
                    "produced": part.produced,
                    "delivered": part.delivered,
                    "partial": part.partial,
                }
                for part in self.parts
            ],
            "fields": [
                {
                    "path": field.path,
                    "field": field.field,
                    "produced": field.produced,
                    "delivered": field.delivered,
                }
                for field in self.fields
            ],
        }
        if self.keys is not None:
            document["keys"] = self.keys.to_dict()
        return document | {"stopped": self.stopped, "rate": self.rate}


def arrival(
    produced: str, delivered: str, *, key: str | None = None, boundary: Boundary = "budget"
) -> Arrival:
    """Compare what was produced with what was delivered; `key` names an identifying field.

    The rate is by records where the produced text is one JSON value or Python literal with
    records in it; by lines where it is other text of two lines or more; else by characters.
    It is None where nothing was produced: a blank text, or a value that holds no record and no
    scalar (`[]`, `{}`, `null`, `{"rows":[]}`). Only if such a value was delivered as a blank text
    is it 0: "there are none" was said, and did not arrive. Colours that were taken away, and line
    numbers that were added, are no loss.
    """
    made, got = map(read, undressed(produced, delivered))
    wanted = wanted_of(made, key)
    matched = match(wanted, got, verbatim=made.surface.strip()) if wanted else None
    text = text_made(made)
    found = runs(text.strip(), got.surface)
    chars = most_inside(text.strip(), got, kept(found))
    counts = total(matched) if matched else line_counts(text, got)
    rate = rate_of(made, got, counts, share(chars, text))
    loss = loss_of(counts, matched, chars, text) if is_short(rate, counts) else None
    return Arrival(
        boundary=boundary,
        produced_chars=len(produced),
        delivered_chars=len(delivered),
        chars=chars,
        form="double-encoded" if matched and matched.encoded and got.form == "json" else got.form,
        stopped=made.stopped or got.stopped,
        valid=validity(made, got),
        notice=notice(text, got, found, loss),
        records=counts,
        parts=part_arrivals(matched) if matched else (),
        fields=field_arrivals(matched) if matched else (),
        keys=key_report(made, got, key) if key is not None else None,
        rate=rate,
    )


def most_inside(text: str, got: Reading, known: int) -> int:
    """Count the characters of a text that arrived in one string of an envelope, `known` at least.

    The longest string first: one that is no longer than what is known cannot have more.
    """
    inside = sorted((there for there in texts_in(got) if there is not got.surface), key=len)
    longer = [there for there in reversed(inside) if len(there) > known]
    if not longer:
        return known
    index = blocks(text)
    for there in longer:
        if len(there) <= known:
            break
        known = max(known, kept(runs_of(index, there)))
    return known


def text_made(made: Reading) -> str:
    """Return a produced text, or the one that a JSON string holds."""
    return str(made.value) if is_text_value(made) else made.surface


def is_text_value(made: Reading) -> bool:
    """Whether a produced text is a JSON string that is only a text."""
    return made.is_value and isinstance(made.value, str)


def wanted_of(made: Reading, key: str | None = None) -> AllWanted | None:
    """Return the records of a produced value; None where the produced text is not one value."""
    if not made.is_value or is_text_value(made):
        return None
    return AllWanted(parts_of(made.value), key)


def total(matched: Match) -> Counts:
    """Add up the records of all parts."""
    counts = [one.counts for one in matched.parts]
    return Counts(
        produced=sum(one.produced for one in counts),
        delivered=sum(one.delivered for one in counts),
        partial=sum(one.partial for one in counts),
    )


def share(chars: int, text: str) -> float | None:
    """Return the share of characters that arrived, None of a blank text."""
    return chars / len(text.strip()) if text.strip() else None


def rate_of(made: Reading, got: Reading, counts: Counts, by_chars: float | None) -> float | None:
    """Return the arrival rate by the rule of `arrival`."""
    if made.form == "empty":
        return None
    by_value = made.is_value and not is_text_value(made)
    if counts.produced > (0 if by_value else 1):
        return counts.delivered / counts.produced
    if made.is_value and not has_leaf(made.value):
        return 0.0 if got.form == "empty" else None
    if by_value and holds_value(got, made):
        return 1.0
    return by_chars


def holds_value(got: Reading, made: Reading) -> bool:
    """Whether the produced value stands in a delivered text, in any spelling."""
    root = canonical(made.value)
    return any(not one.torn and canonical(one.value) == root for one in got.pieces)


def is_short(rate: float | None, counts: Counts) -> bool:
    """Whether anything is missing."""
    return (rate is not None and rate < 1) or counts.delivered < counts.produced


LEAST_FIGURE = 2
SURE_FIGURE = 100
SLACK = range(-8, 17)
"""What stands at a cut may equal the notice's first letters, so characters are known so well."""


def loss_of(counts: Counts, matched: Match | None, chars: int, text: str) -> Loss:
    """Gather the figures that a notice about this loss may state, and the parts it may name."""
    short = (
        [one for one in matched.parts if one.counts.delivered < one.counts.produced]
        if matched
        else []
    )
    figures = set()
    for one in [counts, *(part.counts for part in short)]:
        figures |= {one.produced, one.delivered, one.produced - one.delivered}
    if matched is None or not short:
        figures.add(len(lines_of(text)))
    figures |= {len(text), len(text.encode("utf-8", "surrogatepass"))}
    for figure in (chars, len(text) - chars):
        figures |= {figure + by for by in SLACK} if figure >= SURE_FIGURE else {figure}
    return Loss(
        figures=frozenset(figure for figure in figures if figure >= LEAST_FIGURE),
        parts=tuple(one.wanted.part.name for one in short) or ("",),
    )


def part_arrivals(matched: Match) -> tuple[PartArrival, ...]:
    """Return the counts of every part."""
    return tuple(
        PartArrival(
            path=one.wanted.part.path,
            produced=one.counts.produced,
            delivered=one.counts.delivered,
            partial=one.counts.partial,
        )
        for one in matched.parts
    )
