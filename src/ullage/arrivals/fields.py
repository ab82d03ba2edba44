"""Which fields arrived: in how many of the records that have one, key and value."""

from dataclasses import dataclass

from ullage.arrivals.records import Match, PartFates, holds
from ullage.arrivals.states import PARTIAL, WHOLE
from ullage.arrivals.torn import Torn


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldArrival:
    """One field of one part: the records that had it, and those in which it arrived."""

    path: str
    field: str
    produced: int
    delivered: int


def field_arrivals(matched: Match) -> tuple[FieldArrival, ...]:
    """Count the arrival of every field of every part, in the order of first appearance."""
    return tuple(found for one in matched.parts for found in fields_of(one, matched.torn))


def fields_of(one: PartFates, torn: Torn) -> tuple[FieldArrival, ...]:
    """Count the arrival of every field of one part, in the order of first appearance."""
    path, wanted = one.wanted.part.path, one.wanted
    whole = {len(one.states): one.states.count(WHOLE)}  # a field that every record has
    partly = [at for at, state in enumerate(one.states) if state == PARTIAL]
    found = []
    for name, having in wanted.fields.items():
        delivered = whole.get(len(having))
        if delivered is None:
            delivered = sum(one.states[at] == WHOLE for at in having)
        found.append(
            FieldArrival(
                path=path,
                field=name,
                produced=len(having),
                delivered=delivered + sum(arrived(one, at, name, torn) for at in partly),
            )
        )
    return tuple(found)


def arrived(one: PartFates, at: int, name: str, torn: Torn) -> bool:
    """Whether a field of a record that is there in part arrived with its value."""
    record = one.wanted.part.records[at]
    if not isinstance(record, dict) or name not in record:
        return False
    remains = one.remains.get(at)
    if isinstance(remains, dict):
        return name in remains and holds(remains[name], record[name])
    return torn.holds(name, record[name])
