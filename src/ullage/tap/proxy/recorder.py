"""Writes exchanges into a ledger, off the event loop."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Protocol

from ullage.errors import LedgerError
from ullage.ledger.records import ExchangeRecord, ProducedRecord
from ullage.tap.mcp.ledger import HttpResults


class ExchangeLedger(Protocol):
    """The part of a ledger that the proxy writes to."""

    def add_exchange(
        self, record: ExchangeRecord, /, *, report: Callable[[str], None] | None = None
    ) -> int:
        """Commit one exchange before returning; say to `report` what of it was not kept."""
        ...

    def add_produced(self, record: ProducedRecord, /) -> int:
        """Commit one result of a tool."""
        ...

    def add_fault(self, run: str, what: str, at: float) -> None:
        """Note that something of a run was not recorded."""
        ...


def unheard(_: str) -> None:
    """Say nothing."""


class LedgerRecorder:
    """Hands exchanges to a ledger from one thread of its own.

    What MCP servers returned in them is read afterwards, when no reply waits any more; `report`
    gets a sentence about what of that is not recorded.
    """

    def __init__(self, ledger: ExchangeLedger, *, report: Callable[[str], None] = unheard) -> None:
        self._ledger = ledger
        self._report = report
        self._results = HttpResults()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ullage-recorder")

    async def __call__(self, record: ExchangeRecord) -> Sequence[str]:
        """Return once `record` is committed, with what of it was not kept.

        A ledger's error is noted in the ledger, if that can be, and passed on.
        """
        loop = asyncio.get_running_loop()
        faults = await loop.run_in_executor(self._thread, self._write, record)
        self._thread.submit(self._write_results, record)
        return faults

    def close(self) -> None:
        """Wait for what is being written; the ledger stays open."""
        self._thread.shutdown()

    def _write(self, record: ExchangeRecord) -> Sequence[str]:
        faults: list[str] = []
        try:
            self._ledger.add_exchange(record, report=faults.append)
        except Exception as error:
            what = f"{record.method} {record.path} was not recorded: {error}"
            with suppress(LedgerError):  # the same trouble again: the first error says it
                self._ledger.add_fault(record.run, what, record.ended)
            raise
        return faults

    def _write_results(self, record: ExchangeRecord) -> None:
        try:
            for result in self._results.of(record):
                self._ledger.add_produced(result)
        except Exception as error:  # noqa: BLE001  # nobody waits for this: an error must be said
            what = f"{record.method} {record.path}: its tool result was not recorded: {error}"
            self._report(what)
            with suppress(LedgerError):
                self._ledger.add_fault(record.run, what, record.ended)
