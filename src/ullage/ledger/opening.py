"""Making a ledger file, and opening one: to write, or to read where nothing may be changed."""

import errno
import os
import secrets
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from ullage.errors import LedgerError
from ullage.ledger import schema
from ullage.ledger.explained import PATIENCE, explained

OWNER_ONLY = 0o600
SIDE_FILES = ("", "-wal", "-shm")


def create(path: Path) -> None:
    """Make a whole ledger under another name, then give it its name: never half of one is seen."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}.new")
    try:
        os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ONLY))
    except OSError as error:
        raise LedgerError(_cannot_create(path, error)) from error
    try:
        with explained(path, "create"), closing(_connect(fresh, "rw", PATIENCE)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            schema.migrate(db)
        _publish(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def open_to_write(path: Path, patience: float, *, durable: bool) -> sqlite3.Connection:
    """Open a ledger for writing, brought forward where its schema is older."""
    _check_place(path)
    with _closed_on_error(_connect(path, "rw", patience)) as db:
        check_file(path, db)
        if schema.version(db) < schema.SCHEMA:
            schema.migrate(db)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        db.execute("PRAGMA foreign_keys = ON")
        _make_private(path)
    return db


def open_to_read(path: Path, patience: float) -> sqlite3.Connection:
    """Open a ledger for reading only, also where this user may not write."""
    _check_place(path)
    # A connection that may write tidies up the side files that reading needs, so it is preferred
    # where it is possible. Where not even those can be made, nobody else writes either.
    mode = "rw" if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK) else "ro"
    alone = mode == "ro" and not path.with_name(path.name + "-wal").exists()
    with _closed_on_error(_connect(path, mode, patience, immutable=alone)) as db:
        db.execute("PRAGMA query_only = ON")
        check_file(path, db)
        if schema.is_blank(db):
            raise LedgerError(
                f"{path} is an empty file: no ledger was made in it yet: record into it with "
                "`ullage run --ledger`, or name another file"
            )
        if schema.version(db) < schema.SCHEMA:
            raise LedgerError(
                f"{path} has ledger schema {schema.version(db)}, {schema.SCHEMA} is needed to "
                f"read it: `ullage ledger measure {path}` brings it forward"
            )
    return db


def _publish(fresh: Path, path: Path) -> None:
    # FileExistsError: another process was first, and its ledger is used. Other errors: a file
    # system without hard links, where the rename leaves a gap of microseconds.
    try:
        path.hardlink_to(fresh)
    except FileExistsError:
        pass
    except OSError:
        if not path.exists():
            fresh.rename(path)


def _cannot_create(path: Path, error: OSError) -> str:
    if error.errno == errno.ENOENT and not path.parent.is_dir():
        return (
            f"cannot create {path}: the folder {path.parent} does not exist: "
            "create it, or name another place"
        )
    return f"cannot create {path}: {error.strerror}: name a place that you can write to"


def _connect(
    path: Path, mode: str, patience: float, *, immutable: bool = False
) -> sqlite3.Connection:
    place = f"file:{quote(str(path.absolute()))}?mode={mode}" + "&immutable=1" * immutable
    return sqlite3.connect(
        place, uri=True, isolation_level=None, check_same_thread=False, timeout=patience
    )


def _check_place(path: Path) -> None:
    try:
        kind = path.stat().st_mode
    except OSError as error:
        raise LedgerError(
            f"cannot open {path}: {error.strerror}: name a ledger that is there; `ullage run` "
            "makes one"
        ) from error
    if stat.S_ISDIR(kind):
        raise LedgerError(f"{path} is a directory, not a ledger: name a file in it")


def check_file(path: Path, db: sqlite3.Connection) -> None:
    """Raise LedgerError where a file is no ledger, or one that this version cannot read."""
    if not schema.belongs_to_us(db):
        raise LedgerError(
            f"{path} is the SQLite file of another program, not a ledger: name another file"
        )
    found = schema.version(db)
    if found > schema.SCHEMA:
        raise LedgerError(
            f"{path} has ledger schema {found}, but this version reads up to {schema.SCHEMA}: "
            "upgrade ullage to open it"
        )


def _make_private(path: Path) -> None:
    # By name, never by opening: closing any descriptor of the file would end SQLite's locks on it.
    for ending in SIDE_FILES:
        place = path.with_name(path.name + ending)
        with suppress(FileNotFoundError, PermissionError):
            if place.stat().st_mode & 0o077:
                place.chmod(OWNER_ONLY)


@contextmanager
def _closed_on_error(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield db
    except BaseException:
        db.close()
        raise
