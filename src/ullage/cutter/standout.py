"""Which records of a list are unlike the others."""

import math
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# Fewer records than this have no "usual" to differ from.
FEWEST = 8
# Modified z-score: distance from the median in units of 1.4826 x MAD, which is one standard
# deviation for normal data. Iglewicz and Hoaglin (1993) flag 3.5 by eye; a cut has to choose few.
FAR = 6.0
MAD_TO_SIGMA = 1.4826
# A value is rare when it occurs this many times less often than if all values of its column were
# equally common.
RARE = 10
DEEPEST = 3

ABSENT = "absent"
Column = list[object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standout:
    """A record unlike the others: why, and how strongly (log2 of how far or how rare)."""

    record: int
    why: str
    strength: float


def standouts(records: Sequence[object]) -> list[Standout]:
    """Return the records with a far number, a rare value or a rare shape, strongest first."""
    if len(records) < FEWEST:
        return []
    best: dict[int, Standout] = {}
    for name, column in columns(records).items():
        for one in (*far(name, column), *rare(name, column)):
            if one.record not in best or best[one.record].strength < one.strength:
                best[one.record] = one
    return sorted(best.values(), key=lambda one: (-one.strength, one.record))


def columns(records: Sequence[object]) -> dict[str, Column]:
    """Return the scalar fields of all records by dotted name, `ABSENT` where a record has none."""
    table: dict[str, Column] = {}
    for index, record in enumerate(records):
        for name, value in scalars(record, "", 0):
            column = table.setdefault(name, [])
            if len(column) <= index:
                column.extend([ABSENT] * (index - len(column)))
                column.append(value)
    for column in table.values():
        column.extend([ABSENT] * (len(records) - len(column)))
    return table


def scalars(value: object, name: str, depth: int) -> Iterator[tuple[str, object]]:
    """Yield the scalar fields of one record; of a list only that it is one."""
    if isinstance(value, dict) and depth < DEEPEST:
        for key, inner in value.items():
            yield from scalars(inner, f"{name}.{key}" if name else str(key), depth + 1)
    elif isinstance(value, dict | list):
        yield name, type(value).__name__
    else:
        yield name, value


def is_number(value: object) -> bool:
    """Whether a value is a finite number (a boolean is not)."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and (isinstance(value, int) or math.isfinite(value))
    )


def far(name: str, column: Column) -> Iterator[Standout]:
    """Yield the numbers far from the median of a column, by a robust measure."""
    numbers = [(index, value) for index, value in enumerate(column) if is_number(value)]
    if len(numbers) < FEWEST:
        return
    values = [clamp(value) for _, value in numbers]
    middle = statistics.median(values)
    spread = MAD_TO_SIGMA * statistics.median(abs(value - middle) for value in values)
    if spread == 0:
        return
    for (index, _), value in zip(numbers, values, strict=True):
        distance = abs(value - middle) / spread
        if distance > FAR:
            yield Standout(
                record=index, why=f"unusual {name or 'number'}", strength=math.log2(distance)
            )


def clamp(value: object) -> float:
    """Return a number as a float; an integer beyond the range of floats is as far as can be."""
    try:
        number = float(value)  # type: ignore[arg-type]  # is_number has said so
    except OverflowError:
        number = math.copysign(1e300, int(value))  # type: ignore[call-overload]  # only an int overflows
    return max(-1e300, min(number, 1e300))


def rare(name: str, column: Column) -> Iterator[Standout]:
    """Yield the records whose value is rare in a column of few values."""
    labels = [label(value) for value in column]
    counts = Counter(labels)
    usual = len(column) / len(counts)
    if len(counts) < 2 or usual < RARE:
        return
    for index, one in enumerate(labels):
        if counts[one] * RARE <= usual:
            yield Standout(
                record=index, why=f"rare {name or 'value'}", strength=math.log2(usual / counts[one])
            )


def label(value: object) -> object:
    """Return what a value counts as: strings, booleans and null by value, each with its type."""
    return (
        (type(value).__name__, value)
        if not isinstance(value, list | dict)
        else type(value).__name__
    )
