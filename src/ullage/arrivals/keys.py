"""Arrival of identifiers: which are missing, which came too often, which were never produced."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ullage.arrivals.read import Reading, read
from ullage.arrivals.torn import Torn
from ullage.arrivals.values import Json, canonical, decode, is_scalar


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyCount:
    """One identifier, and how many times it is missing, too many, or unexpected."""

    value: Json
    times: int

    @property
    def shown(self) -> Json:
        """The value as JSON can write it: NaN and infinities as words."""
        return self.value if is_finite(self.value) else str(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyReport:
    """The identifiers of one field on both sides, over all parts."""

    key: str
    produced: int
    delivered: int
    missing: tuple[KeyCount, ...]
    duplicated: tuple[KeyCount, ...]
    unexpected: tuple[KeyCount, ...]

    @property
    def found(self) -> bool:
        """Whether any produced record has the field."""
        return self.produced > 0

    def to_dict(self) -> dict[str, object]:
        """Return the members of `keys` in `ullage.arrival/1`."""
        return {
            "key": self.key,
            "found": self.found,
            "produced": self.produced,
            "delivered": self.delivered,
            "missing": listed(self.missing),
            "duplicated": listed(self.duplicated),
            "unexpected": listed(self.unexpected),
        }


def is_finite(value: Json) -> bool:
    """Whether a scalar has a JSON spelling."""
    return not isinstance(value, float) or math.isfinite(value)


def listed(counts: Iterable[KeyCount]) -> list[dict[str, object]]:
    """Return counts as members of a document."""
    return [{"value": one.shown, "times": one.times} for one in counts]


def key_report(produced: Reading, delivered: Reading, key: str) -> KeyReport:
    """Compare the values of one field as multisets.

    Each object that has the field counts once, what is inside it does not. In torn text only
    identifiers that are still missing are looked for, so that nothing there is taken for new.
    """
    wanted, there = ids_of(produced, key), ids_of(delivered, key)
    torn = Counter(
        canonical(value) for value in Torn(delivered.leftover).values_of(key) if is_scalar(value)
    )
    for value, times in (wanted - there).items():
        there[value] += min(times, torn[value])
    known = {value: times for value, times in there.items() if value in wanted}
    return KeyReport(
        key=key,
        produced=wanted.total(),
        delivered=there.total(),
        missing=counts(wanted - there),
        duplicated=counts(Counter(known) - wanted),
        unexpected=counts(Counter({one: n for one, n in there.items() if one not in wanted})),
    )


def counts(ids: Counter[str]) -> tuple[KeyCount, ...]:
    """Return identifiers with their number, in the order of the text."""
    return tuple(
        KeyCount(value=decode(one), times=times) for one, times in ids.items() if times > 0
    )


def ids_of(reading: Reading, key: str) -> Counter[str]:
    """Count the values of a field in the whole objects of a text."""
    found: Counter[str] = Counter()
    torn = {id(value) for piece in reading.pieces for value in piece.torn}
    waiting: list[Json] = [piece.value for piece in reversed(reading.pieces)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += reversed(value)
        elif isinstance(value, dict):
            if key in value and is_scalar(value[key]) and id(value) not in torn:
                found[canonical(value[key])] += 1
            else:
                waiting += reversed([one for one in value.values()])
        elif isinstance(value, str) and key in value and value.strip()[:1] in ("{", "["):
            found += ids_of(read(value), key)
    return found
