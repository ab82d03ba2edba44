"""What a fault of SQLite means for a ledger: what, where and what to do."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ullage.errors import LedgerError
from ullage.ledger.cut_short import missing_bytes

PATIENCE = 30.0
"""Seconds that a use of the file waits for another process that holds it, where nothing else is
said."""


@contextmanager
def explained(path: Path, doing: str, patience: float = PATIENCE) -> Iterator[None]:
    """Turn a fault of SQLite into one line that says what, where and what to do."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        advice = _ADVICE.get(name, "see that it can be written")
        if name == "SQLITE_CORRUPT" and (missing := missing_bytes(path)) is not None:
            advice = (
                f"it was cut short, {missing} bytes are missing: copy it again, whole and with its "
                "-wal file, or record into a new ledger"
            )
        if is_locked(error):
            advice = f"another process has held it for {patience:g} s, stop that one"
        raise LedgerError(f"cannot {doing} {path}: {error}: {advice}") from error


def is_locked(error: BaseException) -> bool:
    """Tell whether an error says that another process holds the file, so that waiting may help."""
    name: str = getattr(error.__cause__ or error, "sqlite_errorname", "")
    return name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


_ADVICE = {
    "SQLITE_NOTADB": "it is not a ledger, name another file",
    "SQLITE_CORRUPT": "it is damaged, `ullage ledger verify` says where",
    "SQLITE_FULL": "make room on the disk",
    "SQLITE_READONLY": "name a ledger that you may write to",
    "SQLITE_READONLY_DIRECTORY": "name a ledger in a folder that you may write to",
    "SQLITE_CANTOPEN": "see that you may read and write it and its folder",
}
