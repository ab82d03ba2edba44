"""Tables as Parquet files: declared columns, and rows that are written a group at a time."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ullage.errors import UllageError
from ullage.report.columns import Kind, Row, Table

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA = "ullage.tables/1"
"""The columns of all tables and what they mean; a new column does not change it."""
ROWS = 20_000
SIZE = 16_000_000
"""A group of rows is written at so many rows, or so many characters: no more is held at once."""
MICROSECONDS = 1_000_000
FARTHEST = 2**63 / MICROSECONDS

Batch = dict[str, list[object]]


def require() -> None:
    """Raise UllageError where the library that writes Parquet is not installed."""
    libraries()


def write_table(
    place: Path, table: Table, rows: Iterable[Row], notes: Mapping[str, str] | None = None
) -> int:
    """Write a table as one Parquet file, and return how many rows it has.

    The file names its schema and the version of Ullage in its metadata; `notes` go there too, each
    under `ullage.NAME`. Raises UllageError for a value that its column cannot hold and where
    pyarrow is missing, OSError where the file cannot be written.
    """
    pa, pq = libraries()
    about = {"schema": SCHEMA, "table": table.name, "version": version("ullage"), **(notes or {})}
    schema = arrow_schema(pa, table).with_metadata({f"ullage.{k}": v for k, v in about.items()})
    count = 0
    with pq.ParquetWriter(place, schema, compression="zstd") as writer:
        for batch in batches(table, rows):
            arrays = [
                array(pa, table, batch[one.name], schema.field(one.name)) for one in table.columns
            ]
            found = pa.RecordBatch.from_arrays(arrays, schema=schema)
            writer.write_batch(found, row_group_size=ROWS)
            count += found.num_rows
    return count


def libraries() -> tuple[ModuleType, ModuleType]:
    """Return pyarrow and its Parquet module. Raises UllageError where they are not there."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise UllageError(
            f"Parquet needs pyarrow: pip install 'ullage[parquet]' ({error})"
        ) from error
    return pa, pq


def arrow_schema(pa: ModuleType, table: Table) -> "pa.Schema":
    """Return the declared schema of a table; a column's meaning is in its own metadata."""
    types: Mapping[Kind, Callable[[], object]] = {
        "text": pa.string,
        "whole": pa.int64,
        "number": pa.float64,
        "truth": pa.bool_,
        "time": lambda: pa.timestamp("us", tz="UTC"),
        "bytes": pa.binary,
    }
    return pa.schema(
        [
            pa.field(one.name, types[one.kind](), metadata={"about": one.about})
            for one in table.columns
        ]
    )


def batches(table: Table, rows: Iterable[Row]) -> Iterator[Batch]:
    """Yield rows by columns, as many as are written at once."""
    batch, held, size = empty(table), 0, 0
    for row in rows:
        for one in table.columns:
            value = row[one.name]
            if isinstance(value, str | bytes):
                size += len(value)
            elif one.kind == "time" and value is not None:
                value = moment(table.name, row, one.name)
            batch[one.name].append(value)
        held += 1
        if held >= ROWS or size >= SIZE:
            yield batch
            batch, held, size = empty(table), 0, 0
    if held:
        yield batch


def empty(table: Table) -> Batch:
    """Return the columns of a table without rows."""
    return {one.name: [] for one in table.columns}


def moment(table: str, row: Row, name: str) -> int:
    """Return a time in microseconds since the epoch. Raises UllageError."""
    value = row[name]
    if isinstance(value, int | float) and abs(value) < FARTHEST:
        return round(value * MICROSECONDS)
    raise UllageError(
        f"{table} {row.get('number')}: {name} is {value!r}, no time that Parquet can hold: "
        "`ullage ledger export --format json` writes it as it is"
    )


def array(pa: ModuleType, table: Table, values: list[object], field: "pa.Field") -> "pa.Array":
    """Return a column of a group. Raises UllageError for a value that it cannot hold."""
    try:
        return pa.array(values, type=field.type)
    except (pa.ArrowException, OverflowError, UnicodeEncodeError, TypeError) as error:
        raise UllageError(
            f"{table.name}: a value of {field.name} is none that Parquet can hold as {field.type} "
            f"({error}): `--format json` writes it as it is"
        ) from error
