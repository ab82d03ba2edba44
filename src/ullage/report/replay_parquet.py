"""A replay as one Parquet file: the rows of the CSV form."""

from contextlib import closing
from pathlib import Path

from ullage.policies.replayed import SCHEMA, Replayed
from ullage.report.parquet_file import Schema, Writer, kind_of, written_whole
from ullage.report.replay_rows import Row, rows_of


def write_parquet(found: Replayed, path: Path) -> None:
    """Write a row for each rate. Raises LoadError where the file cannot be written."""
    with written_whole([path]) as (part,), closing(Writer(part, columns(), SCHEMA)) as writer:
        for row in rows_of(found):
            writer.add(row._asdict())


def columns() -> Schema:
    """Return the columns of `Row`, by the type of each."""
    return {name: kind_of(annotation) for name, annotation in Row.__annotations__.items()}
