"""Redaction as a ledger applies it: with what each run has shown, here and in other processes."""

import sqlite3
from collections.abc import Iterable, Sequence

from ullage.ledger import known, redact
from ullage.ledger.connection import Session
from ullage.ledger.known import Known


class Scrubber:
    """Redacts what is about to be written, and remembers the secrets of each run.

    The secrets themselves stay in this process. Of those in headers the ledger holds a keyed hash,
    by which another process that writes it knows them too, whole words only.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[str, Known] = {}

    def of(self, run: str) -> "RunScrubber":
        """Return a scrubber for one record of a run."""
        with self._session.reading() as db:
            rows = db.execute("SELECT length, digest FROM secret WHERE run = ?", (run,)).fetchall()
            before = self._known.get(run, redact.NOTHING_KNOWN)
        return RunScrubber(self, run, key=self._session.key, before=before, digests=set(rows))

    def learn(self, run: str, secrets: Iterable[bytes]) -> Known:
        """Remember secrets of a run, and return all that are known of it."""
        with self._session.reading():
            now = self._known.get(run, redact.NOTHING_KNOWN).learn(secrets)
            self._known[run] = now
        return now


class RunScrubber:
    """Redacts the parts of one record."""

    def __init__(
        self,
        scrubber: Scrubber,
        run: str,
        *,
        key: bytes,
        before: Known,
        digests: set[tuple[int, bytes]],
    ) -> None:
        self._scrubber = scrubber
        self._run = run
        self._key = key
        self._known = before
        self._digests = digests
        self._new: set[tuple[int, bytes]] = set()

    def learn_headers(self, headers: Sequence[tuple[str, str]]) -> None:
        """Take in the secrets of a request's or a reply's headers; `save` tells other processes."""
        secrets = redact.header_secrets(headers)
        self._learn(secrets)
        self._new |= known.digests(self._key, secrets) - self._digests

    def save(self, db: sqlite3.Connection) -> None:
        """Write down the hashes of new secrets, inside the transaction of the record."""
        rows = [(self._run, length, digest) for length, digest in sorted(self._new)]
        db.executemany("INSERT OR IGNORE INTO secret (run, length, digest) VALUES (?, ?, ?)", rows)

    def headers(self, headers: Sequence[tuple[str, str]]) -> dict[str, str]:
        """Redact headers."""
        return redact.redact_headers(headers, key=self._key, known=self._known)

    def data(self, data: bytes) -> bytes:
        """Redact a body."""
        self._learn(known.recognise(data, self._digests, self._key))
        redacted = redact.redact(data, key=self._key, known=self._known)
        self._learn(redacted.seen)
        return redacted.data

    def text(self, text: str) -> str:
        """Redact a text that is kept in a column; lone surrogates are written as escapes."""
        data = self.data(text.encode("utf-8", "backslashreplace"))
        return data.decode("utf-8", "backslashreplace")

    def _learn(self, secrets: Iterable[bytes]) -> None:
        if secrets:
            self._known = self._scrubber.learn(self._run, secrets)
