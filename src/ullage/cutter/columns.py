"""The columns of a list of like records, read from its text without making an object of each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

# Records with more fields than this are no table, and a type for them would cost more than it wins.
MOST_FIELDS = 200
# The fields of objects inside a record are columns, too, down to this depth.
DEEPEST = 3
# A list is decoded in parts of about so many characters, so that only its columns are held.
PART = 2_000_000

Shape = tuple[tuple[str, "Shape | Literal['list'] | None"], ...]
"""The fields of an object: the shape of each that is an object, and which are lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The values of `count` objects that have the same fields, field by field.

    A field that always holds a list is left out: lists are all alike.
    """

    count: int
    fields: "dict[str, list[object] | Columns]"

    def __len__(self) -> int:
        return self.count


def columns(text: str, records: Sequence[str], *, part: int = PART) -> Columns | None:
    """Return the columns of a JSON array; None unless all its records have the first one's fields.

    `records` are the texts of its items; `part` is how many characters are decoded at once.
    """
    import msgspec

    try:
        shape = shape_of(msgspec.json.decode(records[0]), 0)
        if not isinstance(shape, tuple):
            return None
        read = reader(shape)
        if len(text) <= part:
            return by_field(shape, read.decode(text))
        found = by_field(shape, [])
        step = max(part * len(records) // len(text), 1)
        for some in parts(records, step):
            found = grown(found, by_field(shape, read.decode(some)))
    except (ValueError, RecursionError):
        return None
    return found


def parts(records: Sequence[str], step: int) -> Iterator[str]:
    """Yield an array of records in parts, each an array of `step` records."""
    for start in range(0, len(records), step):
        yield f"[{','.join(records[start : start + step])}]"


def shape_of(value: object, depth: int) -> Shape | Literal["list"] | None:
    """Return the shape of an object that is not empty, or that a value is a list."""
    if isinstance(value, list):
        return "list"
    if not isinstance(value, dict) or depth >= DEEPEST or not 0 < len(value) <= MOST_FIELDS:
        return None
    return tuple((key, shape_of(one, depth + 1)) for key, one in value.items())


@lru_cache(maxsize=32)  # a tool's results are of one shape; nothing of a record but its names stays
def reader(shape: Shape) -> Any:
    """Return msgspec's decoder of arrays of objects of this shape, and of no other."""
    import msgspec

    # Any array: what is in it is passed over.
    array = msgspec.defstruct("Array", [], array_like=True, gc=False)
    return msgspec.json.Decoder(list[record(shape, array)])  # type: ignore[misc]  # made at run time


def record(shape: Shape, array: Any) -> Any:
    """Make the type of an object of this shape."""
    import msgspec

    fields = [
        (f"f{at}", array if one == "list" else record(one, array) if one else Any)
        for at, (_, one) in enumerate(shape)
    ]
    names = {f"f{at}": key for at, (key, _) in enumerate(shape)}
    return msgspec.defstruct("Record", fields, rename=names, forbid_unknown_fields=True, gc=False)


def by_field(shape: Shape, rows: Sequence[Any]) -> Columns:
    """Turn decoded objects into columns."""
    import msgspec

    values = list(zip(*map(msgspec.structs.astuple, rows), strict=True)) or [()] * len(shape)
    return Columns(
        count=len(rows),
        fields={
            key: by_field(inner, one) if isinstance(inner, tuple) else list(one)
            for (key, inner), one in zip(shape, values, strict=True)
            if inner != "list"
        },
    )


def grown(found: Columns, more: Columns) -> Columns:
    """Return columns with the records of others after their own; the first are used up."""
    for key, values in found.fields.items():
        added = more.fields[key]
        if isinstance(values, Columns):
            assert isinstance(added, Columns)
            found.fields[key] = grown(values, added)
        else:
            assert isinstance(added, list)
            values += shared(added)
    return Columns(count=found.count + more.count, fields=found.fields)


def shared(values: list[object]) -> list[object]:
    """Return values of which equal texts are one object: a part has few of most fields."""
    first: dict[object, object] = {}
    return [first.setdefault(one, one) if type(one) is str else one for one in values]
