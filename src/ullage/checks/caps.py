"""Caps that nobody declared: many different results of one length, where chance gives none."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ullage.checks.seen import SAMPLES, Seen
from ullage.stats.equal_values import Cluster, clusters

Of = Literal["harness", "tool"]

SPREAD = {"characters": 1, "bytes": 4, "lines": 2}
"""A cut by bytes may leave out the rest of its last character, one by lines the break behind the
last; one by tokens may join two."""

SPREAD_OF_TOKENS = 3
LEAST_DISTINCT = 3
LEAST_DISTINCT_NEAR = 4
"""So many where several neighbouring sizes count as one."""

LEAST_LINES = 50
LEAST_TOKENS = 100
CHANCE = 1e-3
CHANCE_IF_BROKEN = 1e-2
"""What ends inside a value has been cut, so less is left for chance to explain."""

EXCESS = 4
"""Among very many results even a gentle slope of their lengths is beyond chance, but not so far."""

SURE_CHANCE = 1e-9
SURE_DISTINCT = 8
ALIKE = 0.5
"""Texts that agree in more than this share of their pieces are of one form, not of one cap."""

MANY = 0.5
LEAST_ROWS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """A cluster of results at one size, and what speaks for a cut."""

    of: Of
    unit: str
    size: int
    results: int
    distinct: int
    expected: float
    longest_other: int | None
    broken: int


def caps(seen: Sequence[Seen]) -> dict[int, Cap]:
    """Return the cap of each result that stands in a cluster, by its place in `seen`.

    All results of a harness are looked at together, then those of each of its tools.
    """
    found: dict[int, Cap] = {}
    for of, group in GROUPS.items():
        by_group: defaultdict[Hashable, list[int]] = defaultdict(list)
        for index, one in enumerate(seen):
            if one.sizes:
                by_group[group(one)].append(index)
        for members in by_group.values():
            for unit in units(seen, members):
                in_unit(seen, members, unit, of, found)
    return found


GROUPS: dict[Of, Callable[[Seen], Hashable]] = {
    "harness": lambda one: one.harness,
    "tool": lambda one: (one.harness, one.tool),
}


def units(seen: Sequence[Seen], members: Iterable[int]) -> list[str]:
    """Return the units in which results of a group are known, the surest first."""
    found = dict.fromkeys(unit for index in members for unit in seen[index].sizes)
    return sorted(found, key=lambda unit: (unit.startswith("tokens"), list(found).index(unit)))


def in_unit(
    seen: Sequence[Seen], members: Sequence[int], unit: str, of: Of, found: dict[int, Cap]
) -> None:
    """Find the clusters of one group in one unit, of results that are in no other one."""
    # Where a cap was found already, the largest of the others is no top any more.
    first = not any(index in found for index in members)
    there = [index for index in members if unit in seen[index].sizes and index not in found]
    counts: Counter[int] = Counter()
    known: set[tuple[int, int]] = set()
    at: defaultdict[int, list[int]] = defaultdict(list)
    for index in there:
        one = seen[index]
        size = one.sizes[unit]
        if (size, one.key) not in known:
            known.add((size, one.key))
            counts[size] += 1
        if one.candidate:
            at[size].append(index)
    values = sorted(counts)
    for cluster in clusters(counts, spread=spread_of(unit), least=LEAST_DISTINCT):
        inside = [index for size in range(cluster.low, cluster.high + 1) for index in at[size]]
        top = first and cluster.above == 0
        cap = judged([seen[index] for index in inside], cluster, unit, values, at_top=top)
        if cap is not None:
            cap = replace(cap, of=of)
            found |= dict.fromkeys(inside, cap)


def spread_of(unit: str) -> int:
    """Return how many neighbouring sizes one cap in a unit gives."""
    return SPREAD.get(unit, SPREAD_OF_TOKENS)


def asked_for(distinct: Iterable[Seen], unit: str, size: int) -> bool:
    """Whether half of the calls asked for this size, or for a part of a text by lines."""
    asked = [size in one.asked or (unit == "lines" and one.part) for one in distinct]
    return sum(asked) >= MANY * len(asked)


def judged(
    inside: Sequence[Seen], cluster: Cluster, unit: str, values: Sequence[int], *, at_top: bool
) -> Cap | None:
    """Return the cap that a cluster shows; None where something else explains it."""
    first = {one.key: one for one in inside}
    distinct = len(first)
    if distinct < least_distinct(unit) or is_small(unit, cluster.high):
        return None
    if asked_for(first.values(), unit, cluster.high):
        return None
    broken = sum(one.broken for one in first.values()) / distinct
    if distinct < EXCESS * cluster.expected:
        return None
    chance = cluster.chance * (len(values) if cluster.above == 0 and not at_top else 1)
    if chance > (CHANCE_IF_BROKEN if broken >= MANY else CHANCE):
        return None
    if broken < MANY and has_reason(list(first.values()), unit):
        return None
    if unit == "lines" and not at_top:
        return None
    sure = chance <= SURE_CHANCE and distinct >= SURE_DISTINCT
    if not (at_top or broken >= MANY or sure):
        return None
    return Cap(
        of="harness",
        unit=unit,
        size=cluster.high,
        results=len(inside),
        distinct=distinct,
        expected=cluster.expected,
        longest_other=longest_other(cluster, values),
        broken=sum(one.broken for one in inside),
    )


def longest_other(cluster: Cluster, values: Sequence[int]) -> int | None:
    """Return the largest size outside a cluster; `values` are all sizes in order."""
    if values[-1] > cluster.high:
        return values[-1]
    below = bisect_left(values, cluster.low)
    return values[below - 1] if below else None


def least_distinct(unit: str) -> int:
    """Return how many different texts make a cluster."""
    return LEAST_DISTINCT if spread_of(unit) == 1 else LEAST_DISTINCT_NEAR


def is_small(unit: str, size: int) -> bool:
    """Whether so little has the same size often, by its form."""
    if unit == "lines":
        return size < LEAST_LINES
    return unit.startswith("tokens") and size < LEAST_TOKENS


def has_reason(distinct: Sequence[Seen], unit: str) -> bool:
    """Whether something else than a cap gives different texts one size: a form, a notice."""
    return alike(distinct) > ALIKE or says_so(distinct) or has_one_count(distinct, unit)


def has_one_count(distinct: Sequence[Seen], unit: str) -> bool:
    """Whether all have as many lines: a table of so many rows has nearly the same size again.

    A cap in another unit than lines meets texts after as many lines as they are long.
    """
    counts = {one.sizes["lines"] for one in distinct}
    return unit != "lines" and len(counts) == 1 and min(counts) >= LEAST_ROWS


def alike(distinct: Sequence[Seen]) -> float:
    """Return the share of pieces in which different texts agree, the first quarter left out."""
    places = range(SAMPLES // 4, SAMPLES)
    agreeing = (
        Counter(one.pattern[place] for one in distinct).most_common(1)[0][1] - 1 for place in places
    )
    return sum(agreeing) / (len(places) * (len(distinct) - 1))


def says_so(distinct: Iterable[Seen]) -> bool:
    """Whether different texts end with one sentence that speaks of a cut: a notice."""
    texts = list(distinct)
    ends = Counter(one.tail for one in texts if one.noticed)
    return bool(ends) and max(ends.values()) >= MANY * len(texts)


SLACK = 24
SLACK_SHARE = 0.01
CHARACTER = 4
"""Bytes that the last character of a cut may have taken with it."""


def near(seen: Sequence[Seen], found: dict[int, Cap]) -> Iterator[tuple[int, Cap]]:
    """Yield results right below a cap that look cut: space at their end was taken off.

    So do those that have as many bytes as a cap has characters: it is one of bytes, then.
    """
    tops: dict[tuple[Hashable, str, int], Cap] = {}
    for index, cap in found.items():
        tops[GROUPS[cap.of](seen[index]), cap.unit, cap.size] = cap
    for index, one in enumerate(seen):
        if index not in found and one.candidate and (one.broken or one.abrupt):
            places = ((group(one), *at) for group in GROUPS.values() for at in sizes_above(one))
            cap_there = next((tops[place] for place in places if place in tops), None)
            if cap_there is not None:
                yield index, cap_there


def sizes_above(one: Seen) -> Iterator[tuple[str, int]]:
    """Yield the caps, by unit and size, that a result may have been cut at."""
    for unit in ("characters", "bytes"):
        size = one.sizes[unit]
        for step in range(1, 1 + min(SLACK, int(SLACK_SHARE * size))):
            yield unit, size + step
    for step in range(CHARACTER):
        yield "characters", one.sizes["bytes"] + step
