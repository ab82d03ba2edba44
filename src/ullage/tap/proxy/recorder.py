"""Writes exchanges into a ledger, off the event loop."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from ullage.ledger.records import ExchangeRecord


class ExchangeLedger(Protocol):
    """The part of a ledger that the proxy writes to."""

    def add_exchange(self, record: ExchangeRecord, /) -> int:
        """Commit one exchange before returning."""
        ...

    def add_fault(self, run: str, what: str, at: float) -> None:
        """Note that something of a run was not recorded."""
        ...


class LedgerRecorder:
    """Hands exchanges to a ledger from one thread of its own; `faults` counts those it refused."""

    def __init__(self, ledger: ExchangeLedger) -> None:
        self.faults = 0
        self._ledger = ledger
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ullage-recorder")

    async def __call__(self, record: ExchangeRecord) -> None:
        """Return once `record` is committed; a ledger's error is counted and passed on."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._write, record)

    def close(self) -> None:
        """Wait for what is being written; the ledger stays open."""
        self._thread.shutdown()

    def _write(self, record: ExchangeRecord) -> None:
        try:
            self._ledger.add_exchange(record)
        except Exception as error:
            self.faults += 1
            what = f"{record.method} {record.path} was not recorded: {error}"
            self._ledger.add_fault(record.run, what, record.ended)
            raise
