"""The records of a produced value as they are looked for in a delivered one.

What is asked of them does not depend on what was delivered: it is worked out once, when it is first
asked for, however many deliveries are compared.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TypeVar

from ullage.arrivals.parts import Part, Path, identifying_leaf, leaf
from ullage.arrivals.torn import first_word
from ullage.arrivals.values import Identity, Json, canonical, identity, is_scalar


class Wanted:
    """The records of one part; `key` is the leaf that identifies them, None where none does."""

    def __init__(self, part: Part, named: str | None = None) -> None:
        self.part = part
        self.named = named

    @cached_property
    def key(self) -> Path | None:
        """Where the identifying leaf stands."""
        return identifying_leaf(self.part, self.named)

    @cached_property
    def identities(self) -> Sequence[Identity]:
        """The value of each record, as it is compared."""
        return [identity(record) for record in self.part.records]

    @cached_property
    def places(self) -> Mapping[Identity, Sequence[int]]:
        """The records that have a value, in order."""
        return grouped(self.identities)

    @cached_property
    def ids(self) -> Sequence[Json]:
        """The identifying leaf of each record; nothing where there is none."""
        return [] if self.key is None else [leaf(one, self.key) for one in self.part.records]

    @cached_property
    def id_places(self) -> Mapping[str, Sequence[int]]:
        """The records that have an identifying leaf, by its canonical text."""
        return grouped(map(canonical, self.ids))

    @cached_property
    def word_places(self) -> Mapping[str | None, Sequence[int]]:
        """The records by the first word of their identifying leaf; those of a container at None."""
        return grouped(map(first_word, self.ids))

    @cached_property
    def scalars(self) -> Sequence[int]:
        """The records that are no containers."""
        return [at for at, record in enumerate(self.part.records) if is_scalar(record)]

    @cached_property
    def fields(self) -> Mapping[str, Sequence[int]]:
        """The records that have a field, by field, in the order of first appearance."""
        # Most records have the same fields: each set of them is gone through once.
        alike = grouped(
            tuple(record) if isinstance(record, dict) else () for record in self.part.records
        )
        found: dict[str, list[list[int]]] = {}
        for names, places in alike.items():
            for name in names:
                found.setdefault(name, []).append(places)
        return {name: sorted(chain.from_iterable(places)) for name, places in found.items()}


Value = TypeVar("Value", bound=Hashable)


def grouped(values: Iterable[Value]) -> dict[Value, list[int]]:
    """Return the places of each value, in order."""
    values = list(values)
    alone = {value: [at] for at, value in enumerate(values)}
    if len(alone) == len(values):  # which is usual, and quicker
        return alone
    found: dict[Value, list[int]] = defaultdict(list)
    for at, value in enumerate(values):
        found[value].append(at)
    return dict(found)


class AllWanted:
    """The records of every part of a produced value."""

    def __init__(self, parts: Sequence[Part], named: str | None = None) -> None:
        self.parts = tuple(Wanted(part, named) for part in parts)

    @cached_property
    def places(self) -> Mapping[Identity, Sequence[tuple[int, int]]]:
        """The parts and records that have a value, in order."""
        found: dict[Identity, list[tuple[int, int]]] = defaultdict(list)
        for number, part in enumerate(self.parts):
            for value, ats in part.places.items():
                found[value] += [(number, at) for at in ats]
        return dict(found)

    @cached_property
    def paths(self) -> frozenset[Path]:
        """Where the parts stand."""
        return frozenset(one.part.keys for one in self.parts)
