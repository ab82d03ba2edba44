"""Redaction as a ledger applies it: with what each run has shown, here and in other processes."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from ullage.ledger import redact, shared
from ullage.ledger.connection import Session
from ullage.ledger.shared import Hashed, Wanted
from ullage.ledger.strength import strength

_TOLD = """SELECT number, mark, length, digest, offset, anchor_length, anchor FROM secret
    WHERE run = ? AND number > ? ORDER BY number"""
_TELL = """INSERT OR IGNORE INTO secret (run, mark, length, digest, offset, anchor_length, anchor)
    VALUES (?, ?, ?, ?, ?, ?, ?)"""


class _Run:
    """What this process knows of one run's secrets, and what it was told of."""

    def __init__(self) -> None:
        self.known = redact.NOTHING_KNOWN
        self.read_up_to = 0
        self.told: set[bytes] = set()
        self.met: set[bytes] = set()
        self.unmet: dict[bytes, Hashed] = {}
        self.wanted = Wanted(())

    def tell(self, number: int, one: Hashed) -> None:
        """Take in a row that this or another process has written."""
        self.read_up_to = number
        self.told.add(one.digest)
        if one.digest not in self.met:
            self.unmet[one.digest] = one

    def meet(self, secrets: Mapping[bytes, bytes], spelled: Iterable[Hashed]) -> None:
        """Take in secrets themselves."""
        self.known = self.known.learn(secrets)
        for one in spelled:
            self.met.add(one.digest)
            if self.unmet.pop(one.digest, None):
                self.wanted = Wanted(self.unmet.values())


class Scrubber:
    """Redacts what is about to be written, and remembers the secrets of each run.

    The secrets themselves stay in this process. The ledger holds a keyed hash of each, by which
    another process that writes or reads it knows them too, where they stand as words.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._runs: dict[str, _Run] = {}

    def of(self, run: str) -> "RunScrubber":
        """Return a scrubber for one record of a run."""
        run = redact.plain(run)
        with self._session.reading() as db:
            state = self._runs.setdefault(run, _Run())
            rows = db.execute(_TOLD, (run, state.read_up_to)).fetchall()
            for number, mark, length, digest, offset, anchor_length, anchor in rows:
                one = Hashed(
                    mark=mark,
                    length=length,
                    digest=digest,
                    offset=offset,
                    anchor_length=anchor_length,
                    anchor=anchor,
                )
                state.tell(number, one)
            if rows:
                state.wanted = Wanted(state.unmet.values())
            return RunScrubber(self._session, run, state)


class RunScrubber:
    """Redacts the parts of one record."""

    def __init__(self, session: Session, run: str, state: _Run) -> None:
        self._session = session
        self._run = run
        self._state = state
        self._key = session.key
        self._new: set[Hashed] = set()

    def learn(self, secrets: Iterable[bytes]) -> None:
        """Take in secrets; `save` tells other processes."""
        marks = redact.marks(filter(strength, secrets), self._key)
        if marks:
            spelled = shared.hashed(marks, self._key)
            self._new |= {one for one in spelled if one.digest not in self._state.told}
            self._meet(marks, spelled)

    def save(self, db: sqlite3.Connection) -> None:
        """Write down the hashes of new secrets, inside the transaction of the record."""
        rows = [
            (self._run, one.mark, one.length, one.digest, one.offset, one.anchor_length, one.anchor)
            for one in sorted(self._new)
        ]
        db.executemany(_TELL, rows)

    def headers(self, headers: Sequence[tuple[str, str]]) -> dict[str, str]:
        """Redact headers."""
        return redact.redact_headers(headers, key=self._key, known=self._state.known)

    def data(self, data: bytes) -> bytes:
        """Redact a body."""
        self._recognise(data)
        redacted = redact.redact(data, key=self._key, known=self._state.known)
        self.learn(redacted.seen)
        return redacted.data

    def stored(self, data: bytes) -> bytes:
        """Redact what was written before all of its secrets were known."""
        self._recognise(data)
        if not self._state.known:
            return data
        return redact.redact(data, key=self._key, known=self._state.known).data

    def text(self, text: str) -> str:
        """Redact a text that is kept in a column; lone surrogates are written as escapes."""
        data = self.data(text.encode("utf-8", "backslashreplace"))
        return data.decode("utf-8", "backslashreplace")

    def words(self, words: Sequence[str]) -> list[str]:
        """Redact a command line, the word after an option that names a secret included."""
        clean: list[str] = []
        option = ""
        for word in words:
            # Read as `--option=value`, where the option names what the next word is.
            together = self.text(option + word)
            known = together.startswith(option)
            clean.append(together[len(option) :] if known else self.text(word))
            option = f"{word}=" if word.startswith("-") and "=" not in word else ""
        return clean

    def _recognise(self, data: bytes) -> None:
        found = self._state.wanted.recognise(data, self._key)
        if found:
            self._meet(found, shared.hashed(found, self._key))

    def _meet(self, secrets: Mapping[bytes, bytes], spelled: Iterable[Hashed]) -> None:
        with self._session.reading():
            self._state.meet(secrets, spelled)
