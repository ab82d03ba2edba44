"""One connection to a ledger file: opened on use, shared by threads, closed around a fork."""

import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ullage.errors import LedgerError
from ullage.ledger.explained import PATIENCE, explained, is_locked
from ullage.ledger.opening import create, open_to_read, open_to_write

# Between two tries to get the file for writing: short, so that a turn is not missed, and without
# the lock, so that nobody else in this process waits for the other process too.
_PAUSES = (0.001, 0.002, 0.005, 0.01, 0.02)

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
            create(path)
        with self.reading() as db:
            row = db.execute("SELECT key FROM ledger").fetchone()
        if row is None:
            raise LedgerError(f"{path} is damaged: it has lost its key; record into a new ledger")
        self.key = bytes(row[0])

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for a few reads that belong together."""
        with _LOCK, explained(self.path, "read", self.patience):
            yield self._connection()

    @contextmanager
    def writing(self, *, patience: float | None = None) -> Iterator[sqlite3.Connection]:
        """Give the connection inside one transaction: committed at the end, or nothing at all."""
        if not self._write:
            raise ValueError(f"{self.path} was opened for reading: open it with Ledger(path)")
        patience = self.patience if patience is None else patience
        with explained(self.path, "write to", patience), self._begun(patience) as db:
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
            return open_to_write(self.path, self.patience, durable=self._durable)
        return open_to_read(self.path, self.patience)


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
