"""Match the records of a produced value with what was delivered."""

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ullage.arrivals.parts import Part, Path, identifying_leaf, leaf
from ullage.arrivals.pool import Item, Pool
from ullage.arrivals.read import Reading
from ullage.arrivals.torn import Torn, at_borders, stands_in_full
from ullage.arrivals.values import Json, canonical, is_scalar

State = Literal["whole", "partial", "absent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many records were produced, how many arrived whole, and how many in part."""

    produced: int
    delivered: int
    partial: int


@dataclass(slots=True, kw_only=True)
class Fate:
    """What became of one record; `remains` is the object in which a part of it arrived."""

    record: Json
    state: State = "absent"
    remains: Json = None


@dataclass(slots=True, kw_only=True)
class PartFates:
    """What became of the records of one part; `key` is the leaf that identifies them."""

    part: Part
    key: Path | None
    fates: list[Fate]

    @property
    def counts(self) -> Counts:
        """Count the records by what became of them."""
        states = [fate.state for fate in self.fates]
        return Counts(
            produced=len(states), delivered=states.count("whole"), partial=states.count("partial")
        )

    @property
    def waiting(self) -> Iterable[Fate]:
        """The records that have not been found."""
        return (fate for fate in self.fates if fate.state == "absent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Every part's records matched; `torn` is what the text says outside whole containers."""

    parts: tuple[PartFates, ...]
    torn: Torn
    encoded: bool


def match(
    parts: tuple[Part, ...], delivered: Reading, *, key: str | None = None, verbatim: str = ""
) -> Match:
    """Match the records of `parts` with the values of a delivered text.

    As a multiset of equal values, so that a duplicate never hides a loss: first by path where the
    delivered value has the same shape, then anywhere, in order. What is left is looked for by an
    identifying leaf: a delivered object that holds every leaf of the record is the whole record,
    any other is a part of it. All of them are whole where `verbatim`, the produced text, stands
    in the delivered one as it is.
    """
    found = [
        PartFates(
            part=part,
            key=identifying_leaf(part, key),
            fates=[Fate(record=record) for record in part.records],
        )
        for part in parts
    ]
    if stands_whole(verbatim, delivered.surface):
        for one in found:
            for fate in one.fates:
                fate.state = "whole"
        return Match(parts=tuple(found), torn=Torn(""), encoded=False)
    pool = Pool(delivered)
    match_by_path(found, pool)
    match_anywhere(found, pool)
    encoded = False
    if is_missing(found) and pool.enter_strings():
        encoded = match_anywhere(found, pool) > 0
    if is_missing(found):
        match_by_key(found, pool)
    torn = Torn(pool.leftover)
    if is_missing(found):
        match_elements(found, torn)
        match_torn(found, torn)
    return Match(parts=tuple(found), torn=torn, encoded=encoded)


def stands_whole(produced: str, delivered: str) -> bool:
    """Whether a produced text stands in a delivered one: a short one only as a word of its own."""
    if stands_in_full(produced, delivered):
        return True
    is_word = bool(produced) and produced[0] not in "[{("
    return is_word and at_borders(produced, delivered)


def is_missing(found: Iterable[PartFates]) -> bool:
    """Whether any record has not been found."""
    return any(fate.state == "absent" for one in found for fate in one.fates)


def match_by_path(found: list[PartFates], pool: Pool) -> None:
    """Match equal values that stand at the part's own path."""
    for one in found:
        wanted = queue_by_value([one])
        for index, item in list(pool.free_items()):
            if item.home == one.part.keys and not item.torn:
                take(wanted, pool, index)


def match_anywhere(found: list[PartFates], pool: Pool) -> int:
    """Match equal values wherever they stand, in order; return how many."""
    wanted = queue_by_value(found)
    paths = {one.part.keys for one in found}
    taken = 0
    for index, item in enumerate(pool.items):
        if wanted and item.free and not item.torn and may_stand_for(item, paths):
            taken += take(wanted, pool, index)
    return taken


def may_stand_for(item: Item, paths: set[Path]) -> bool:
    """Whether a value elsewhere may be a record: a scalar of another part's list is not."""
    return not is_scalar(item.value) or item.home not in paths


def queue_by_value(found: Iterable[PartFates]) -> dict[str, deque[Fate]]:
    """Queue the records that have not been found by value, in order."""
    queues: dict[str, deque[Fate]] = defaultdict(deque)
    for one in found:
        for fate in one.waiting:
            queues[canonical(fate.record)].append(fate)
    return queues


def take(wanted: dict[str, deque[Fate]], pool: Pool, index: int) -> bool:
    """Use one delivered value for a record that equals it, if one is wanted."""
    value = canonical(pool.items[index].value)
    if value not in wanted:
        return False
    pool.use(index)
    wanted[value].popleft().state = "whole"
    if not wanted[value]:
        del wanted[value]
    return True


def match_by_key(found: list[PartFates], pool: Pool) -> None:
    """Match delivered objects that hold a record's identifying leaf."""
    paths = {one.part.keys for one in found}
    for one in found:
        if one.key is None:
            continue
        elsewhere = paths - {one.part.keys}
        holders: dict[str, deque[int]] = defaultdict(deque)
        for index, item in pool.free_items():
            value = leaf(item.value, one.key)
            if value is not None and is_scalar(value) and item.home not in elsewhere:
                holders[canonical(value)].append(index)
        for fate in one.waiting:
            match_holder(fate, pool, holders[canonical(leaf(fate.record, one.key))])


def match_holder(fate: Fate, pool: Pool, holders: deque[int]) -> None:
    """Use the first delivered object that is still free for a record."""
    while holders:
        index = holders.popleft()
        item = pool.items[index]
        if item.free and resembles(item.value, fate.record):
            pool.use(index)
            fate.remains = item.value
            fate.state = "whole" if not item.torn and holds(item.value, fate.record) else "partial"
            return


def resembles(delivered: Json, produced: Json) -> bool:
    """Whether two objects have so many keys in common that one may be a version of the other."""
    if not isinstance(delivered, dict) or not isinstance(produced, dict):
        return False
    return 2 * len(delivered.keys() & produced.keys()) >= min(len(delivered), len(produced))


def holds(delivered: Json, produced: Json) -> bool:
    """Whether every leaf of `produced` stands in `delivered` at its place; more may be there."""
    if isinstance(produced, dict):
        return isinstance(delivered, dict) and all(
            key in delivered and holds(delivered[key], value) for key, value in produced.items()
        )
    if isinstance(produced, list):
        return (
            isinstance(delivered, list)
            and len(delivered) == len(produced)
            and all(holds(one, other) for one, other in zip(delivered, produced, strict=True))
        )
    return is_scalar(delivered) and canonical(delivered) == canonical(produced)


def match_elements(found: list[PartFates], torn: Torn) -> None:
    """Match scalar records with the elements of lists that were torn."""
    scalars = [fate for one in found for fate in one.waiting if is_scalar(fate.record)]
    if not scalars:
        return
    elements = torn.elements()
    for fate in scalars:
        value = canonical(fate.record)
        if elements[value] > 0:
            elements[value] -= 1
            fate.state = "whole"


def match_torn(found: list[PartFates], torn: Torn) -> None:
    """Match records whose identifying leaf stands in torn text."""
    for one in found:
        if one.key is None:
            continue
        for fate in one.waiting:
            if torn.holds(one.key[-1], leaf(fate.record, one.key)):
                fate.state = "partial"
