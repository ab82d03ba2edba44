"""Match the records of a produced value with what was delivered."""

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

from ullage.arrivals.parts import Path, leaf
from ullage.arrivals.pool import Item, Pool
from ullage.arrivals.read import Reading
from ullage.arrivals.states import ABSENT, PARTIAL, WHOLE, Counts, counted
from ullage.arrivals.torn import Torn, at_borders, stands_in_full
from ullage.arrivals.values import Identity, Json, canonical, is_scalar
from ullage.arrivals.wanted import AllWanted, Wanted


@dataclass(slots=True, kw_only=True)
class PartFates:
    """What became of the records of one part: a state each, at its place.

    `remains` are the objects in which a part of a record arrived, by the record's place.
    """

    wanted: Wanted
    states: bytearray
    remains: dict[int, Json] = field(default_factory=dict)

    @property
    def counts(self) -> Counts:
        """Count the records by what became of them."""
        return counted(self.states)


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Every part's records matched; `torn` is what the text says outside whole containers."""

    parts: tuple[PartFates, ...]
    torn: Torn
    encoded: bool


def match(wanted: AllWanted, delivered: Reading, *, verbatim: str = "") -> Match:
    """Match the records that are wanted with the values of a delivered text.

    As a multiset of equal values, so that a duplicate never hides a loss: first by path where the
    delivered value has the same shape, then anywhere, in order. What is left is looked for by an
    identifying leaf: a delivered object that holds every leaf of the record is the whole record,
    any other is a part of it. All of them are whole where `verbatim`, the produced text, stands
    in the delivered one as it is.
    """
    if stands_whole(verbatim, delivered.surface):
        return Match(parts=fates(wanted, WHOLE), torn=Torn(""), encoded=False)
    found = fates(wanted, ABSENT)
    pool = Pool(delivered)
    match_by_path(found, pool)
    match_anywhere(found, pool, wanted)
    encoded = False
    if is_missing(found) and pool.enter_strings():
        encoded = match_anywhere(found, pool, wanted) > 0
    if is_missing(found):
        match_by_key(found, pool, wanted.paths)
    torn = Torn(pool.leftover)
    if is_missing(found):
        match_elements(found, torn)
        match_torn(found, torn)
    return Match(parts=found, torn=torn, encoded=encoded)


def fates(wanted: AllWanted, state: int) -> tuple[PartFates, ...]:
    """Begin with all records in one state."""
    return tuple(
        PartFates(wanted=one, states=bytearray([state]) * len(one.part.records))
        for one in wanted.parts
    )


def stands_whole(produced: str, delivered: str) -> bool:
    """Whether a produced text stands in a delivered one: a short one only as a word of its own."""
    if stands_in_full(produced, delivered):
        return True
    is_word = bool(produced) and produced[0] not in "[{("
    return is_word and at_borders(produced, delivered)


def is_missing(found: Iterable[PartFates]) -> bool:
    """Whether any record has not been found."""
    return any(ABSENT in one.states for one in found)


def match_by_path(found: Sequence[PartFates], pool: Pool) -> None:
    """Match equal values that stand at the part's own path."""
    at_home: dict[Path, list[int]] = defaultdict(list)
    for index, item in pool.free_items():
        if item.home is not None and not item.torn:
            at_home[item.home].append(index)
    for one in found:
        there = at_home.get(one.wanted.part.keys)
        if there is None:
            continue
        taken: dict[Identity, int] = defaultdict(int)
        for index in there:
            value = pool.items[index].identity
            places = one.wanted.places.get(value, ())
            if taken[value] < len(places):
                one.states[places[taken[value]]] = WHOLE
                taken[value] += 1
                pool.use(index)


def match_anywhere(found: Sequence[PartFates], pool: Pool, wanted: AllWanted) -> int:
    """Match equal values wherever they stand, in order; return how many."""
    passed: dict[Identity, int] = defaultdict(int)
    taken = 0
    for index, item in enumerate(pool.items):
        if not item.free or item.torn or not may_stand_for(item, wanted.paths):
            continue
        places = wanted.places.get(item.identity, ())
        while passed[item.identity] < len(places):
            number, at = places[passed[item.identity]]
            passed[item.identity] += 1
            if found[number].states[at] == ABSENT:
                found[number].states[at] = WHOLE
                pool.use(index)
                taken += 1
                break
    return taken


def may_stand_for(item: Item, paths: frozenset[Path]) -> bool:
    """Whether a value elsewhere may be a record: a scalar of another part's list is not."""
    return not is_scalar(item.value) or item.home not in paths


def match_by_key(found: Sequence[PartFates], pool: Pool, paths: frozenset[Path]) -> None:
    """Match delivered objects that hold a record's identifying leaf."""
    for one in found:
        key = one.wanted.key
        if key is None:
            continue
        elsewhere = paths - {one.wanted.part.keys}
        holders: dict[str, deque[int]] = defaultdict(deque)
        for index, item in pool.free_items():
            value = leaf(item.value, key)
            if value is not None and is_scalar(value) and item.home not in elsewhere:
                holders[canonical(value)].append(index)
        places = one.wanted.id_places if holders else {}
        held = [(at, text) for text in holders for at in places.get(text, ())]
        for at, text in sorted(held):
            if one.states[at] == ABSENT:
                match_holder(one, at, pool, holders[text])


def match_holder(one: PartFates, at: int, pool: Pool, holders: deque[int]) -> None:
    """Use the first delivered object that is still free for a record."""
    record = one.wanted.part.records[at]
    while holders:
        index = holders.popleft()
        item = pool.items[index]
        if item.free and resembles(item.value, record):
            pool.use(index)
            one.remains[at] = item.value
            one.states[at] = WHOLE if not item.torn and holds(item.value, record) else PARTIAL
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


def match_elements(found: Iterable[PartFates], torn: Torn) -> None:
    """Match scalar records with the elements of lists that were torn."""
    scalars = [(one, at) for one in found for at in one.wanted.scalars if one.states[at] == ABSENT]
    if not scalars:
        return
    elements = torn.elements()
    for one, at in scalars:
        value = canonical(one.wanted.part.records[at])
        if elements[value] > 0:
            elements[value] -= 1
            one.states[at] = WHOLE


def match_torn(found: Iterable[PartFates], torn: Torn) -> None:
    """Match records whose identifying leaf stands in torn text."""
    for one in found:
        wanted = one.wanted
        if wanted.key is None:
            continue
        name = wanted.key[-1]
        for at in may_stand(wanted, name, torn):
            if one.states[at] == ABSENT and torn.holds(name, wanted.ids[at]):
                one.states[at] = PARTIAL


def may_stand(wanted: Wanted, name: str, torn: Torn) -> set[int]:
    """Return the records whose identifying leaf may stand in torn text: all that do, and few more.

    Beside its key it stands as it is, elsewhere with its first word.
    """
    words = wanted.word_places
    worded = (words[word] for word in words.keys() & (torn.words | {None}))
    beside = torn.beside.get(name, set())
    keyed = (wanted.id_places[text] for text in wanted.id_places.keys() & beside)
    return set(chain.from_iterable(chain(worded, keyed)))
