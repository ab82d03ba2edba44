"""One connection to a ledger file: opened on use, shared by threads, closed around a fork."""

import errno
import os
import secrets
import sqlite3
import stat
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from ullage.errors import LedgerError
from ullage.ledger import schema
from ullage.ledger.cut_short import missing_bytes

PATIENCE = 30.0
"""Seconds that a use of the file waits for another process that holds it, where nothing else is
said."""

# Between two tries to get the file for writing: short, so that a turn is not missed, and without
# the lock, so that nobody else in this process waits for the other process too.
_PAUSES = (0.001, 0.002, 0.005, 0.01, 0.02)
OWNER_ONLY = 0o600
SIDE_FILES = ("", "-wal", "-shm")

# One lock for all ledgers of the process, so that a fork can wait for every one of them.
_LOCK = threading.Lock()
_OPEN: "weakref.WeakSet[Session]" = weakref.WeakSet()
# Connections that a fork carried over unseen. Closing one in the child is not allowed by SQLite.
_INHERITED: list[sqlite3.Connection] = []


class Session:
    """Reading and writing one ledger file; every use holds the lock and ends before returning.

    `patience` is how long, in seconds, a use waits for another process that holds the file;
    `durable` commits so that a record survives power loss (`synchronous = FULL`), not only the end
    of the process.
    """

    def __init__(
        self, path: Path, *, write: bool, durable: bool = False, patience: float = PATIENCE
    ) -> None:
        self.path = path
        self.patience = patience
        self._write = write
        self._durable = durable
        self._closed = False
        self._pid = 0
        self._db: sqlite3.Connection | None = None
        if write and not path.exists():
            _create(path)
        with self.reading() as db:
            row = db.execute("SELECT key FROM ledger").fetchone()
        if row is None:
            raise LedgerError(f"{path} is damaged: it has lost its key; record into a new ledger")
        self.key = bytes(row[0])

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for a few reads that belong together."""
        with _LOCK, _explained(self.path, "read", self.patience):
            yield self._connection()

    @contextmanager
    def writing(self, *, patience: float | None = None) -> Iterator[sqlite3.Connection]:
        """Give the connection inside one transaction: committed at the end, or nothing at all."""
        if not self._write:
            raise ValueError(f"{self.path} was opened for reading: open it with Ledger(path)")
        patience = self.patience if patience is None else patience
        with _explained(self.path, "write to", patience), self._begun(patience) as db:
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                # SQLite has rolled back by itself after some faults, a full disk for one.
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    @contextmanager
    def _begun(self, patience: float) -> Iterator[sqlite3.Connection]:
        """Hold the lock and the file's turn to be written, which other processes have had first."""
        started = time.monotonic()
        tries = 0
        while True:
            with _LOCK:
                db = self._connection()
                if self._begin(db, last=time.monotonic() - started >= patience):
                    yield db
                    return
            time.sleep(_PAUSES[min(tries, len(_PAUSES) - 1)])
            tries += 1

    def close(self) -> None:
        """Close the connection; closing twice is allowed."""
        with _LOCK:
            self._closed = True
            self.drop()

    def drop(self) -> None:
        """Let go of the connection; the next use opens one. The lock must be held."""
        if self._db is not None and self._pid == os.getpid():
            self._db.close()
        elif self._db is not None:
            _INHERITED.append(self._db)
        self._db = None
        _OPEN.discard(self)

    def _connection(self) -> sqlite3.Connection:
        if self._closed:
            raise ValueError(f"{self.path} is closed: open it again to use it")
        if self._pid != os.getpid():
            self.drop()
        if self._db is None:
            self._db = self._opened()
            self._pid = os.getpid()
            _OPEN.add(self)
        return self._db

    def _begin(self, db: sqlite3.Connection, *, last: bool) -> bool:
        """Begin a transaction at once, or return False; on the `last` try that is an error."""
        db.execute("PRAGMA busy_timeout = 0")
        try:
            db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if last or not is_locked(error):
                raise
            return False
        finally:
            db.execute(f"PRAGMA busy_timeout = {round(self.patience * 1000)}")
        return True

    def _opened(self) -> sqlite3.Connection:
        if self._write:
            return _open_to_write(self.path, self.patience, durable=self._durable)
        return _open_to_read(self.path, self.patience)


def is_locked(error: BaseException) -> bool:
    """Tell whether an error says that another process holds the file, so that waiting may help."""
    name: str = getattr(error.__cause__ or error, "sqlite_errorname", "")
    return name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _before_fork() -> None:
    # SQLite keeps its file locks per process: a child that starts with an open connection would
    # believe in locks that it does not hold, and its writes could be lost.
    _LOCK.acquire()
    for session in list(_OPEN):
        session.drop()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=_LOCK.release, after_in_child=_LOCK.release
    )


def _create(path: Path) -> None:
    """Make a whole ledger under another name, then give it its name: never half of one is seen."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}.new")
    try:
        os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ONLY))
    except OSError as error:
        raise LedgerError(_cannot_create(path, error)) from error
    try:
        with _explained(path, "create"), closing(_connect(fresh, "rw", PATIENCE)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            schema.migrate(db)
        _publish(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


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
    if error.errno == errno.ENOENT:
        return (
            f"cannot create {path}: the folder {path.parent} does not exist: "
            "create it, or name another place"
        )
    return f"cannot create {path}: {error.strerror}: name a place that you can write to"


def _open_to_write(path: Path, patience: float, *, durable: bool) -> sqlite3.Connection:
    _check_place(path)
    with _closed_on_error(_connect(path, "rw", patience)) as db:
        _check_file(path, db)
        if schema.version(db) < schema.SCHEMA:
            schema.migrate(db)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        db.execute("PRAGMA foreign_keys = ON")
        _make_private(path)
    return db


def _open_to_read(path: Path, patience: float) -> sqlite3.Connection:
    _check_place(path)
    # A connection that may write tidies up the side files that reading needs, so it is preferred
    # where it is possible. Where not even those can be made, nobody else writes either.
    mode = "rw" if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK) else "ro"
    alone = mode == "ro" and not path.with_name(path.name + "-wal").exists()
    with _closed_on_error(_connect(path, mode, patience, immutable=alone)) as db:
        db.execute("PRAGMA query_only = ON")
        _check_file(path, db)
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
            f"cannot open {path}: {error.strerror}: name a ledger with --ledger or ULLAGE_LEDGER"
        ) from error
    if stat.S_ISDIR(kind):
        raise LedgerError(f"{path} is a directory, not a ledger: name a file in it")


def _check_file(path: Path, db: sqlite3.Connection) -> None:
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


@contextmanager
def _explained(path: Path, doing: str, patience: float = PATIENCE) -> Iterator[None]:
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


_ADVICE = {
    "SQLITE_NOTADB": "it is not a ledger, name another file",
    "SQLITE_CORRUPT": "it is damaged, `ullage ledger verify` says where",
    "SQLITE_FULL": "make room on the disk",
    "SQLITE_READONLY": "name a ledger that you may write to",
    "SQLITE_READONLY_DIRECTORY": "name a ledger in a folder that you may write to",
    "SQLITE_CANTOPEN": "see that you may read and write it and its folder",
}
