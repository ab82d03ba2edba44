"""How many records a process has handed over, in a file that outlives the process.

A killed process cannot say what was still in its memory. So it counts what it takes in, by run,
in a small file beside the ledger, and the ledger itself holds how many of those are settled: the
difference is what was lost. The file is locked for as long as its process lives.
"""

import mmap
import os
import secrets
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ullage.ledger.locks import lock, try_lock
from ullage.ledger.opening import OWNER_ONLY

MARK = "-handed-"
"""What stands in the file's name between the ledger's name and its own."""

MAGIC = b"ullage handed 1\n"
SLOTS = 256
SLOT_BYTES = 256
_COUNT = struct.Struct("<Q")
_LENGTH = struct.Struct("<H")
_NAME_BYTES = SLOT_BYTES - _COUNT.size - _LENGTH.size
OTHERS = "(other runs)"
"""Where the runs are counted that have no slot of their own: the many, or those of a long name."""


class Journal:
    """The count of one process, by run. `name` tells it from those of all other processes."""

    def __init__(self, ledger: Path) -> None:
        """Make the file; OSError where that cannot be done."""
        token = secrets.token_hex(8)
        self.name = f"{os.getpid()}-{token}"
        self.path = ledger.absolute().with_name(f"{ledger.name}{MARK}{self.name}")
        self._slots: dict[str, tuple[str, int]] = {}
        self.counts: dict[str, int] = {}
        # Under another name until it is locked: no other process must take it for left behind.
        fresh = self.path.with_name(f".{ledger.name}.{token}.new")
        self._file = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ONLY)
        try:
            lock(self._file)
            # Written, not left as a hole: a full disk must show here, as an error, and not later
            # as a signal that ends the process.
            _write_all(self._file, MAGIC.ljust(SLOTS * SLOT_BYTES, b"\0"))
            self._map = mmap.mmap(self._file, SLOTS * SLOT_BYTES)
            fresh.rename(self.path)
        except BaseException:
            os.close(self._file)
            fresh.unlink(missing_ok=True)
            raise

    def count(self, run: str) -> str:
        """Count one record, and return the name of what it is counted under.

        No system call: the caller goes on at once, and keeps Python's lock.
        """
        name, slot = self._slots.get(run) or self._slot(run)
        total = self.counts[name] = self.counts.get(name, 0) + 1
        # The count alone, in one store: a kill leaves the old one or the new.
        _COUNT.pack_into(self._map, slot, total)
        return name

    def forget(self) -> None:
        """Take the file away: everything in it is settled."""
        # While it is locked: a process that has it open already sees that it is gone.
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
        self.let_go()

    def let_go(self) -> None:
        """Close the file and leave it to the next process that opens the ledger."""
        self._map.close()
        os.close(self._file)

    def _slot(self, run: str) -> tuple[str, int]:
        text = run.encode("utf-8", "backslashreplace")
        number = len({name for name, _ in self._slots.values()} - {OTHERS}) + 1
        name = run
        if len(text) > _NAME_BYTES or number >= SLOTS - 1:
            name, text, number = OTHERS, OTHERS.encode(), SLOTS - 1
        slot = number * SLOT_BYTES
        after = slot + _COUNT.size + _LENGTH.size
        _LENGTH.pack_into(self._map, slot + _COUNT.size, len(text))
        self._map[after : after + len(text)] = text
        self._slots[run] = (name, slot)
        return name, slot


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What a process that has ended left behind: its file, and what it had handed over by run."""

    path: Path
    name: str
    handed: dict[str, int]

    @property
    def pid(self) -> str:
        """The number of the process."""
        return self.name.partition("-")[0]


def left_behind(ledger: Path) -> Iterator[Left]:
    """Give the files of processes that have ended, each locked while it is looked at."""
    start = ledger.name + MARK
    for path in sorted(ledger.absolute().parent.iterdir()):
        if not path.name.startswith(start):
            continue
        with suppress(OSError):  # gone already: another process was first
            file = os.open(path, os.O_RDWR)
            try:
                if try_lock(file) and os.fstat(file).st_nlink:
                    data = os.read(file, SLOTS * SLOT_BYTES)
                    yield Left(path=path, name=path.name.removeprefix(start), handed=_read(data))
            finally:
                os.close(file)


def _read(data: bytes) -> dict[str, int]:
    handed: dict[str, int] = {}
    for at in range(SLOT_BYTES, len(data) - SLOT_BYTES + 1, SLOT_BYTES):
        (count,), (size,) = _COUNT.unpack_from(data, at), _LENGTH.unpack_from(data, at + 8)
        start = at + _COUNT.size + _LENGTH.size
        name = data[start : start + size].decode("utf-8", "replace")
        if count:
            handed[name] = handed.get(name, 0) + count
    return handed


def _write_all(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]
