"""Which records of a list are unlike the others."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ullage.cutter.columns import DEEPEST, Columns

# Fewer records than this have no "usual" to differ from.
FEWEST = 8
# Modified z-score: distance from the median in units of 1.4826 x MAD, which is one standard
# deviation for normal data. Iglewicz and Hoaglin (1993) flag 3.5 by eye; a cut has to choose few.
FAR = 5.0
MAD_TO_SIGMA = 1.4826
MEAN_TO_SIGMA = 1.2533
# A value is rare when it occurs this many times less often than if all values of its column were
# equally common.
RARE = 10
RULES = 0.8
SAMPLE = 1_000

FARTHEST = 1e300
# Below this every whole number is a float.
EXACT = 2**52
NUMBERS = {int, float}
# A column that holds only one of these says nothing: a container counts by its kind.
ALIKE = {dict, list, type(None)}


class Absent:
    """What a column holds where a record has no such field."""


ABSENT = Absent()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standout:
    """A record unlike the others: why, and how strongly (log2 of how far or how rare)."""

    record: int
    why: str
    strength: float


def standouts(records: Sequence[object] | Columns) -> list[Standout]:
    """Return the records with a far number, a rare value or a rare shape, strongest first.

    Time is linear in the number of values, but for the sorting of columns of numbers.
    """
    if len(records) < FEWEST:
        return []
    best: dict[int, Standout] = {}
    for one in found(records, "", 0):
        if one.record not in best or best[one.record].strength < one.strength:
            best[one.record] = one
    return sorted(best.values(), key=lambda one: (-one.strength, one.record))


def found(column: Sequence[object] | Columns, name: str, depth: int) -> Sequence[Standout]:
    """Return what stands out in a column; a column of objects is looked into, field by field."""
    if isinstance(column, Columns):
        return in_columns(column.fields, name, depth)
    kinds = set(map(type, column))
    odd: list[Standout] = []
    if dict in kinds and depth < DEEPEST:
        objects = column
        if len(kinds) > 1:
            objects = [one if type(one) is dict else {} for one in column]
        odd += in_fields(objects, name, depth)
    if len(kinds) == 1 and kinds <= ALIKE:
        return odd
    if int in kinds or float in kinds:
        odd += far(name, column, all_numbers=kinds <= NUMBERS)
    if float not in kinds:
        odd += rare(name, column, as_it_is=len(kinds) == 1)
    return odd


def in_columns(
    fields: Mapping[str, Sequence[object] | Columns], name: str, depth: int
) -> list[Standout]:
    """Return what stands out in each of several columns."""
    prefix = f"{name}." if name else ""
    odd: list[Standout] = []
    for key, values in fields.items():
        odd += found(values, prefix + key, depth + 1)
    return odd


def in_fields(objects: Sequence[Any], name: str, depth: int) -> Iterator[Standout]:
    """Yield what stands out in each field of a column of objects, and who has a rare field."""
    shapes = set(map(tuple, objects))
    if len(shapes) == 1:
        values = zip(*map(dict.values, objects), strict=True)
        yield from in_columns(dict(zip(shapes.pop(), values, strict=True)), name, depth)
        return
    counts = Counter(key for one in objects for key in one)
    # A field that few records have is no column: so the work stays linear in the values.
    usual = [key for key, count in counts.items() if count * RARE > len(objects)]
    for key in usual:  # one column at a time: each is as long as the list
        having = [one.get(key, ABSENT) for one in objects]
        yield from in_columns({key: having}, name, depth)
    if len(usual) == len(counts):
        return
    prefix = f"{name}." if name else ""
    for index, one in enumerate(objects):
        for key in one:
            if counts[key] * RARE <= len(objects):
                strength = math.log2(len(objects) / counts[key])
                yield Standout(record=index, why=f"rare field {prefix}{key}", strength=strength)


def far(name: str, column: Sequence[Any], *, all_numbers: bool) -> Iterator[Standout]:
    """Yield the numbers far from the median of a column, by a robust measure."""
    indices: Sequence[int] = range(len(column))
    if not all_numbers:
        indices = [index for index, value in enumerate(column) if type(value) in NUMBERS]
        column = [column[index] for index in indices]
    if len(column) < FEWEST or has_nothing_far(column):
        return
    values = floats(column)
    yield from odd_signs(name, indices, values)
    # What is usual can be told from an even sample of a long column.
    sample = values[:: max(len(values) // SAMPLE, 1)]
    middle = median(sample)
    distances = [abs(value - middle) for value in sample]
    # More than half of the values are equal: then the mean distance is the measure.
    spread = MAD_TO_SIGMA * median(distances) or MEAN_TO_SIGMA * sum(distances) / len(distances)
    reach = FAR * spread
    if spread == 0 or max(middle - min(values), max(values) - middle) <= reach:
        return
    for index, value in zip(indices, values, strict=True):
        distance = abs(value - middle)
        if distance > reach:
            yield Standout(
                record=index,
                why=f"unusual {name or 'number'}",
                strength=math.log2(distance / spread),
            )


def odd_signs(name: str, indices: Sequence[int], values: Sequence[float]) -> Iterator[Standout]:
    """Yield the numbers below zero of a column that hardly has any: a refund among payments."""
    below = sum(value < 0 for value in values)
    if 0 < below * RARE * 2 <= len(values):
        strength = math.log2(len(values) / below)
        for index, value in zip(indices, values, strict=True):
            if value < 0:
                yield Standout(record=index, why=f"negative {name or 'number'}", strength=strength)


def median(values: list[float]) -> float:
    """Return the upper median."""
    return sorted(values)[len(values) // 2]


def has_nothing_far(column: Sequence[Any]) -> bool:
    """Whether the order of the numbers in a column tells that none is far, and none below zero.

    At least half of the values are within the median distance from the median, in one run around
    it: the run reaches a quarter of all values to one side or the other.
    """
    try:
        if not -EXACT < sum(column) < EXACT:  # nor may one be NaN
            return False
    except OverflowError:  # one is larger than any float
        return False
    ordered = sorted(column[:: max(len(column) // SAMPLE, 1)])
    if len(ordered) == len(column):
        low, high = ordered[0], ordered[-1]
    else:
        low, high = min(column), max(column)
    if low < 0:
        return False
    half, quarter = len(ordered) // 2, len(ordered) // 4
    middle = ordered[half]
    least = min(middle - ordered[quarter], ordered[half + quarter - 1] - middle)
    return bool(max(middle - low, high - middle) <= FAR * (MAD_TO_SIGMA * least))


def floats(column: Sequence[Any]) -> list[float]:
    """Return numbers as finite floats; what no float can hold is as far as can be."""
    try:
        values = list(map(float, column))
    except OverflowError:
        values = [clamp(value) for value in column]
    # A sum is finite only if all of its terms are.
    return values if math.isfinite(sum(values)) else [clamp(value) for value in values]


def clamp(value: object) -> float:
    """Return one number as a finite float."""
    try:
        number = float(value)  # type: ignore[arg-type]  # a number
    except OverflowError:
        number = math.inf if value > 0 else -math.inf  # type: ignore[operator]  # a number
    if math.isnan(number):
        return FARTHEST
    return max(-FARTHEST, min(number, FARTHEST))


def rare(name: str, column: Sequence[object], *, as_it_is: bool) -> Iterator[Standout]:
    """Yield the records whose value is rare in a column of few values.

    `as_it_is` says that all values are of one kind that can be counted.
    """
    labels = column if as_it_is else [label(value) for value in column]
    more_than_half = labels[: len(labels) // 2 + 1]
    if len(set(more_than_half)) == len(more_than_half):
        return
    counts = Counter(labels)
    if len(counts) < 2 or len(counts) * 2 > len(column):
        return
    scarce = scarce_values(counts, len(column))
    if not scarce:
        return
    for index, one in enumerate(labels):
        if one in scarce:
            yield Standout(record=index, why=f"rare {name or 'value'}", strength=scarce[one])


def scarce_values(counts: "Counter[object]", total: int) -> dict[object, float]:
    """Return the rare values of a column and how rare they are, as log2 of one in how many.

    A value is rare where it occurs ten times less often than if all were equally common; or, in a
    column that one value rules, where it makes up a tenth of it or less.
    """
    usual = total / len(counts)
    if max(counts.values()) >= RULES * total:
        usual = total
    if min(counts.values()) * RARE > usual:
        return {}
    return {one: math.log2(usual / count) for one, count in counts.items() if count * RARE <= usual}


def label(value: object) -> object:
    """Return what a value counts as: true is not 1, and a container counts by its kind."""
    kind = type(value)
    if kind is str:
        return value
    return kind if kind is dict or kind is list or kind is Absent else (kind, value)
