"""Records handed over while replies flow; a fault there never reaches a client."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from ullage.ledger.records import ExchangeRecord
from ullage.ledger.tally import Report as Report
from ullage.ledger.tally import Tally
from ullage.tap.proxy.described import described

Recorder = Callable[[ExchangeRecord], Awaitable[Sequence[str] | None]]
"""Keeps a record; returns sentences about what of it could not be kept.

One with `holds = False` keeps no reply waiting, as long as its `has_room` says that it takes a
record at once.
"""

HELD_SECONDS = 1.0
"""How long the end of a reply waits for its record at most. After one has waited so long, none
waits until a record has been written again."""

LATE = f"a reply went out unrecorded: the ledger took more than {HELD_SECONDS:g} s"

SETTLE_SECONDS = 5.0
"""How long hand-overs under way are waited for at the end."""


class Recordings:
    """The hand-overs under way.

    `faults` counts records that were lost or are not whole, `late` those that were still waiting
    when their reply had to go. Each kind is said when it is new, and then at ten times as many.
    """

    def __init__(self, recorder: Recorder, *, report: Report) -> None:
        self.holds: bool = getattr(recorder, "holds", True)
        self._has_room: Callable[[ExchangeRecord], bool] = getattr(recorder, "has_room", _always)
        self._recorder = recorder
        self._tally = Tally(report)
        self._late = Tally(report)
        self._under_way: set[asyncio.Task[None]] = set()
        self._in_time = True

    @property
    def faults(self) -> int:
        """How many records were lost or are not whole."""
        return self._tally.total

    @property
    def late(self) -> int:
        """How many replies went out before their record was committed, where that was asked for."""
        return self._late.total

    def begin(self, record: ExchangeRecord) -> asyncio.Task[None]:
        """Start a hand-over that goes on when the request that it belongs to is cancelled."""
        task = asyncio.create_task(self._hand_over(self._begun(record)))
        self._under_way.add(task)
        task.add_done_callback(partial(self._ended, record))
        return task

    async def commit(self, record: ExchangeRecord) -> None:
        """Return once the record is committed or cannot be, or after HELD_SECONDS.

        A recorder that holds nothing is waited for only while it is behind, so that it can catch
        up: what was not even handed over is more than a killed process may lose.
        """
        at_once = not self.holds and self._has_room(record)
        task = self.begin(record)
        if at_once:
            return
        # wait(), not await: the recorder's fault stays in the task, and a cancelled request does
        # not take its record with it.
        done, _ = await asyncio.wait({task}, timeout=HELD_SECONDS if self._in_time else 0)
        if not done:
            self._in_time = False
            self._late.add(LATE, f"{LATE}: {described(record)}")

    @property
    def waiting(self) -> int:
        """How many records are being handed over."""
        return len(self._under_way)

    async def settle(self) -> None:
        """Return when no hand-over is under way, or after a while: a locked ledger ends nothing."""
        if self._under_way:
            await asyncio.wait(set(self._under_way), timeout=SETTLE_SECONDS)
        for task in list(self._under_way):
            task.cancel()
        while self._under_way:
            await asyncio.wait(set(self._under_way))
        self._tally.close()
        self._late.close()

    def fault(self, what: str, *, kind: str | None = None) -> None:
        """Count a loss, and say it if its kind is new; without a kind, that is `what`."""
        self._tally.add(kind or what, what)

    def _begun(self, record: ExchangeRecord) -> Awaitable[Sequence[str] | None]:
        """Call the recorder now: what it does before it waits is done before the reply goes out."""
        try:
            return self._recorder(record)
        except Exception as error:  # noqa: BLE001  # a recorder's fault never reaches a client
            return _failed(error)

    async def _hand_over(self, kept: Awaitable[Sequence[str] | None]) -> None:
        for what in await kept or ():
            reason = what.rpartition(": ")[2]
            self.fault(f"recorded in part: {what}", kind=f"recorded in part: {reason}")

    def _ended(self, record: ExchangeRecord, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        if task.cancelled():
            self._lost(record, "stopped before it was written")
        elif error := task.exception():
            self._lost(record, str(error) or type(error).__name__)
        else:
            self._in_time = True

    def _lost(self, record: ExchangeRecord, why: str) -> None:
        self.fault(f"not recorded: {described(record)}: {why}", kind=f"not recorded: {why}")


async def _failed(error: Exception) -> None:
    raise error


def _always(_: ExchangeRecord) -> bool:
    return True
