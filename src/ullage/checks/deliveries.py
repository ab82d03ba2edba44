"""Measured results as rows of the ledger, and back: how a run without texts still has its rates."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import msgspec

from ullage.arrivals.arrival import Arrival, PartArrival
from ullage.arrivals.fields import FieldArrival
from ullage.arrivals.keys import KeyReport
from ullage.arrivals.notice import Grade, Notice
from ullage.arrivals.read import Form
from ullage.arrivals.states import Counts
from ullage.checks.measured import Measured, Where
from ullage.ledger.measurements import Delivery
from ullage.ledger.records import StoredResult
from ullage.transcript.words import Boundary

if TYPE_CHECKING:
    from ullage.arrivals.sighting import Certainty

# A name of a field or a list, as programs give them. An id, a date or an address is none.
_NAME = re.compile(r"[^\W\d]+\d{0,3}|[^\W\d]+(?:[-_$ ][^\W\d]+)*")
LONGEST_NAME = 40
NO_NAME = "*"
_STEP = re.compile(r"""\.(?P<plain>\w+)|\[(?P<quoted>"(?:[^"\\]|\\.)*")\]""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """An arrival without texts."""

    boundary: Boundary
    produced_chars: int
    delivered_chars: int
    chars: int
    form: Form
    stopped: bool
    valid: bool | None
    notice: Grade
    records: Counts
    parts: tuple[PartArrival, ...]
    fields: tuple[FieldArrival, ...]
    key: str | None
    keys_produced: int
    keys_delivered: int
    rate: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What a ledger keeps of one measured result, as JSON; `shortened` says before recording."""

    produced_chars: int
    declared_drops: int
    shortened: bool
    arrived: Arrived | None


def delivery_of(one: Measured, at: float) -> Delivery:
    """Return the row of one measured result; `at` is now, in seconds since the epoch."""
    found = one.arrival
    parts = [part for part in found.parts if part.produced] if found is not None else []
    return Delivery(
        run=one.run,
        result=one.number,
        exchange=one.exchange,
        certainty=one.certainty,
        delivered_chars=one.delivered_chars,
        records=None if found is None else found.records.produced,
        records_arrived=None if found is None else found.records.delivered,
        parts=None if found is None else len(parts),
        parts_arrived=None if found is None else sum(part.delivered > 0 for part in parts),
        rate=None if found is None else found.rate,
        valid=None if found is None else found.valid,
        notice=None if found is None else found.notice.grade,
        boundary=one.boundary,
        place=one.where,
        arrival=msgspec.json.encode(account(one)).decode(),
        at=at,
    )


def account(one: Measured) -> Account:
    """Return what is kept of a measured result."""
    return Account(
        produced_chars=one.produced_chars,
        declared_drops=one.declared_drops,
        shortened=one.shortened,
        arrived=None if one.arrival is None else arrived(one.arrival),
    )


def arrived(found: Arrival) -> Arrived:
    """Return an arrival without texts, and without names that look like values."""
    return Arrived(
        boundary=found.boundary,
        produced_chars=found.produced_chars,
        delivered_chars=found.delivered_chars,
        chars=found.chars,
        form=found.form,
        stopped=found.stopped,
        valid=found.valid,
        notice=found.notice.grade,
        records=found.records,
        parts=tuple(named_parts(found.parts)),
        fields=tuple(named_fields(found.fields)),
        key=None if found.keys is None else found.keys.key,
        keys_produced=0 if found.keys is None else found.keys.produced,
        keys_delivered=0 if found.keys is None else found.keys.delivered,
        rate=found.rate,
    )


def named_parts(parts: Iterable[PartArrival]) -> Iterable[PartArrival]:
    """Yield parts by names only; those that have one name then are one."""
    together: dict[str, PartArrival] = {}
    for one in parts:
        path = named_path(one.path)
        before = together.get(path, PartArrival(path=path, produced=0, delivered=0, partial=0))
        together[path] = PartArrival(
            path=path,
            produced=before.produced + one.produced,
            delivered=before.delivered + one.delivered,
            partial=before.partial + one.partial,
        )
    yield from together.values()


def named_fields(fields: Iterable[FieldArrival]) -> Iterable[FieldArrival]:
    """Yield fields by names only; those that have one name then are one."""
    together: dict[tuple[str, str], FieldArrival] = {}
    for one in fields:
        path, name = named_path(one.path), named(one.field)
        before = together.get((path, name))
        together[path, name] = FieldArrival(
            path=path,
            field=name,
            produced=one.produced + (before.produced if before else 0),
            delivered=one.delivered + (before.delivered if before else 0),
        )
    yield from together.values()


def named_path(path: str) -> str:
    """Return the path of a part with `*` for what looks like a value."""
    return "$" + "".join(
        one[0] if is_name(one["plain"] or json.loads(one["quoted"])) else f".{NO_NAME}"
        for one in _STEP.finditer(path)
    )


def named(name: str) -> str:
    """Return a name, or `*` if it looks like a value: an object may be a table by its ids."""
    return name if is_name(name) else NO_NAME


def is_name(word: str) -> bool:
    """Whether a key is what programs call a field or a list, and no id, date or address."""
    return len(word) <= LONGEST_NAME and _NAME.fullmatch(word) is not None


def measured_before(result: StoredResult, delivery: Delivery | None) -> Measured:
    """Return a result of which the ledger keeps no texts, as it was measured when it had them."""
    held = None
    if delivery is not None and delivery.arrival is not None:
        held = msgspec.json.decode(delivery.arrival, type=Account)
    found = None if held is None or held.arrived is None else arrival_of(held.arrived)
    return Measured(
        number=result.number,
        run=result.run,
        tool=result.tool,
        kind=result.kind,
        key=result.key,
        produced="",
        declared_drops=0 if held is None else held.declared_drops,
        handed_on=None if result.handed_chars is None else "",
        delivered=None if found is None else "",
        exchange=None if delivery is None else delivery.exchange,
        certainty=None if delivery is None else cast("Certainty | None", delivery.certainty),
        arrival=found,
        boundary=None if delivery is None else delivery.boundary,
        where="unknown" if delivery is None else cast("Where", delivery.place),
        produced_chars=result.chars if held is None else held.produced_chars,
        handed_on_chars=result.handed_chars,
        delivered_chars=None if delivery is None else delivery.delivered_chars,
        shortened=held is not None and held.shortened,
    )


def arrival_of(held: Arrived) -> Arrival:
    """Return an arrival as far as it was kept: its notice has a grade and no text."""
    keys = None
    if held.key is not None:
        keys = KeyReport(
            key=held.key,
            produced=held.keys_produced,
            delivered=held.keys_delivered,
            missing=(),
            duplicated=(),
            unexpected=(),
        )
    return Arrival(
        boundary=held.boundary,
        produced_chars=held.produced_chars,
        delivered_chars=held.delivered_chars,
        chars=held.chars,
        form=held.form,
        stopped=held.stopped,
        valid=held.valid,
        notice=Notice(text="", grade=held.notice),
        records=held.records,
        parts=held.parts,
        fields=held.fields,
        keys=keys,
        rate=held.rate,
    )
