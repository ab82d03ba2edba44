"""Which fields arrived: in how many of the records that have one, key and value."""

from dataclasses import dataclass

from ullage.arrivals.records import Fate, Match, holds
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
    found = []
    for one in matched.parts:
        names: dict[str, None] = {}
        for fate in one.fates:
            names |= dict.fromkeys(fate.record if isinstance(fate.record, dict) else ())
        for name in names:
            having = [
                fate for fate in one.fates if isinstance(fate.record, dict) and name in fate.record
            ]
            found.append(
                FieldArrival(
                    path=one.part.path,
                    field=name,
                    produced=len(having),
                    delivered=sum(arrived(fate, name, matched.torn) for fate in having),
                )
            )
    return tuple(found)


def arrived(fate: Fate, name: str, torn: Torn) -> bool:
    """Whether a field of a record arrived with its value."""
    if fate.state != "partial" or not isinstance(fate.record, dict):
        return fate.state == "whole"
    value = fate.record[name]
    if isinstance(fate.remains, dict):
        return name in fate.remains and holds(fate.remains[name], value)
    return torn.holds(name, value)
