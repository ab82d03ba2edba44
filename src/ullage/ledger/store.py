"""The ledger: one file that takes in what was produced and delivered, and gives it back."""

import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
from blake3 import blake3

from ullage.errors import LedgerError
from ullage.ledger import blobs, query, redact, verify
from ullage.ledger.connection import Session
from ullage.ledger.encodings import decoded
from ullage.ledger.query import Stats
from ullage.ledger.records import (
    Bodies,
    ExchangeRecord,
    LeftOut,
    ProducedRecord,
    StepRecord,
    StoredExchange,
    StoredResult,
    StoredStep,
)
from ullage.ledger.rows import insert
from ullage.ledger.scrub import RunScrubber, Scrubber
from ullage.ledger.verify import Verification


class Ledger:
    """One ledger file, opened for writing and made where there is none.

    Several threads and several processes may write one file. Everything is redacted before it is
    written, and each write is committed before its method returns: it survives a killed process.
    """

    def __init__(self, path: Path | str) -> None:
        self._start(Path(path), write=True)

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """Open a ledger for reading only; one that does not exist is a LedgerError."""
        ledger = cls.__new__(cls)
        ledger._start(Path(path), write=False)
        return ledger

    def _start(self, path: Path, *, write: bool) -> None:
        self.path = path
        self._session = Session(path, write=write)
        self._scrubber = Scrubber(self._session)

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
        """Close the file; closing twice is allowed."""
        self._session.close()

    def add_exchange(
        self, record: ExchangeRecord, *, report: Callable[[str], None] | None = None
    ) -> int:
        """Write one request and its reply, and return its number.

        Bodies are decoded first (`Content-Encoding`). Of one that cannot be, only the length and
        the keyed hash are kept; that is counted as a fault of the run, and said to `report`.
        """
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
            "run": _plain(record.run),
            "method": _plain(record.method),
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
        with self._session.writing() as db:
            row["request_body"] = blobs.put(db, request.packed)
            row["response_body"] = blobs.put(db, response.packed)
            scrub.save(db)
            for what in faults:
                fault = {"run": row["run"], "what": what, "at": row["ended"]}
                insert(db, self._session.key, "fault", fault)
            number = insert(db, self._session.key, "exchange", row)
        if report is not None:
            for what in faults:
                report(what)
        return number

    def add_produced(self, record: ProducedRecord) -> int:
        """Write one result as its maker returned it, and return its number."""
        scrub = self._scrubber.of(record.run)
        arguments = self._kept(scrub, redact.encode(record.arguments))
        text = self._kept(scrub, redact.encode(record.text))
        row: dict[str, object] = {
            "run": _plain(record.run),
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
        with self._session.writing() as db:
            row["arguments"] = blobs.put(db, arguments.packed)
            row["text"] = blobs.put(db, text.packed)
            scrub.save(db)
            return insert(db, self._session.key, "result", row)

    def hand_on(self, number: int, text: str) -> None:
        """Write what the maker of result `number` gave to the framework; the last one counts."""
        with self._session.reading() as db:
            found = db.execute("SELECT run FROM result WHERE number = ?", (number,)).fetchone()
        if found is None:
            raise ValueError(f"{self.path} has no result {number!r}: add_produced gives the number")
        scrub = self._scrubber.of(found[0])
        kept = self._kept(scrub, redact.encode(text))
        with self._session.writing() as db:
            row = {
                "result": number,
                "text": blobs.put(db, kept.packed),
                "text_bytes": kept.length,
                "text_chars": len(text),
                "text_hash": kept.hash,
            }
            scrub.save(db)
            insert(db, self._session.key, "handed_on", row)

    def add_step(self, record: StepRecord) -> int:
        """Write one declared step between two data sets, and return its number."""
        scrub = self._scrubber.of(record.run)
        dropped = self._kept(scrub, _json([scrub.text(item) for item in record.dropped]).encode())
        row: dict[str, object] = {
            "run": _plain(record.run),
            "name": scrub.text(record.name),
            "taken_in": record.taken_in,
            "handed_out": record.handed_out,
            "reason": scrub.text(record.reason),
            "at": float(record.at),
        }
        with self._session.writing() as db:
            row["dropped"] = blobs.put(db, dropped.packed)
            scrub.save(db)
            return insert(db, self._session.key, "step", row)

    def add_fault(self, run: str, what: str, at: float) -> None:
        """Count a record that could not be kept, and say why."""
        row = {"run": _plain(run), "what": self._scrubber.of(run).text(what), "at": float(at)}
        with self._session.writing() as db:
            insert(db, self._session.key, "fault", row)

    def learn(self, run: str, environment: Mapping[str, str]) -> None:
        """Take in the secrets among a program's settings before the run shows them.

        Every process that writes the run should: then all of them redact alike from the start.
        """
        settings = "\n".join(f"{name}={value}" for name, value in environment.items())
        scrub = self._scrubber.of(run)
        scrub.data(settings.encode("utf-8", "backslashreplace"))
        with self._session.writing() as db:
            scrub.save(db)

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
        return query.exchanges(self._session, self._scrubber, run, bodies)

    def results(self, run: str | None = None) -> Iterator[StoredResult]:
        """Give the produced results in the order of writing, of one run or of all.

        What secrets the run has shown since a result was written are taken out here.
        """
        return query.results(self._session, self._scrubber, run)

    def result(self, number: int) -> StoredResult:
        """Give one produced result. Raises LedgerError where there is none of that number."""
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
        return query.steps(self._session, self._scrubber, run)

    def runs(self) -> list[str]:
        """Return the tags of all runs, the oldest first."""
        return query.runs(self._session)

    def faults(self, run: str | None = None) -> int:
        """Return how many records could not be kept, of one run or of all."""
        return query.faults(self._session, run)

    def recent_runs(self, since: float, *, most: int) -> list[tuple[str, int]]:
        """Return the runs that asked since then, the latest first, and how often each of them did.

        Of the last 20,000 exchanges; `since` in seconds since the epoch (UTC).
        """
        return query.recent_runs(self._session, since, most)

    def check(self) -> None:
        """Raise LedgerError where nothing could be written now."""
        with self._session.writing():
            pass

    def stats(self) -> Stats:
        """Return how much the ledger holds."""
        return query.stats(self._session)

    def verify(self) -> Verification:
        """Read and hash everything again, and say what is damaged."""
        return verify.verify(self._session)

    def _kept(
        self, scrub: RunScrubber, content: bytes, *, original: bytes | None = None
    ) -> "_Kept":
        """Redact a content; `original` is what it was decoded from, where that is not itself."""
        original = content if original is None else original
        content = scrub.data(content)
        digest = blobs.address(content)
        with self._session.reading() as db:
            known = blobs.find(db, digest) is not None
        # Outside of any transaction, so that compressing keeps no other writer waiting.
        data = None if known else blobs.compress(content)
        return _Kept(
            packed=blobs.Packed(content=content, digest=digest, data=data),
            length=len(original),
            hash=blake3(original, key=self._session.key).digest(),
        )

    def _large(self, kept: "_Kept", left_out: LeftOut | None) -> "_Kept":
        """Put in what is known of a body that was too large to keep.

        Its hash is the keyed one of its digest: a digest alone could be compared with guesses.
        """
        if left_out is None:
            return kept
        keyed = blake3(left_out.digest, key=self._session.key).digest()
        return replace(kept, length=left_out.size, hash=keyed)


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


def _json(value: dict[str, str] | list[str]) -> str:
    return msgspec.json.encode(value).decode()


def _plain(text: str) -> str:
    """Write lone surrogates, which SQLite cannot hold, as escapes."""
    return text.encode("utf-8", "backslashreplace").decode()
