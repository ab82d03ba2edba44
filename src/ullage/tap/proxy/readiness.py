"""Whether the ledger could take a record now, asked without keeping anybody waiting."""

import asyncio
import shutil
from pathlib import Path
from typing import Protocol

from ullage.errors import LedgerError

PATIENCE = 2.0
"""Seconds after which a ledger that has not answered counts as held by somebody else."""

LEAST_ROOM = 32 << 20
"""Bytes that a disk has to have left."""


class CheckedLedger(Protocol):
    """The part of a ledger that is asked."""

    path: Path

    def check(self) -> None:
        """Raise LedgerError where nothing could be written now."""
        ...


class Readiness:
    """Asks a ledger in a thread of its own, one question at a time."""

    def __init__(
        self,
        ledger: CheckedLedger,
        *,
        patience: float = PATIENCE,
        least_room: int = LEAST_ROOM,
    ) -> None:
        self._ledger = ledger
        self._patience, self._least_room = patience, least_room
        self._asked: asyncio.Future[str | None] | None = None

    async def __call__(self) -> str | None:
        """Say why the ledger cannot be written to; None where it can."""
        if self._asked is None or self._asked.done():
            self._asked = asyncio.get_running_loop().run_in_executor(None, self._trouble)
        done, _ = await asyncio.wait({self._asked}, timeout=self._patience)
        if not done:
            return f"{self._ledger.path} has been held by another process for {self._patience:g} s"
        return self._asked.result()

    def _trouble(self) -> str | None:
        try:
            self._ledger.check()
            free = shutil.disk_usage(self._ledger.path.absolute().parent).free
        except (LedgerError, OSError) as error:
            return str(error)
        if free < self._least_room:
            return f"the disk of {self._ledger.path} has {free} bytes left: make room on it"
        return None
