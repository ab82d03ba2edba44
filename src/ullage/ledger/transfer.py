"""Writing entries into a ledger: of an export, of another ledger, of what was kept aside."""

from dataclasses import dataclass, field, replace

import msgspec
from blake3 import blake3

from ullage.errors import LoadError
from ullage.ledger import blobs
from ullage.ledger.connection import Session
from ullage.ledger.entries import CONTENTS, REFERENCES, Content, Entry, Row
from ullage.ledger.redact import HEADER, decode, encode
from ullage.ledger.rows import insert
from ullage.ledger.scrub import RunScrubber, Scrubber

# Columns of words that somebody else has written.
_TEXTS = {
    "exchange": ("path", "upstream", "error", "agent"),
    "result": ("tool", "key", "agent", "call_id"),
    "step": ("name", "reason"),
    "worker": ("worker", "stage", "detail"),
    "finding": ("worker", "stage", "source"),
    "fault": ("what",),
    "lost": ("what",),
    "delivery": ("certainty", "notice", "boundary", "place", "arrival"),
    "figures": ("document",),
    "outcome": ("note",),
    "pruned": ("why",),
    "compaction": ("events",),
    "kept": ("tool",),
    "recalled": ("part", "records"),
}
_ANY = (
    "SELECT 1 FROM exchange LIMIT 1",
    "SELECT 1 FROM result LIMIT 1",
    "SELECT 1 FROM step LIMIT 1",
    "SELECT 1 FROM worker LIMIT 1",
    "SELECT 1 FROM finding LIMIT 1",
    "SELECT 1 FROM fault LIMIT 1",
    "SELECT 1 FROM lost LIMIT 1",
    "SELECT 1 FROM outcome LIMIT 1",
    "SELECT 1 FROM pruned LIMIT 1",
    "SELECT 1 FROM compaction LIMIT 1",
    "SELECT 1 FROM kept LIMIT 1",
    "SELECT 1 FROM recalled LIMIT 1",
)
_HEADERS = ("request_headers", "response_headers")


@dataclass(slots=True)
class Numbers:
    """The numbers that entries get here, by the ones they had; `same` keeps those they had."""

    same: bool
    given: dict[tuple[str, object], int] = field(default_factory=dict)

    def of(self, table: str, old: object) -> int:
        """Return the number here of an entry before. Raises LoadError where there was none."""
        try:
            return self.given[table, old]
        except KeyError as error:
            raise LoadError(f"it is about {table} {old}, which does not come before it") from error


def transfer_into(session: Session, scrubber: Scrubber) -> "Transfer":
    """Return what writes entries into a ledger; into an empty one with the numbers they had."""
    with session.reading() as db:
        held = [db.execute(statement).fetchone() for statement in _ANY]
    return Transfer(session, scrubber, Numbers(same=not any(held)))


class Transfer:
    """Writes entries; everything is redacted again, as anything is before it is written.

    `own_key` says that they come from a ledger of the same key, so that keyed hashes stay what
    they are. Else those are made anew from what there is: of redacted contents, not of originals.
    """

    def __init__(
        self, session: Session, scrubber: Scrubber, numbers: Numbers, *, own_key: bool = False
    ) -> None:
        self._session = session
        self._scrubber = scrubber
        self._numbers = numbers
        self._own_key = own_key
        self._run_of: dict[object, str] = {}

    def add(self, entry: Entry) -> int:
        """Write one entry and return its number here."""
        table, row = entry.table, dict(entry.row)
        scrub = self._scrubber.of(self._run(entry))
        packed = {one.column: self._pack(scrub, row, one) for one in CONTENTS[table]}
        redact_words(scrub, table, row)
        number = row.pop("number")
        if (table, number) in self._numbers.given:
            raise LoadError(f"{table} {number} comes twice")
        for name in REFERENCES.get(table, ()):
            if row[name] is not None:
                row[name] = self._numbers.of(name, row[name])
        if self._numbers.same:
            row["number"] = number
        with self._session.writing() as db:
            row |= {column: blobs.put(db, one) for column, one in packed.items()}
            scrub.save(db)
            new = insert(db, self._session.key, table, row)
        self._numbers.given[table, number] = new
        return new

    def _run(self, entry: Entry) -> str:
        row = entry.row
        if entry.table == "handed_on":
            self._numbers.of("result", row["result"])
            return self._run_of[row["result"]]
        if entry.table == "result":
            self._run_of[row["number"]] = str(row["run"])
        return str(row["run"])

    def _pack(self, scrub: RunScrubber, row: Row, one: Content) -> blobs.Packed:
        """Redact a content and make its hash; its length stays that of the original."""
        content = row[one.column]
        if not isinstance(content, bytes):
            raise TypeError(f"{one.column} is {type(content).__name__}, not bytes")
        content = scrub.data(content)
        there = content or one.length is None or row[one.length] == 0
        if one.hash is not None and there and not self._own_key:
            row[one.hash] = blake3(content, key=self._session.key).digest()
        return blobs.Packed(content=content, digest=blobs.address(content), data=None)


def redact_words(scrub: RunScrubber, table: str, row: Row) -> None:
    """Redact the columns of a row that hold words, and the values of its headers."""
    for name in _TEXTS.get(table, ()):
        value = row[name]
        if isinstance(value, str):
            row[name] = scrub.text(value)
    if table != "exchange":
        return
    for name in _HEADERS:
        headers = msgspec.json.decode(encode(str(row[name])), type=dict[str, str])
        # Taken out before: the word that stands for a value is no value to learn.
        shown = [(key, value) for key, value in headers.items() if value != HEADER]
        clean = scrub.headers(shown)
        whole = {key: clean.get(key.lower(), HEADER) for key in headers}
        row[name] = decode(msgspec.json.encode(whole))


def renamed(entry: Entry, prefix: str) -> Entry:
    """Return an entry whose run has `prefix` before its tag."""
    return retagged(entry, f"{prefix}{entry.row['run']}") if "run" in entry.row else entry


def retagged(entry: Entry, tag: str) -> Entry:
    """Return an entry of a run under another tag."""
    return replace(entry, row={**entry.row, "run": tag}) if "run" in entry.row else entry
