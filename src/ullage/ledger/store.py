"""The ledger: one file that takes in what was produced and delivered, and gives it back."""

import shlex
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
from blake3 import blake3

from ullage.errors import LedgerError
from ullage.ledger import blobs, ending, losses, query, redact, verify
from ullage.ledger.connection import PATIENCE, Session
from ullage.ledger.encodings import decoded
from ullage.ledger.query import Stats
from ullage.ledger.records import (
    Bodies,
    Durability,
    Entry,
    ExchangeRecord,
    HandedOnRecord,
    LateRecord,
    LeftOut,
    ProducedRecord,
    SettingsRecord,
    StepRecord,
    StoredExchange,
    StoredResult,
    StoredStep,
)
from ullage.ledger.rows import insert
from ullage.ledger.scrub import RunScrubber, Scrubber
from ullage.ledger.tally import Report
from ullage.ledger.ticket import Ticket, written
from ullage.ledger.verify import Verification
from ullage.ledger.writer import ROOM_SECONDS, Prepared, Put, Writer

SMALL = 2_000
"""Bytes up to which a content is compressed without a look whether the ledger has it."""


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
            size=_size(entry),
            patience=patience,
        )

    def has_room(self, entry: Entry) -> bool:
        """Tell whether `hand_over` would take a record at once."""
        return self._writer.has_room(_size(entry))

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
        return _PREPARE[type(entry)](self, entry)

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
        prepared = self._exchange(record)
        number = self._commit(prepared.put)
        if report is not None:
            for what in prepared.notes:
                report(what)
        return number

    def _exchange(self, record: ExchangeRecord) -> Prepared:
        scrub = self._scrubber.of(record.run)
        # First, so that a secret is known in the body that was sent with it.
        scrub.learn(redact.header_secrets(record.request_headers))
        scrub.learn(redact.header_secrets(record.response_headers))
        sent = decoded(record.request_body, record.request_headers)
        came = decoded(record.response_body, record.response_headers)
        request = self._kept(scrub, sent.content, original=record.request_body)
        response = self._kept(scrub, came.content, original=record.response_body)
        request = self._large(request, record.request_left_out)
        response = self._large(response, record.response_left_out)
        row: dict[str, object] = {
            "run": redact.plain(record.run),
            "method": redact.plain(record.method),
            "path": scrub.text(record.path),
            "upstream": scrub.text(record.upstream),
            "request_headers": _json(scrub.headers(record.request_headers)),
            "request_bytes": request.length,
            "request_hash": request.hash,
            "status": record.status,
            "response_headers": _json(scrub.headers(record.response_headers)),
            "response_bytes": response.length,
            "response_hash": response.hash,
            "started": float(record.started),
            "first_byte": None if record.first_byte is None else float(record.first_byte),
            "ended": float(record.ended),
            "error": None if record.error is None else scrub.text(record.error),
            "cohort": record.cohort,
            "agent": None if record.agent is None else scrub.text(record.agent),
        }
        notes = {
            "request": sent.fault or too_large(record.request_left_out),
            "reply": came.fault or too_large(record.response_left_out),
        }
        faults = [
            scrub.text(f"{record.method} {record.path}: {side}: {note}")
            for side, note in notes.items()
            if note is not None
        ]

        def put(db: sqlite3.Connection) -> int:
            row["request_body"] = blobs.put(db, request.packed)
            row["response_body"] = blobs.put(db, response.packed)
            scrub.save(db)
            for what in faults:
                fault = {"run": row["run"], "what": what, "at": row["ended"]}
                insert(db, self._session.key, "fault", fault)
            return insert(db, self._session.key, "exchange", row)

        return Prepared(put=put, notes=faults)

    def add_produced(self, record: ProducedRecord) -> int:
        """Write one result as its maker returned it, and return its number."""
        return self._commit(self._produced(record).put)

    def _produced(self, record: ProducedRecord) -> Prepared:
        scrub = self._scrubber.of(record.run)
        arguments = self._kept(scrub, redact.encode(record.arguments))
        text = self._kept(scrub, redact.encode(record.text))
        row: dict[str, object] = {
            "run": redact.plain(record.run),
            "tool": scrub.text(record.tool),
            "kind": record.kind,
            "key": None if record.key is None else scrub.text(record.key),
            "at": float(record.at),
            "arguments_bytes": arguments.length,
            "arguments_hash": arguments.hash,
            "text_bytes": text.length,
            "text_chars": len(record.text),
            "text_hash": text.hash,
            "agent": None if record.agent is None else scrub.text(record.agent),
            "call_id": None if record.call_id is None else scrub.text(record.call_id),
        }

        def put(db: sqlite3.Connection) -> int:
            row["arguments"] = blobs.put(db, arguments.packed)
            row["text"] = blobs.put(db, text.packed)
            scrub.save(db)
            return insert(db, self._session.key, "result", row)

        return Prepared(put=put)

    def _late(self, record: LateRecord) -> Prepared:
        return self._produced(record.make())

    def hand_on(self, number: int, text: str) -> None:
        """Write what the maker of result `number` gave to the framework; the last one counts."""
        with self._session.reading() as db:
            found = db.execute("SELECT run FROM result WHERE number = ?", (number,)).fetchone()
        if found is None:
            raise ValueError(f"{self.path} has no result {number!r}: add_produced gives the number")
        self._commit(self._handed(HandedOnRecord(run=found[0], result=number, text=text)).put)

    def _handed(self, record: HandedOnRecord) -> Prepared:
        scrub = self._scrubber.of(record.run)
        kept = self._kept(scrub, redact.encode(record.text))

        def put(db: sqlite3.Connection) -> int:
            row = {
                "result": _number(record.result),
                "text": blobs.put(db, kept.packed),
                "text_bytes": kept.length,
                "text_chars": len(record.text),
                "text_hash": kept.hash,
            }
            scrub.save(db)
            return insert(db, self._session.key, "handed_on", row)

        return Prepared(put=put)

    def add_step(self, record: StepRecord) -> int:
        """Write one declared step between two data sets, and return its number."""
        return self._commit(self._step(record).put)

    def _step(self, record: StepRecord) -> Prepared:
        scrub = self._scrubber.of(record.run)
        dropped = self._kept(scrub, _json([scrub.text(item) for item in record.dropped]).encode())
        row: dict[str, object] = {
            "run": redact.plain(record.run),
            "name": scrub.text(record.name),
            "taken_in": record.taken_in,
            "handed_out": record.handed_out,
            "reason": scrub.text(record.reason),
            "at": float(record.at),
        }

        def put(db: sqlite3.Connection) -> int:
            row["dropped"] = blobs.put(db, dropped.packed)
            scrub.save(db)
            return insert(db, self._session.key, "step", row)

        return Prepared(put=put)

    def add_fault(self, run: str, what: str, at: float) -> None:
        """Count a record that could not be kept, and say why."""
        row = {"run": redact.plain(run), "what": self._scrubber.of(run).text(what), "at": float(at)}
        with self._session.writing() as db:
            insert(db, self._session.key, "fault", row)

    def learn(self, run: str, environment: Mapping[str, str]) -> None:
        """Take in the secrets among a program's settings before the run shows them.

        Every process that writes the run should: then all of them redact alike from the start.
        """
        self._commit(self._settings(SettingsRecord(run=run, environment=environment)).put)

    def _settings(self, record: SettingsRecord) -> Prepared:
        settings = "\n".join(f"{name}={value}" for name, value in record.environment.items())
        scrub = self._scrubber.of(record.run)
        scrub.data(settings.encode("utf-8", "backslashreplace"))

        def put(db: sqlite3.Connection) -> int:
            scrub.save(db)
            return 0

        return Prepared(put=put)

    def redacted(self, text: str, run: str) -> str:
        """Return a text without secrets, as this ledger would keep it for a run."""
        return self._scrubber.of(run).text(text)

    def redacted_words(self, words: Sequence[str], run: str) -> list[str]:
        """Return a command line without secrets, those in the word after an option included."""
        scrub = self._scrubber.of(run)
        clean: list[str] = []
        option = ""
        for word in words:
            # Read as `--option=value`, where the option names what the next word is.
            together = scrub.text(option + word)
            known = together.startswith(option)
            clean.append(together[len(option) :] if known else scrub.text(word))
            option = f"{word}=" if word.startswith("-") and "=" not in word else ""
        return clean

    def exchanges(
        self, run: str | None = None, *, bodies: Bodies = "both"
    ) -> Iterator[StoredExchange]:
        """Give the exchanges in the order of writing, of one run or of all, one at a time.

        What secrets the run has shown since an exchange was
        written are taken out here.
        """
        self._see_all()
        return query.exchanges(self._session, self._scrubber, run, bodies)

    def results(self, run: str | None = None) -> Iterator[StoredResult]:
        """Give the produced results in the order of writing, of one run or of all.

        What secrets the run has shown since a result was written are taken out here.
        """
        self._see_all()
        return query.results(self._session, self._scrubber, run)

    def result(self, number: int) -> StoredResult:
        """Give one produced result. Raises LedgerError where there is none of that number."""
        self._see_all()
        found = query.result(self._session, self._scrubber, number)
        if found is None:
            raise LedgerError(f"{self.path} has no result {number}: look at ullage ledger stats")
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

    def steps(self, run: str | None = None) -> Iterator[StoredStep]:
        """Give the declared steps in the order of writing, of one run or of all."""
        self._see_all()
        return query.steps(self._session, self._scrubber, run)

    def runs(self) -> list[str]:
        """Return the tags of all runs, the oldest first."""
        self._see_all()
        return query.runs(self._session)

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

    def verify(self) -> Verification:
        """Read and hash everything again, and say what is damaged."""
        self._see_all()
        return verify.verify(self._session)

    def _see_all(self) -> None:
        """Have what this process has under way for the file written, so that it is read too."""
        ending.flush(self.path, self._session.patience)

    def _cleaned(self, run: str, what: str) -> str:
        return self._scrubber.of(run).text(what)

    def _kept(
        self, scrub: RunScrubber, content: bytes, *, original: bytes | None = None
    ) -> "_Kept":
        """Redact a content; `original` is what it was decoded from, where that is not itself."""
        original = content if original is None else original
        content = scrub.data(content)
        digest = blobs.address(content)
        # Outside of any transaction, so that compressing keeps no other writer waiting; and for a
        # small content it is faster than to ask whether that is needed.
        known = len(content) > SMALL and self._is_kept(digest)
        data = None if known else blobs.compress(content)
        return _Kept(
            packed=blobs.Packed(content=content, digest=digest, data=data),
            length=len(original),
            hash=blake3(original, key=self._session.key).digest(),
        )

    def _is_kept(self, digest: bytes) -> bool:
        with self._session.reading() as db:
            return blobs.find(db, digest) is not None

    def _large(self, kept: "_Kept", left_out: LeftOut | None) -> "_Kept":
        """Put in what is known of a body that was too large to keep.

        Its hash is the keyed one of its digest: a digest alone could be compared with guesses.
        """
        if left_out is None:
            return kept
        keyed = blake3(left_out.digest, key=self._session.key).digest()
        return replace(kept, length=left_out.size, hash=keyed)


_PREPARE: dict[type[Entry], Callable[[Ledger, Any], Prepared]] = {
    ExchangeRecord: Ledger._exchange,
    ProducedRecord: Ledger._produced,
    HandedOnRecord: Ledger._handed,
    StepRecord: Ledger._step,
    SettingsRecord: Ledger._settings,
    LateRecord: Ledger._late,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A redacted content ready to be stored; length and keyed hash are those of the original."""

    packed: blobs.Packed
    length: int
    hash: bytes


def too_large(left_out: LeftOut | None) -> str | None:
    """Say that a body was too large to keep; None for one that was kept."""
    if left_out is None:
        return None
    return (
        f"a body of {left_out.size} bytes is over the {left_out.limit} of --largest-body: only its "
        "size and its hash are kept"
    )


def _size(entry: Entry) -> int:
    """Return about how many bytes a record holds."""
    if isinstance(entry, ExchangeRecord):
        return len(entry.request_body) + len(entry.response_body)
    if isinstance(entry, LateRecord):
        return entry.size
    return len(entry.text) if isinstance(entry, ProducedRecord | HandedOnRecord) else 0


def _number(result: int | Ticket) -> int:
    number = result if isinstance(result, int) else result.number
    if number is None:
        raise LedgerError("what it was handed on of was not recorded itself")
    return number


def _json(value: dict[str, str] | list[str]) -> str:
    return msgspec.json.encode(value).decode()
