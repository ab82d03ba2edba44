"""A ledger as Parquet: a file for each table, with the columns of `ullage.export/1`."""

import base64
from collections.abc import Iterable
from contextlib import ExitStack, closing
from pathlib import Path

from ullage.ledger.entries import CONTENTS, Entry
from ullage.ledger.lines import COLUMNS, SCHEMA
from ullage.report.parquet_file import Kind, Schema, Writer, kind_of, written_whole

TIMES = frozenset({"at", "started", "first_byte", "ended", "last"})


def write_tables(entries: Iterable[Entry], folder: Path) -> None:
    """Write each entry into the file of its table in `folder`, such as `result.parquet`.

    Every table has its file, without rows where the ledger has none. The files are there when all
    has been written; until then none of them is. Raises LoadError where one cannot be written,
    UllageError without pyarrow.
    """
    names = list(CONTENTS)
    with (
        written_whole([folder / f"{name}.parquet" for name in names]) as paths,
        ExitStack() as open_files,
    ):
        writers = {}
        for name, path in zip(names, paths, strict=True):
            writer = Writer(path, schema_of(name), f"{SCHEMA} {name}")
            writers[name] = open_files.enter_context(closing(writer))
        for entry in entries:
            writers[entry.table].add(row_of(entry))


def schema_of(table: str) -> Schema:
    """Return the columns of a table; beside a content stands its base64 where it is no text."""
    contents = {one.column for one in CONTENTS[table]}
    found: dict[str, Kind] = {}
    for name, annotation in COLUMNS[table].items():
        found[name] = "time" if name in TIMES else kind_of(annotation)
        if name in contents:
            found[f"{name}_base64"] = "text"
    return found


def row_of(entry: Entry) -> dict[str, object]:
    """Return an entry as a row."""
    row: dict[str, object] = {}
    for name in COLUMNS[entry.table]:
        value = entry.row[name]
        if isinstance(value, bytes):
            row[name], row[f"{name}_base64"] = content(value)
        else:
            row[name] = value
    return row


def content(value: bytes) -> tuple[str | None, str | None]:
    """Return a content as a text, or in base64 where it is no UTF-8."""
    try:
        return value.decode("utf-8"), None
    except UnicodeDecodeError:
        return None, base64.b64encode(value).decode()
