"""Verification: everything in a ledger is read and hashed again."""

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from ullage.ledger import blobs
from ullage.ledger.connection import Session
from ullage.ledger.rows import seal

# Every table of records, and its columns that refer to a blob.
_ROWS = {
    "exchange": ("SELECT * FROM exchange", ("request_body", "response_body")),
    "result": ("SELECT * FROM result", ("arguments", "text")),
    "handed_on": ("SELECT * FROM handed_on", ("text",)),
    "step": ("SELECT * FROM step", ("dropped",)),
    "worker": ("SELECT * FROM worker", ()),
    "finding": ("SELECT * FROM finding", ("text", "evidence")),
    "fault": ("SELECT * FROM fault", ()),
    "delivery": ("SELECT * FROM delivery", ()),
    "figures": ("SELECT * FROM figures", ()),
    "outcome": ("SELECT * FROM outcome", ()),
    "pruned": ("SELECT * FROM pruned", ()),
    "lost": ("SELECT * FROM lost", ()),
    "compaction": ("SELECT * FROM compaction", ()),
    "kept": ("SELECT * FROM kept", ("arguments", "text")),
    "recalled": ("SELECT * FROM recalled", ()),
}


_HOW_MANY = (
    "SELECT count(*) FROM blob",
    "SELECT count(*) FROM exchange",
    "SELECT count(*) FROM result",
    "SELECT count(*) FROM handed_on",
    "SELECT count(*) FROM step",
    "SELECT count(*) FROM worker",
    "SELECT count(*) FROM finding",
    "SELECT count(*) FROM fault",
    "SELECT count(*) FROM delivery",
    "SELECT count(*) FROM figures",
    "SELECT count(*) FROM outcome",
    "SELECT count(*) FROM pruned",
    "SELECT count(*) FROM lost",
    "SELECT count(*) FROM compaction",
    "SELECT count(*) FROM kept",
    "SELECT count(*) FROM recalled",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DamagedBlob:
    """A blob that is not what was stored, and the places of the records that use it."""

    blob: str
    why: str
    used_by: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What was checked, and what is wrong with it."""

    blobs: int
    records: int
    damaged: tuple[DamagedBlob, ...]
    problems: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether the ledger is what was written."""
        return not self.damaged and not self.problems

    def lines(self) -> list[str]:
        """Return one line for each fault."""
        uses = [(damage, ", ".join(damage.used_by) or "no record") for damage in self.damaged]
        return [f"blob {d.blob} {d.why}; used by {used}" for d, used in uses] + [*self.problems]

    def to_dict(self) -> dict[str, object]:
        """Return the members of `ullage.verify/1`, in their order."""
        return {
            "blobs": self.blobs,
            "records": self.records,
            "damaged": [{"blob": d.blob, "used_by": list(d.used_by)} for d in self.damaged],
            "problems": list(self.problems),
        }


def verify(session: Session, step: Callable[[], None] = lambda: None) -> Verification:
    """Hash every blob and row again and resolve every reference, in one state of the file.

    `step` is called after each of them.
    """
    with session.reading() as db:
        # So that damage inside a text is a wrong seal, and no end to the reading.
        db.text_factory = lambda data: data.decode("utf-8", "backslashreplace")
        db.execute("BEGIN")
        try:
            check = _Check(db, session.key, step)
            check.run()
        finally:
            db.execute("ROLLBACK")
            db.text_factory = str
    return Verification(
        blobs=check.blobs,
        records=check.records,
        damaged=tuple(
            DamagedBlob(blob=name, why=why, used_by=tuple(check.uses.get(number, ())))
            for number, (name, why) in check.damaged.items()
        ),
        problems=tuple(check.problems),
    )


def how_many(session: Session) -> int | None:
    """Return how many blobs and records `verify` reads; None where a file cannot say it."""
    with session.reading() as db:
        try:
            return sum(int(db.execute(statement).fetchone()[0]) for statement in _HOW_MANY)
        except sqlite3.DatabaseError:
            return None  # damaged: verify says where


class _Check:
    """One verification under way: what it has counted and found."""

    def __init__(self, db: sqlite3.Connection, key: bytes, step: Callable[[], None]) -> None:
        self._db = db
        self._key = key
        self._step = step
        self._there: set[int] = set()
        self.blobs = 0
        self.records = 0
        self.damaged: dict[int, tuple[str, str]] = {}
        self.uses: dict[int, list[str]] = {}
        self.problems: list[str] = []

    def run(self) -> None:
        """Check the file's structure, then the blobs, then the rows."""
        self._read("the file's structure", self._structure)
        self._read("the blobs", self._hash_blobs)
        self._read("the references", self._resolve_rows)
        for table in _ROWS:
            self._read(f"the table {table}", partial(self._hash_rows, table))

    def _read(self, what: str, step: Callable[[], None]) -> None:
        try:
            step()
        except sqlite3.DatabaseError as error:
            # A page that cannot be read at all; what can be read elsewhere is still checked.
            self.problems.append(f"{what} cannot be read to the end: {error}")

    def _structure(self) -> None:
        found = [row[0] for row in self._db.execute("PRAGMA integrity_check")]
        self.problems += [f"the file's structure: {line}" for line in found if line != "ok"]

    def _hash_blobs(self) -> None:
        rows = self._db.execute("SELECT id, digest, length, form, data FROM blob ORDER BY id")
        for number, digest, length, form, data in rows:
            self.blobs += 1
            self._step()
            self._there.add(number)
            try:
                blobs.unpack(data, form=form, length=length, digest=digest)
            except (blobs.DamagedBlobError, TypeError) as error:
                name = digest.hex() if isinstance(digest, bytes) else repr(digest)
                self.damaged[number] = (name, str(error))

    def _resolve_rows(self) -> None:
        """Find rows that refer to a record which is missing; blobs are looked at row by row."""
        for table, number, parent, _ in self._db.execute("PRAGMA foreign_key_check"):
            if parent != "blob":
                name = f"{table.replace('_', ' ')} {number}"
                self.problems.append(f"{name}: the {parent} that it is about is missing")

    def _hash_rows(self, table: str) -> None:
        statement, references = _ROWS[table]
        cursor = self._db.cursor()
        cursor.row_factory = sqlite3.Row
        for row in cursor.execute(statement):
            self.records += 1
            self._step()
            self._check_row(table, dict(row), references)

    def _check_row(
        self, table: str, row: Mapping[str, object], references: tuple[str, ...]
    ) -> None:
        name = f"{table.replace('_', ' ')} {row['number']}"
        if seal(self._key, table, row) != row["seal"]:
            self.problems.append(f"{name} is not what was written: its values have changed")
        for column in references:
            blob = row[column]
            if isinstance(blob, int) and blob in self._there:
                self.uses.setdefault(blob, []).append(f"{name} {column.replace('_', ' ')}")
            else:
                self.problems.append(
                    f"{name}: its {column} refers to blob {blob}, which is missing"
                )
