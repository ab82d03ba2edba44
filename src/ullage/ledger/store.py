"""The ledger: one file that takes in what was produced and delivered, and gives it back."""

import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from ullage.errors import LedgerError
from ullage.ledger import ending, handing, history, losses, query, redact, verify
from ullage.ledger.connection import Session
from ullage.ledger.explained import PATIENCE
from ullage.ledger.handing_records import (
    FindingRecord,
    StoredFinding,
    StoredWorker,
    WorkerRecord,
)
from ullage.ledger.history import KeptText, StoredCompaction, StoredKept
from ullage.ledger.history_records import KeptRecord, RecallUse
from ullage.ledger.prepare import prepare, size_of
from ullage.ledger.query import RunRange, Stats
from ullage.ledger.records import (
    Bodies,
    Durability,
    Entry,
    ExchangeRecord,
    HandedOnRecord,
    ProducedRecord,
    SettingsRecord,
    StepRecord,
    StoredExchange,
    StoredResult,
    StoredStep,
)
from ullage.ledger.rows import insert
from ullage.ledger.scrub import Scrubber
from ullage.ledger.tally import Report
from ullage.ledger.ticket import Ticket, written
from ullage.ledger.verify import Verification
from ullage.ledger.writer import ROOM_SECONDS, Prepared, Put, Writer


def _silent(_: str) -> None:
    """Say nothing: what could not be written is counted in the ledger all the same."""


class Ledger:
    """One ledger file, opened for writing and made where there is none.

    Several threads and several processes may write one file. Everything is redacted before it is
    written. `add_…` and `hand_on` commit before they return, whatever the mode; `record` goes by
    `durability`. What this process has under way is written before anything is read here.

    `patience` is how long, in seconds, a use waits for another process that holds the file.
    `report` gets a sentence when a record could not be written, not once for each of a kind.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        durability: Durability = "async",
        patience: float = PATIENCE,
        report: Report = _silent,
    ) -> None:
        self.durability: Durability = durability
        self._report = report
        self._start(Path(path), write=True, patience=patience)
        self.lost_before: tuple[str, ...] = tuple(self.find_lost())

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """Open a ledger for reading only; one that does not exist is a LedgerError."""
        ledger = cls.__new__(cls)
        ledger.durability, ledger.lost_before, ledger._report = "sync", (), _silent
        ledger._start(Path(path), write=False, patience=PATIENCE)
        return ledger

    def _start(self, path: Path, *, write: bool, patience: float) -> None:
        self.path = path
        durable = self.durability == "durable"
        self._session = Session(path, write=write, durable=durable, patience=patience)
        self._scrubber = Scrubber(self._session)
        self._writer = Writer(self._session, report=self._report, clean=self._cleaned)

    @property
    def session(self) -> Session:
        """The connection, for what reads and writes whole rows: export, import, prune."""
        return self._session

    @property
    def scrubber(self) -> Scrubber:
        """What redacts for this ledger."""
        return self._scrubber

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write what is under way and close the file; closing twice is allowed."""
        self._writer.close()
        self._session.close()

    def record(self, entry: Entry) -> Ticket:
        """Take one record, by this ledger's durability.

        `async`: this returns at once, and never raises because of the file. `sync` and `durable`:
        it is committed when this returns, and LedgerError is raised where that cannot be; the
        record is then counted as lost.
        """
        if self.durability == "async":
            return self.hand_over(entry)
        try:
            prepared = self._prepare(entry)
            return written(self._commit(prepared.put), prepared.notes)
        except LedgerError as error:
            self._writer.lose(redact.plain(entry.run), str(error))
            raise

    def hand_over(self, entry: Entry, *, patience: float = ROOM_SECONDS) -> Ticket:
        """Have one record written in the background, whatever the mode; its ticket says the end.

        More than 256 records or 64 MB are not kept waiting: after `patience` seconds without room
        the record is dropped, and counted.
        """
        return self._writer.hand_over(
            redact.plain(entry.run),
            partial(self._prepare, entry),
            size=size_of(entry),
            patience=patience,
        )

    def has_room(self, entry: Entry) -> bool:
        """Tell whether `hand_over` would take a record at once."""
        return self._writer.has_room(size_of(entry))

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until all that was handed over is written or given up; False after `timeout`."""
        return self._writer.flush(timeout)

    @property
    def depth(self) -> int:
        """How many records are handed over and not yet written."""
        return self._writer.depth

    @property
    def lost(self) -> int:
        """How many records could not be written since this ledger was opened."""
        return self._writer.tally.total

    def find_lost(self) -> list[str]:
        """Count what killed processes had handed over and not written, and say it, once.

        A ledger that is opened for writing does this itself (`lost_before`).
        """
        try:
            return [f"run {loss.run}: {loss.what}" for loss in losses.find(self._session)]
        except LedgerError:
            return []  # held by another process: the next one to open it finds them

    def _prepare(self, entry: Entry) -> Prepared:
        return prepare(self._session, self._scrubber, entry)

    def _add(self, entry: Entry) -> int:
        return self._commit(self._prepare(entry).put)

    def _commit(self, put: Put) -> int:
        with self._session.writing() as db:
            return put(db)

    def add_exchange(
        self, record: ExchangeRecord, *, report: Callable[[str], None] | None = None
    ) -> int:
        """Write one request and its reply, and return its number.

        Bodies are decoded first (`Content-Encoding`). Of one that cannot be, only the length and
        the keyed hash are kept; that is counted as a fault of the run, and said to `report`.
        """
        prepared = self._prepare(record)
        number = self._commit(prepared.put)
        if report is not None:
            for what in prepared.notes:
                report(what)
        return number

    def add_produced(self, record: ProducedRecord) -> int:
        """Write one result as its maker returned it, and return its number."""
        return self._add(record)

    def hand_on(self, number: int, text: str) -> None:
        """Write what the maker of result `number` gave to the framework; the last one counts."""
        with self._session.reading() as db:
            found = db.execute("SELECT run FROM result WHERE number = ?", (number,)).fetchone()
        if found is None:
            raise ValueError(f"{self.path} has no result {number!r}: add_produced gives the number")
        self._add(HandedOnRecord(run=found[0], result=number, text=text))

    def add_step(self, record: StepRecord) -> int:
        """Write one declared step between two data sets, and return its number."""
        return self._add(record)

    def add_worker(self, record: WorkerRecord) -> int:
        """Write one event of a worker, and return its number."""
        return self._add(record)

    def add_finding(self, record: FindingRecord) -> int:
        """Write one evidence finding, and return its number."""
        return self._add(record)

    def add_fault(self, run: str, what: str, at: float) -> None:
        """Count a record that could not be kept, and say why."""
        row = {"run": redact.plain(run), "what": self._scrubber.of(run).text(what), "at": float(at)}
        with self._session.writing() as db:
            insert(db, self._session.key, "fault", row)

    def add_lost(self, run: str, records: int, what: str, at: float) -> None:
        """Count records that were not kept for one reason, and say why.

        `at` in seconds since the epoch.
        """
        loss = losses.Loss(
            run=redact.plain(run), records=records, what=self._scrubber.of(run).text(what)
        )
        with self._session.writing() as db:
            losses.put(db, self._session.key, [loss], float(at))

    def learn(self, run: str, environment: Mapping[str, str]) -> None:
        """Take in the secrets among a program's settings before the run shows them.

        Every process that writes the run should: then all of them redact alike from the start.
        """
        self._add(SettingsRecord(run=run, environment=environment))

    def redacted(self, text: str, run: str) -> str:
        """Return a text without secrets, as this ledger would keep it for a run."""
        return self._scrubber.of(run).text(text)

    def redacted_words(self, words: Sequence[str], run: str) -> list[str]:
        """Return a command line without secrets, those in the word after an option included."""
        return self._scrubber.of(run).words(words)

    def exchanges(
        self, run: str | None = None, *, bodies: Bodies = "both", after: int = 0
    ) -> Iterator[StoredExchange]:
        """Give the exchanges in the order of writing, of one run or of all, one at a time.

        `after` leaves out those up to a number, which were read before.
        What secrets the run has shown since an exchange was written are taken out here.
        """
        self._see_all()
        return query.exchanges(self._session, self._scrubber, run, bodies, after)

    def results(self, run: str | None = None, *, after: int = 0) -> Iterator[StoredResult]:
        """Give the produced results in the order of writing, of one run or of all.

        `after` leaves out those up to a number, which were read before.
        What secrets the run has shown since a result was written are taken out here.
        """
        self._see_all()
        return query.results(self._session, self._scrubber, run, after)

    def result(self, number: int) -> StoredResult:
        """Give one produced result. Raises LedgerError where there is none of that number."""
        self._see_all()
        found = query.result(self._session, self._scrubber, number)
        if found is None:
            last = query.last_result(self._session)
            there = f"the last one is {last}" if last else "it has none"
            raise LedgerError(f"{self.path} has no result {number}: {there}")
        return found

    def handle(
        self, run: str = "kept", *, tool: str = "cut", clock: Callable[[], float] = time.time
    ) -> Callable[[str], str]:
        """Return what `cut(…, handle=…)` takes: it keeps the whole here, and says how to get it.

        A handle lives as long as its ledger.
        """

        def keep(whole: str) -> str:
            record = ProducedRecord(
                run=run, tool=tool, kind="data", arguments="{}", text=whole, at=clock()
            )
            return f"ullage ledger get {self.add_produced(record)} {shlex.quote(str(self.path))}"

        return keep

    def steps(self, run: str | None = None, *, after: int = 0) -> Iterator[StoredStep]:
        """Give the declared steps in the order of writing, of one run or of all.

        `after` leaves out those up to a number, which were read before.
        """
        self._see_all()
        return query.steps(self._session, self._scrubber, run, after)

    def keep(self, record: KeptRecord) -> str:
        """Write a whole text that leaves a history, and return its handle.

        The same text of a run has the same handle, and is kept once.
        """
        return history.handle_of(self._session, self._add(record))

    def kept(self, run: str | None = None) -> Iterator[StoredKept]:
        """Give what is kept for a run, or for all, in the order of writing, without the texts."""
        self._see_all()
        return history.kept(self._session, self._scrubber, run)

    def kept_text(self, handle: str, run: str | None = None) -> KeptText | None:
        """Return the text under a handle; None where nothing is kept under it."""
        self._see_all()
        return history.kept_text(self._session, self._scrubber, handle, run)

    def recall_use(self, run: str | None = None) -> RecallUse:
        """Return how many of the handles that a run, or all, were offered were used."""
        self._see_all()
        return history.recall_use(self._session, run)

    def compactions(self, run: str | None = None) -> Iterator[StoredCompaction]:
        """Give the compactions of a run, or of all, in the order of writing."""
        self._see_all()
        return history.compactions(self._session, run)

    def workers(self, run: str | None = None) -> Iterator[StoredWorker]:
        """Give when workers began, what they did and how they ended, in the order of writing."""
        self._see_all()
        return handing.workers(self._session, run)

    def findings(self, run: str | None = None) -> Iterator[StoredFinding]:
        """Give the evidence findings in the order of writing, of one run or of all."""
        self._see_all()
        return handing.findings(self._session, self._scrubber, run)

    def runs(self) -> list[str]:
        """Return the tags of all runs, the oldest first."""
        self._see_all()
        return query.runs(self._session)

    def run_ranges(self) -> list[RunRange]:
        """Return where the results of each run stand: the first number, the last, how many."""
        self._see_all()
        return query.run_ranges(self._session)

    def runs_that_asked(self) -> list[str]:
        """Return the tags of the runs that have exchanges, the oldest first."""
        self._see_all()
        return query.runs_that_asked(self._session)

    def faults(self, run: str | None = None) -> int:
        """Return how many records could not be kept, of one run or of all."""
        self._see_all()
        return query.faults(self._session, run)

    def recent_runs(self, since: float, *, most: int) -> list[tuple[str, int]]:
        """Return the runs that asked since then, the latest first, and how often each of them did.

        Of the last 20,000 exchanges; `since` in seconds since the epoch (UTC).
        """
        return query.recent_runs(self._session, since, most)

    def check(self) -> None:
        """Raise LedgerError where nothing could be written now, or within a second."""
        with self._session.writing(patience=1.0):
            pass

    def stats(self) -> Stats:
        """Return how much the ledger holds."""
        self._see_all()
        return query.stats(self._session)

    def verify(self, step: Callable[[], None] = lambda: None) -> Verification:
        """Read and hash everything again, and say what is damaged; `step` is called after each."""
        self._see_all()
        return verify.verify(self._session, step)

    def _see_all(self) -> None:
        """Have what this process has under way for the file written, so that it is read too."""
        ending.flush(self.path, self._session.patience)

    def _cleaned(self, run: str, what: str) -> str:
        return self._scrubber.of(run).text(what)
