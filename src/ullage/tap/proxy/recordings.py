"""Records handed over while replies flow; a fault there never reaches a client."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from ullage.ledger.records import ExchangeRecord

Recorder = Callable[[ExchangeRecord], Awaitable[Sequence[str] | None]]
"""Keeps a record; returns sentences about what of it could not be kept."""

Report = Callable[[str], None]


class Recordings:
    """The hand-overs under way. `faults` counts records that were lost or are not whole."""

    def __init__(self, recorder: Recorder, *, report: Report) -> None:
        self.faults = 0
        self._recorder = recorder
        self._report = report
        self._under_way: set[asyncio.Task[None]] = set()

    def begin(self, record: ExchangeRecord) -> asyncio.Task[None]:
        """Start a hand-over that goes on when the request that it belongs to is cancelled."""
        task = asyncio.create_task(self._hand_over(record), name=f"{record.method} {record.path}")
        self._under_way.add(task)
        task.add_done_callback(self._ended)
        return task

    async def commit(self, record: ExchangeRecord) -> None:
        """Return once the record is committed, or once it is clear that it cannot be."""
        # wait(), not await: the recorder's fault stays in the task, and a cancelled request does
        # not take its record with it.
        await asyncio.wait({self.begin(record)})

    @property
    def waiting(self) -> int:
        """How many records are being handed over."""
        return len(self._under_way)

    async def settle(self) -> None:
        """Return when no hand-over is under way."""
        while self._under_way:
            await asyncio.wait(set(self._under_way))

    def fault(self, what: str) -> None:
        """Count a loss, and say it."""
        self.faults += 1
        self._report(what)

    async def _hand_over(self, record: ExchangeRecord) -> None:
        for what in await self._recorder(record) or ():
            self.fault(f"recorded in part: {what}")

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        if task.cancelled():
            self.fault(f"not recorded: {task.get_name()}: stopped before it was written")
        elif error := task.exception():
            self.fault(f"not recorded: {task.get_name()}: {error or type(error).__name__}")
