"""Databases of agents: opened read-only, by their path, and only the tables that are named."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager

from ullage.errors import LoadError
from ullage.sources.opened import Opened
from ullage.wire.members import Object, read_object

BEGIN = b"SQLite format 3\0"
Columns = Mapping[str, frozenset[str]]


@contextmanager
def database(opened: Opened) -> Iterator[sqlite3.Connection]:
    """Open a database for reading; what SQLite cannot do with it is a LoadError."""
    if opened.path is None:
        raise LoadError(f"{opened.name}: a database is read from its path, not from a pipe")
    # Never as immutable: what its program wrote last may still stand in the log beside it.
    address = f"{opened.path.resolve().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as found:
            found.text_factory = decoded
            found.row_factory = sqlite3.Row
            yield found
    # Where its own names are no text, SQLite cannot even say what is wrong.
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise LoadError(f"{opened.name}: cannot be read as a database: {error}") from error


def decoded(raw: bytes) -> str:
    """Return a text of a database; one byte that is wrong does not hide the rest."""
    return raw.decode("utf-8", "replace")


def columns_in(found: sqlite3.Connection, table: str) -> frozenset[str]:
    """Return the columns of a table, none where there is no such table."""
    rows = found.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return frozenset(row["name"] for row in rows)


def has_columns(opened: Opened, wanted: Columns) -> bool:
    """Whether a file is a database with these columns in these tables."""
    if opened.path is None or not opened.data.startswith(BEGIN):
        return False
    try:
        with database(opened) as found:
            return all(columns <= columns_in(found, table) for table, columns in wanted.items())
    except LoadError:
        return False


def check_columns(found: sqlite3.Connection, name: str, wanted: Columns) -> None:
    """Raise LoadError for a database of another program."""
    for table, columns in wanted.items():
        if not columns <= columns_in(found, table):
            members = ", ".join(sorted(columns))
            raise LoadError(
                f"{name}: is another's database: it has no tables like {table}({members})"
            )


def held(value: object) -> Object:
    """Return the JSON object in a column, an empty one for anything else."""
    return read_object(value) if isinstance(value, (str, bytes)) else {}


def word(value: object) -> str | None:
    """Return the text in a column, None for anything else."""
    return value if isinstance(value, str) else None
