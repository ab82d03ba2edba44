"""Writes exchanges into a ledger, off the event loop."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Protocol

from ullage.errors import LedgerError
from ullage.ledger.records import Durability, ExchangeRecord, ProducedRecord
from ullage.ledger.tally import Report
from ullage.ledger.ticket import Ticket
from ullage.tap.mcp.ledger import HttpResults
from ullage.tap.proxy.described import described

ROOM_SECONDS = 2.0
"""How long a record waits for room among those that are to be written, before it is dropped."""

NO_RESULT = "{}: its tool result was not recorded: {}"
_LOOK_AGAIN_SECONDS = 0.01


class ExchangeLedger(Protocol):
    """The part of a ledger that the proxy writes to."""

    @property
    def durability(self) -> Durability:
        """When a record is committed."""
        ...

    @property
    def depth(self) -> int:
        """Records that are handed over and not yet written."""
        ...

    def has_room(self, record: ExchangeRecord, /) -> bool:
        """Tell whether a record would be taken at once."""
        ...

    def hand_over(self, record: ExchangeRecord, /, *, patience: float) -> Ticket:
        """Write one exchange in the background; without room after `patience` seconds, drop it."""
        ...

    def record(self, record: ProducedRecord, /) -> Ticket:
        """Write one result of a tool, by the ledger's durability."""
        ...

    def add_fault(self, run: str, what: str, at: float) -> None:
        """Note that something of a run was not recorded."""
        ...

    def flush(self, timeout: float, /) -> bool:
        """Wait until all that was handed over is settled; False after `timeout` seconds."""
        ...


def unheard(_: str) -> None:
    """Say nothing."""


class LedgerRecorder:
    """Hands exchanges to a ledger's own writer; nothing here waits for the disk.

    `holds` says whether the end of a reply waits until its record is committed. What MCP servers
    returned in them is read afterwards, in a thread of its own; `report` gets a sentence about what
    of that is not recorded.
    """

    def __init__(self, ledger: ExchangeLedger, *, report: Report = unheard) -> None:
        self.holds = ledger.durability != "async"
        self._ledger = ledger
        self._report = report
        self._results = HttpResults()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ullage-results")
        self._dropping = False

    @property
    def depth(self) -> int:
        """Records that are handed over and not yet written."""
        return self._ledger.depth

    def has_room(self, record: ExchangeRecord) -> bool:
        """Tell whether a record would be taken at once."""
        return self._ledger.has_room(record)

    def __call__(self, record: ExchangeRecord) -> Awaitable[Sequence[str]]:
        """Hand `record` over at once if there is room; what is returned ends when it is committed.

        It gives what of the record was not kept. Raises LedgerError where it could not be written;
        the ledger has counted that.
        """
        # Not when the loop comes round again: by then the reply has gone, and nobody would know of
        # the record if the process was killed.
        if self._ledger.has_room(record):
            return self._settled(record, self._ledger.hand_over(record, patience=0))
        return self._later(record)

    async def _later(self, record: ExchangeRecord) -> Sequence[str]:
        await self._room(record)
        return await self._settled(record, self._ledger.hand_over(record, patience=0))

    async def _settled(self, record: ExchangeRecord, ticket: Ticket) -> Sequence[str]:
        settled: asyncio.Future[Ticket] = asyncio.get_running_loop().create_future()
        ticket.when_done(_teller(settled))
        await settled
        if ticket.error is not None:
            raise ticket.error
        if self._results.may_hold(record):
            self._thread.submit(self._record_results, record)
        return ticket.notes

    def close(self) -> None:
        """Wait a while for what is being written; the ledger stays open."""
        self._thread.shutdown()
        self._ledger.flush(ROOM_SECONDS)

    def _record_results(self, record: ExchangeRecord) -> None:
        try:
            for result in self._results.of(record):
                ticket = self._ledger.record(result)
                ticket.when_done(partial(self._say_if_lost, record))
        except LedgerError as error:
            self._report(NO_RESULT.format(described(record), error))  # the ledger has counted it
        except Exception as error:  # noqa: BLE001  # nobody waits for this: an error must be said
            what = NO_RESULT.format(described(record), error)
            self._report(what)
            with suppress(LedgerError):
                self._ledger.add_fault(record.run, what, record.ended)

    def _say_if_lost(self, record: ExchangeRecord, ticket: Ticket) -> None:
        if ticket.error is not None:
            self._report(NO_RESULT.format(described(record), ticket.error))

    async def _room(self, record: ExchangeRecord) -> None:
        """Wait for room, but not as one of many: once a record was dropped, the next ones are too.

        Otherwise a ledger that stays locked would have every exchange of two seconds in memory.
        """
        deadline = time.monotonic() + ROOM_SECONDS
        while not self._ledger.has_room(record):
            if self._dropping or time.monotonic() >= deadline:
                self._dropping = True
                return
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)
        self._dropping = False


def _teller(settled: "asyncio.Future[Ticket]") -> Callable[[Ticket], None]:
    """Return what tells a future of this loop from the writing thread."""
    loop = settled.get_loop()

    def tell(ticket: Ticket) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_set, settled, ticket)

    return tell


def _set(settled: "asyncio.Future[Ticket]", ticket: Ticket) -> None:
    if not settled.done():
        settled.set_result(ticket)
