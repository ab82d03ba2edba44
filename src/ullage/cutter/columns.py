"""The columns of a list of like records, read from its text without making an object of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

# Records with more fields than this are no table, and a type for them would cost more than it wins.
MOST_FIELDS = 200
# The fields of objects inside a record are columns, too, down to this depth.
DEEPEST = 3

Shape = tuple[tuple[str, "Shape | None"], ...]
"""The fields of an object, and the shape of each that is an object itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The values of `count` objects that have the same fields, field by field."""

    count: int
    fields: dict[str, "Sequence[object] | Columns"]

    def __len__(self) -> int:
        return self.count


def columns(text: str, first: str) -> Columns | None:
    """Return the columns of a JSON array; None unless all its records have the first one's fields.

    `first` is the text of that record.
    """
    import msgspec

    try:
        shape = shape_of(msgspec.json.decode(first), 0)
        if not shape:
            return None
        rows = reader(shape).decode(text)
    except (ValueError, RecursionError):
        return None
    return by_field(shape, rows)


def shape_of(value: object, depth: int) -> Shape | None:
    """Return the shape of an object that is not empty; None for all else."""
    if not isinstance(value, dict) or depth >= DEEPEST or not 0 < len(value) <= MOST_FIELDS:
        return None
    return tuple((key, shape_of(one, depth + 1)) for key, one in value.items())


@lru_cache(maxsize=32)  # a tool's results are of one shape; nothing of a record but its names stays
def reader(shape: Shape) -> Any:
    """Return msgspec's decoder of arrays of objects of this shape, and of no other."""
    import msgspec

    return msgspec.json.Decoder(list[record(shape)])  # type: ignore[misc]  # made at run time


def record(shape: Shape) -> Any:
    """Make the type of an object of this shape."""
    import msgspec

    fields = [(f"f{at}", record(one) if one else Any) for at, (_, one) in enumerate(shape)]
    names = {f"f{at}": key for at, (key, _) in enumerate(shape)}
    return msgspec.defstruct("Record", fields, rename=names, forbid_unknown_fields=True, gc=False)


def by_field(shape: Shape, rows: Sequence[Any]) -> Columns:
    """Turn decoded objects into columns."""
    import msgspec

    values = zip(*map(msgspec.structs.astuple, rows), strict=True)
    return Columns(
        count=len(rows),
        fields={
            key: by_field(inner, one) if inner else one
            for (key, inner), one in zip(shape, values, strict=True)
        },
    )
