"""Parquet files, written in groups of rows, and there only when they are whole."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from ullage.errors import LoadError, UllageError

Kind = Literal["text", "whole", "number", "truth", "time"]
"""What a column holds: a time is in seconds since the epoch, and is written in UTC."""

Schema = Mapping[str, Kind]
Row = Mapping[str, object]

GROUP_ROWS = 10_000
GROUP_CHARS = 16_000_000
"""A group of rows is written when it has so many, or so many characters of text: it is in memory
until then."""
MICROSECONDS = 1_000_000
KINDS: Mapping[object, Kind] = {str: "text", int: "whole", float: "number", bool: "truth"}


def kind_of(annotation: Any) -> Kind:
    """Return what a member of a type is as a column; a document is a text of JSON."""
    if get_origin(annotation) in (Union, UnionType):
        annotation = next(one for one in get_args(annotation) if one is not NoneType)
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    return KINDS.get(annotation, "text")


def arrow() -> Any:
    """Return pyarrow. Raises UllageError where it is not installed."""
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise UllageError(
            f"Parquet needs pyarrow: pip install 'ullage[parquet]' ({error})"
        ) from error
    return pyarrow


class Writer:
    """Writes the rows of one file, of which a group at a time is in memory."""

    def __init__(self, path: Path, schema: Schema, about: str) -> None:
        pa = arrow()
        types = {
            "text": pa.string(),
            "whole": pa.int64(),
            "number": pa.float64(),
            "truth": pa.bool_(),
            "time": pa.timestamp("us", tz="UTC"),
        }
        self.schema = schema
        self.form = pa.schema(
            [(name, types[kind]) for name, kind in schema.items()],
            metadata={"ullage.schema": about, "ullage.version": version("ullage")},
        )
        self.file = pa.parquet.ParquetWriter(path, self.form, compression="zstd")
        self.columns: dict[str, list[object]] = {name: [] for name in schema}
        self.rows = self.chars = 0

    def add(self, row: Row) -> None:
        """Add a row: a member for each column."""
        for name, kind in self.schema.items():
            value = row[name]
            if isinstance(value, str):
                self.chars += len(value)
            elif kind == "time" and isinstance(value, int | float):
                value = round(value * MICROSECONDS)
            elif kind == "truth" and isinstance(value, int):
                value = bool(value)
            self.columns[name].append(value)
        self.rows += 1
        if self.rows >= GROUP_ROWS or self.chars >= GROUP_CHARS:
            self.write()

    def write(self) -> None:
        """Write the rows that are in memory as a group."""
        pa = arrow()
        arrays = [
            pa.array(values, type=self.form.field(name).type)
            for name, values in self.columns.items()
        ]
        self.file.write_table(pa.Table.from_arrays(arrays, schema=self.form))
        self.columns = {name: [] for name in self.schema}
        self.rows = self.chars = 0

    def close(self) -> None:
        """Write what is left, and the end of the file."""
        if self.rows:
            self.write()
        self.file.close()


@contextmanager
def written_whole(paths: Sequence[Path]) -> Iterator[list[Path]]:
    """Give paths to write to; they become `paths` at the end, all of them or, where it fails, none.

    Raises LoadError where a file cannot be written.
    """
    parts = [path.with_name(f".{path.name}.part") for path in paths]
    try:
        for folder in {path.parent for path in paths}:
            folder.mkdir(parents=True, exist_ok=True)
        try:
            yield parts
            for part, path in zip(parts, paths, strict=True):
                part.replace(path)
        finally:
            for part in parts:
                part.unlink(missing_ok=True)
    except OSError as error:
        where = error.filename or paths[0].parent
        raise LoadError(f"cannot write {where}: {error.strerror or error}") from error
