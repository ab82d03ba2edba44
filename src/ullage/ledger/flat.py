"""Rows of a ledger as flat tables hold them: plain values, and no references to blobs.

A content is a text, or bytes where it is no UTF-8; it is left out unless it is asked for, and then
not even read. Keyed hashes are there only where they are all that was kept, as in `lines.py`.
"""

from collections.abc import Iterator

from ullage.ledger import blobs
from ullage.ledger.connection import Session
from ullage.ledger.entries import CONTENTS, Row, of_table, pages
from ullage.ledger.lines import COLUMNS, TRUTHS, is_alone
from ullage.ledger.scrub import Scrubber


def binary(column: str) -> str:
    """Return the name of the column of a content that is no UTF-8."""
    return f"{column}_binary"


def flat_rows(
    session: Session, scrubber: Scrubber, table: str, run: str | None = None, *, content: bool
) -> Iterator[Row]:
    """Give the rows of one table in the order of writing, one at a time. Raises LedgerError."""
    if content:
        for entry in of_table(session, scrubber, table, run):
            yield with_content(table, entry.row)
        return
    with session.reading() as db:
        empty = blobs.find(db, blobs.address(b""))
    for values in pages(session, table, run):
        yield without_content(table, dict(values), empty)


def with_content(table: str, row: Row) -> Row:
    """Return the row of an entry with its contents as texts, or as bytes."""
    found = plain_values(table, row)
    for one in CONTENTS[table]:
        found |= as_text(one.column, row[one.column])
        if one.hash is not None:
            alone = is_alone(row, one.column, one.length)
            found[one.hash] = hash_written(row[one.hash]) if alone else None
    return found


def without_content(table: str, row: Row, empty: int | None) -> Row:
    """Return a row that refers to blobs without what they hold; `empty` is the blob of nothing."""
    found = plain_values(table, row)
    for one in CONTENTS[table]:
        if one.hash is not None and one.length is not None:
            alone = row[one.column] == empty and row[one.length] != 0
            found[one.hash] = hash_written(row[one.hash]) if alone else None
    return found


def plain_values(table: str, row: Row) -> Row:
    """Return the columns of a row that are no contents, 0 and 1 as truth values."""
    contents = {one.column for one in CONTENTS[table]}
    return {
        name: bool(row[name]) if name in TRUTHS and row[name] is not None else row[name]
        for name in COLUMNS[table]
        if name not in contents
    }


def as_text(column: str, content: object) -> Row:
    """Return a content under its own name as a text, or beside it as bytes."""
    if not isinstance(content, bytes):
        raise TypeError(f"{column} is {type(content).__name__}, not bytes")
    try:
        return {column: content.decode("utf-8"), binary(column): None}
    except UnicodeDecodeError:
        return {column: None, binary(column): content}


def hash_written(value: object) -> str | None:
    """Return a keyed hash in hexadecimal digits; None where none was kept."""
    return value.hex() if isinstance(value, bytes) and value else None
