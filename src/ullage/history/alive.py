"""Whether a worker's process is still there: it holds a lock, which the system lets go with it.

The lock is on a small file beside the ledger. A process number would say less: it is there until
its parent has asked for its exit code, and another process may have it after that.
"""

import os
from contextlib import suppress
from pathlib import Path

from ullage.ledger.locks import lock, try_lock
from ullage.ledger.opening import OWNER_ONLY

BETWEEN = "-worker-"
"""What stands in the file's name between the ledger's name and the worker's mark."""


def place_of(ledger: Path, mark: str) -> Path:
    """Return the file of a worker."""
    return ledger.absolute().with_name(f"{ledger.name}{BETWEEN}{mark}")


class Presence:
    """A worker that is there, for as long as this is not let go and its process lives."""

    def __init__(self, ledger: Path, mark: str) -> None:
        self._path = place_of(ledger, mark)
        self._file: int | None = None
        # A place without locks: the worker's end mark still says what it can. Without one it is
        # taken for gone, which errs on the side of what is incomplete.
        # Under another name until it is locked: nobody must take it for left behind.
        fresh = ledger.absolute().with_name(f".{ledger.name}.{mark}.new")
        with suppress(OSError):
            self._file = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ONLY)
            lock(self._file)
            fresh.rename(self._path)

    def let_go(self) -> None:
        """Say that the worker is not there any more."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def is_alive(ledger: Path, mark: str) -> bool:
    """Tell whether a worker's process is there; the file of one that is gone is taken away."""
    path = place_of(ledger, mark)
    try:
        file = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    except OSError:
        return True  # somebody else's: that it is there is all that can be told
    try:
        if not try_lock(file):
            return True
        with suppress(OSError):
            path.unlink(missing_ok=True)
        return False
    finally:
        os.close(file)
