"""Records written in the background, many to a transaction: the caller pays microseconds.

At most MOST_RECORDS are under way at any time, so that is the most a killed process loses. A file
that another process holds is waited for; what cannot be written is counted, never silent.
"""

import sqlite3
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from ullage.errors import LedgerError
from ullage.ledger import ending, losses
from ullage.ledger.connection import Session
from ullage.ledger.explained import is_locked
from ullage.ledger.journal import Journal
from ullage.ledger.losses import Loss
from ullage.ledger.tally import Report, Tally
from ullage.ledger.ticket import Ticket

MOST_RECORDS = 256
MOST_BYTES = 64 << 20
"""Handed over and not yet written; a single record may be larger."""

GATHER_SECONDS = 0.002
BATCH_SECONDS = 0.025
"""How long records gather, and how long a batch is prepared: together with the commit, some 50 ms
from the caller to the file as long as the writer keeps up."""

ROOM_SECONDS = 1.0
"""How long a caller waits for room before its record is dropped. After one was, none waits until
there has been room again."""

CLOSE_SECONDS = 5.0
"""How long a file that another process holds is waited for at the end."""

_TRY_SECONDS = 0.1
_RETRY_SECONDS = 1.0

Put = Callable[[sqlite3.Connection], int]
"""Writes one prepared record inside a transaction, and returns its number."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A record redacted and compressed, ready to be written."""

    put: Put
    notes: Sequence[str] = ()


@dataclass(slots=True)
class _Job:
    """A record on its way; `run` is the name that it is counted under."""

    ticket: Ticket
    make: Callable[[], Prepared]
    run: str
    size: int


@dataclass(slots=True)
class _Ready:
    """A record of a batch that is to be written."""

    job: _Job
    put: Put


class Writer:
    """Takes records and writes them in a thread of its own, which starts with the first one."""

    def __init__(
        self, session: Session, *, report: Report, clean: Callable[[str, str], str]
    ) -> None:
        self.path = session.path.absolute()
        self.tally = Tally(report)
        self._session = session
        self._clean = clean
        self._reset()
        ending.watch(self)

    def _reset(self) -> None:
        """Start with nothing under way: at first, and in a forked child."""
        self._lock = threading.Lock()
        self._work = threading.Condition(self._lock)
        self._settled = threading.Condition(self._lock)
        self._waiting: deque[_Job] = deque()
        self._batch: list[_Job] = []
        self._accounted: Counter[str] = Counter()
        self._unsaid: Counter[tuple[str, str]] = Counter()
        self._outstanding = self._bytes = self._hurried = 0
        self._sleeping = self._closing = self._inline = self._owed = False
        self._dropping = False
        self._give_up_at: float | None = None
        self._thread: threading.Thread | None = None
        self._journal: Journal | None = None

    @property
    def depth(self) -> int:
        """Records that are handed over and not yet written."""
        return self._outstanding

    def hand_over(
        self,
        run: str,
        make: Callable[[], Prepared],
        *,
        size: int,
        patience: float = ROOM_SECONDS,
    ) -> Ticket:
        """Take a record; `make` prepares it in the background, `size` is about its bytes.

        Where too much is under way already, `patience` seconds are waited for room; then the
        record is dropped and counted.
        """
        ticket = Ticket(self._settled)
        with self._lock:
            if self._thread is None:
                self._start()
            dropped = self._is_full(size) and not self._room(size, patience)
            # Counted last: what waits for room has not been taken in yet.
            run = run if self._journal is None else self._journal.count(run)
            if not dropped:
                self._waiting.append(_Job(ticket, make, run, size))
                self._outstanding += 1
                self._bytes += size
                if self._sleeping:
                    self._work.notify()
        if dropped:
            error = LedgerError(f"more than {MOST_RECORDS} records wait for {self.path}: dropped")
            self._lose(run, str(error))
            ticket.settle(error)
        elif self._inline:
            self._write_waiting()
        return ticket

    def has_room(self, size: int) -> bool:
        """Tell whether a record of about `size` bytes would be taken at once."""
        with self._lock:
            return not self._is_full(size)

    def lose(self, run: str, what: str) -> None:
        """Count a record that was not even handed over."""
        with self._lock:
            if self._thread is None:
                self._start()
            run = run if self._journal is None else self._journal.count(run)
        self._lose(run, what)
        with self._lock:
            self._work.notify()
        if self._inline:
            self._write_waiting()

    def flush(self, timeout: float | None = None) -> bool:
        """Return once all that was handed over is settled, False after `timeout` seconds."""
        with self._lock:
            if self._is_done():
                return True
            self._hurried += 1
            self._work.notify()
            try:
                return self._settled.wait_for(self._is_done, timeout)
            finally:
                self._hurried -= 1

    def close(self, timeout: float = CLOSE_SECONDS) -> None:
        """Write what is under way, and end the thread; a file that is held is given up in time."""
        with self._lock:
            self._closing = True
            self._give_up_at = time.monotonic() + timeout
            thread = self._thread
            self._work.notify()
        if thread is not None:
            thread.join()
        self._write_waiting()
        self._end_journal()
        with self._lock:
            self._thread = None
            self._closing = False
            self._give_up_at = None
        self.tally.close()

    def write_inline(self) -> None:
        """From now on write in the caller: the interpreter ends, and takes no new threads."""
        self.close()
        self._inline = True

    def before_fork(self) -> None:
        """Bring the writer into a state that a child can start from."""
        self.flush(_RETRY_SECONDS)
        self._lock.acquire()

    def after_fork_in_parent(self) -> None:
        """Go on."""
        self._lock.release()

    def after_fork_in_child(self) -> None:
        """Leave to the parent what is the parent's, and start anew."""
        jobs, journal = [*self._batch, *self._waiting], self._journal
        self._lock.release()
        self._reset()
        self.tally = Tally(self.tally.report)
        if journal is not None:
            journal.let_go()
        for job in jobs:
            job.ticket.abandon(LedgerError(f"{self.path}: left to the process that was forked"))

    def _start(self) -> None:
        """Start counting and writing. The lock must be held."""
        try:
            self._journal = self._journal or Journal(self.path)
        except OSError as error:
            # Records are still written; only a killed process could not be asked for its losses.
            self.tally.add(f"records that a kill would lose are not counted: {error}")
        if self._inline:
            return
        self._thread = threading.Thread(target=self._run, name="ullage-writer", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:
            self._thread, self._inline = None, True
        ending.started()

    def _is_done(self) -> bool:
        """Tell whether nothing is under way, and what was lost has been tried to be counted."""
        return not self._outstanding and not self._owed

    def _is_full(self, size: int) -> bool:
        full = self._outstanding >= MOST_RECORDS or self._bytes + size > MOST_BYTES
        if full and self._outstanding:
            return True
        self._dropping = False
        return False

    def _room(self, size: int, patience: float) -> bool:
        if patience <= 0 or self._dropping:
            return False
        self._dropping = not self._settled.wait_for(lambda: not self._is_full(size), patience)
        return not self._dropping

    def _run(self) -> None:
        while self._await_work():
            self._write_waiting()

    def _await_work(self) -> bool:
        """Sleep until there is something to write; False at the end."""
        with self._lock:
            while not self._waiting and not self._closing and not self._owed:
                self._sleeping = True
                woken = self._work.wait(_RETRY_SECONDS if self._unsaid else None)
                self._sleeping = False
                if not woken and self._unsaid:
                    return True
            if not self._waiting:
                return not self._closing
            if not self._hurried and not self._closing:
                self._work.wait(GATHER_SECONDS)
            return True

    def _write_waiting(self) -> None:
        """Write what waits, batch by batch; or at least what is to be said of what was lost."""
        while True:
            ready = self._next_batch()
            if ready or self._unsaid:
                self._commit(ready)
            if self._owed:
                self._commit([])  # what was lost just now
            with self._lock:
                taken = len(self._batch)
                self._owed = False
                self._outstanding -= taken
                self._bytes -= sum(job.size for job in self._batch)
                self._batch.clear()
                self._settled.notify_all()
            if not taken:
                return

    def _next_batch(self) -> list[_Ready]:
        """Take what waits and prepare it, for as long as a batch may take."""
        ready: list[_Ready] = []
        started = time.monotonic()
        while self._waiting and time.monotonic() - started < BATCH_SECONDS:
            with self._lock:
                job = self._waiting.popleft()
                self._batch.append(job)
            try:
                prepared = self._patiently(job.make)
            except Exception as error:  # noqa: BLE001  # one must not take the others with it
                self._failed(job, error)
            else:
                job.ticket.notes = prepared.notes
                ready.append(_Ready(job, prepared.put))
        return ready

    def _commit(self, batch: Sequence[_Ready]) -> None:
        try:
            self._patiently(partial(self._write, batch))
        except Exception as error:  # noqa: BLE001  # as above
            if len(batch) > 1 and not is_locked(error):
                for one in batch:
                    self._commit([one])
                return
            for one in batch:
                self._failed(one.job, error)
            return
        for one in batch:
            one.job.ticket.settle()

    def _write(self, batch: Sequence[_Ready]) -> None:
        with self._lock:
            unsaid = Counter(self._unsaid)
        lost = [self._loss(run, what, count) for (run, what), count in unsaid.items()]
        counts = Counter(one.job.run for one in batch)
        for loss in lost:
            counts[loss.run] += loss.records
        with self._session.writing(patience=_TRY_SECONDS) as db:
            for one in batch:
                one.job.ticket.number = one.put(db)
            losses.put(db, self._session.key, lost, time.time())
            if self._journal is not None:
                losses.settle(db, self._journal.name, counts)
        with self._lock:
            self._unsaid -= unsaid
            self._accounted += counts

    def _loss(self, run: str, what: str, count: int) -> Loss:
        return Loss(run=run, records=count, what=self._clean(run, what))

    def _patiently(self, act: Callable[[], T]) -> T:
        """Do it again for as long as another process holds the file."""
        while True:
            try:
                return act()
            except LedgerError as error:
                if not is_locked(error) or self._is_late():
                    raise

    def _is_late(self) -> bool:
        return self._give_up_at is not None and time.monotonic() >= self._give_up_at

    def _failed(self, job: _Job, error: Exception) -> None:
        told = error if isinstance(error, LedgerError) else _bug(error)
        self._lose(job.run, str(told))
        job.ticket.settle(told)

    def _lose(self, run: str, what: str) -> None:
        with self._lock:
            self._unsaid[run, what] += 1
            self._owed = True
        self.tally.add(f"not recorded: {what}")

    def _end_journal(self) -> None:
        """Take the journal away if the ledger knows of everything in it; else leave it there."""
        journal, self._journal = self._journal, None
        accounted, self._accounted = self._accounted, Counter()
        if journal is None:
            return
        # More is missing than is unsaid where an interrupt came between counting and taking.
        if any(count > accounted[run] for run, count in journal.counts.items()):
            journal.let_go()
            return
        journal.forget()
        with suppress(LedgerError):  # what is left there does no harm
            losses.forget(self._session, journal.name)


def _bug(error: Exception) -> LedgerError:
    return LedgerError(f"{type(error).__name__}: {error}")
