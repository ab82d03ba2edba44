"""The tables of a ledger file, as numbered migrations: each turns schema N-1 into schema N.

Rows are only ever added. Each one carries a `seal`, a keyed hash of its values, so that `verify`
notices damage in a row as it does in a blob. Beside each reference to a blob stand the length and
the keyed hash of the original, which the blob (redacted) cannot tell.
"""

import secrets
import sqlite3
from collections.abc import Callable

APPLICATION_ID = 0x556C6C67
"""Tells a ledger from every other SQLite file: "Ullg"."""

# `blob.form` says how `data` is to be read: whole zstd frames today, lists of chunks one day.
_FIRST = (
    "CREATE TABLE ledger (key BLOB NOT NULL)",
    """CREATE TABLE blob (
        id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, length INTEGER NOT NULL,
        form TEXT NOT NULL, data BLOB NOT NULL)""",
    """CREATE TABLE exchange (
        number INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, method TEXT NOT NULL,
        path TEXT NOT NULL, upstream TEXT NOT NULL, request_headers TEXT NOT NULL,
        request_body INTEGER NOT NULL REFERENCES blob, request_bytes INTEGER NOT NULL,
        request_hash BLOB NOT NULL, status INTEGER, response_headers TEXT NOT NULL,
        response_body INTEGER NOT NULL REFERENCES blob, response_bytes INTEGER NOT NULL,
        response_hash BLOB NOT NULL, started REAL NOT NULL, first_byte REAL, ended REAL NOT NULL,
        error TEXT, cohort TEXT, seal BLOB NOT NULL)""",
    """CREATE TABLE result (
        number INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, tool TEXT NOT NULL,
        kind TEXT NOT NULL, key TEXT, at REAL NOT NULL,
        arguments INTEGER NOT NULL REFERENCES blob, arguments_bytes INTEGER NOT NULL,
        arguments_hash BLOB NOT NULL, text INTEGER NOT NULL REFERENCES blob,
        text_bytes INTEGER NOT NULL, text_chars INTEGER NOT NULL, text_hash BLOB NOT NULL,
        seal BLOB NOT NULL)""",
    """CREATE TABLE handed_on (
        number INTEGER PRIMARY KEY AUTOINCREMENT, result INTEGER NOT NULL REFERENCES result,
        text INTEGER NOT NULL REFERENCES blob, text_bytes INTEGER NOT NULL,
        text_chars INTEGER NOT NULL, text_hash BLOB NOT NULL, seal BLOB NOT NULL)""",
    """CREATE TABLE step (
        number INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, name TEXT NOT NULL,
        taken_in INTEGER NOT NULL, handed_out INTEGER NOT NULL,
        dropped INTEGER NOT NULL REFERENCES blob, reason TEXT NOT NULL, at REAL NOT NULL,
        seal BLOB NOT NULL)""",
    """CREATE TABLE fault (
        number INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, what TEXT NOT NULL,
        at REAL NOT NULL, seal BLOB NOT NULL)""",
    """CREATE TABLE secret (
        run TEXT NOT NULL, length INTEGER NOT NULL, digest BLOB NOT NULL,
        PRIMARY KEY (run, length, digest)) WITHOUT ROWID""",
    "CREATE INDEX exchange_run ON exchange (run, number)",
    "CREATE INDEX result_run ON result (run, number)",
    "CREATE INDEX handed_on_result ON handed_on (result)",
    "CREATE INDEX step_run ON step (run, number)",
    "CREATE INDEX fault_run ON fault (run)",
)


def _first(db: sqlite3.Connection) -> None:
    for statement in _FIRST:
        db.execute(statement)
    db.execute("INSERT INTO ledger (key) VALUES (?)", (secrets.token_bytes(32),))


def _second(db: sqlite3.Connection) -> None:
    """Tell of whole secrets in place of their words."""
    db.execute("DROP TABLE secret")
    db.execute(
        """CREATE TABLE secret (
        number INTEGER PRIMARY KEY, run TEXT NOT NULL, mark BLOB NOT NULL, length INTEGER NOT NULL,
        digest BLOB NOT NULL, offset INTEGER NOT NULL, anchor_length INTEGER NOT NULL,
        anchor BLOB NOT NULL, UNIQUE (run, digest))"""
    )
    db.execute("CREATE INDEX secret_run ON secret (run, number)")


# `keep` is NULL for a record that is kept in full. `delivery` and `figures` hold what was measured,
# in rows of their own, because a record's row is sealed when it is written; the last one counts.
_THIRD = (
    "ALTER TABLE exchange ADD COLUMN agent TEXT",
    "ALTER TABLE exchange ADD COLUMN keep TEXT",
    "ALTER TABLE result ADD COLUMN agent TEXT",
    "ALTER TABLE result ADD COLUMN call_id TEXT",
    "ALTER TABLE result ADD COLUMN keep TEXT",
    """CREATE TABLE delivery (
        number INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL,
        result INTEGER NOT NULL REFERENCES result, exchange INTEGER REFERENCES exchange,
        certainty TEXT, delivered_chars INTEGER, records INTEGER, records_arrived INTEGER,
        parts INTEGER, parts_arrived INTEGER, rate REAL, valid INTEGER, notice TEXT, boundary TEXT,
        place TEXT NOT NULL, arrival TEXT, at REAL NOT NULL, seal BLOB NOT NULL)""",
    """CREATE TABLE figures (
        number INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL,
        exchange INTEGER NOT NULL REFERENCES exchange, document TEXT NOT NULL, at REAL NOT NULL,
        seal BLOB NOT NULL)""",
    """CREATE TABLE outcome (
        number INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, score REAL NOT NULL,
        note TEXT, at REAL NOT NULL, seal BLOB NOT NULL)""",
    """CREATE TABLE pruned (
        number INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, exchanges INTEGER NOT NULL,
        results INTEGER NOT NULL, last REAL, why TEXT NOT NULL, at REAL NOT NULL,
        seal BLOB NOT NULL)""",
    "CREATE INDEX delivery_result ON delivery (result)",
    "CREATE INDEX delivery_exchange ON delivery (exchange)",
    "CREATE INDEX figures_exchange ON figures (exchange)",
    "CREATE INDEX outcome_run ON outcome (run)",
    """CREATE VIEW arrival AS SELECT result.number, result.run, result.tool, result.agent,
        result.call_id, result.text_chars AS produced_chars, delivery.delivered_chars,
        delivery.records, delivery.records_arrived, delivery.parts, delivery.parts_arrived,
        delivery.rate, delivery.valid, delivery.notice, delivery.boundary, delivery.place,
        delivery.exchange, delivery.certainty
        FROM result LEFT JOIN delivery ON delivery.number =
            (SELECT max(number) FROM delivery WHERE result = result.number)""",
)


def _third(db: sqlite3.Connection) -> None:
    """Name the agent and the call, and make room for what was measured, joined and pruned."""
    for statement in _THIRD:
        db.execute(statement)


def _lost(db: sqlite3.Connection) -> None:
    """Count records that were handed over and never written."""
    # `settled`: by process (a journal's name) and run, how many are written, or counted as lost.
    db.execute(
        """CREATE TABLE settled (
        writer TEXT NOT NULL, run TEXT NOT NULL, records INTEGER NOT NULL,
        PRIMARY KEY (writer, run)) WITHOUT ROWID"""
    )
    db.execute(
        """CREATE TABLE lost (
        number INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, records INTEGER NOT NULL,
        what TEXT NOT NULL, at REAL NOT NULL, seal BLOB NOT NULL)"""
    )
    db.execute("CREATE INDEX lost_run ON lost (run)")


# `handle` is made of the content, `text` of a row that a policy reduced is the empty content.
_HISTORY = (
    """CREATE TABLE compaction (
        number INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, at REAL NOT NULL,
        tier TEXT NOT NULL, unit TEXT NOT NULL, budget INTEGER NOT NULL, before INTEGER NOT NULL,
        after INTEGER NOT NULL, tokens_before INTEGER NOT NULL, tokens_after INTEGER NOT NULL,
        events TEXT NOT NULL, seal BLOB NOT NULL)""",
    """CREATE TABLE kept (
        number INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, at REAL NOT NULL,
        handle TEXT NOT NULL, tool TEXT NOT NULL, records INTEGER NOT NULL,
        arguments INTEGER NOT NULL REFERENCES blob, arguments_bytes INTEGER NOT NULL,
        arguments_hash BLOB NOT NULL, text INTEGER NOT NULL REFERENCES blob,
        text_bytes INTEGER NOT NULL, text_chars INTEGER NOT NULL, text_hash BLOB NOT NULL,
        seal BLOB NOT NULL)""",
    """CREATE TABLE recalled (
        number INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, at REAL NOT NULL,
        handle TEXT NOT NULL, part TEXT, records TEXT, chars INTEGER NOT NULL,
        known INTEGER NOT NULL, seal BLOB NOT NULL)""",
    "CREATE INDEX compaction_run ON compaction (run)",
    "CREATE INDEX kept_run ON kept (run)",
    "CREATE INDEX kept_handle ON kept (handle)",
    "CREATE INDEX recalled_run ON recalled (run)",
)


def _history(db: sqlite3.Connection) -> None:
    """Say how a history was shortened, keep what left it, and count who asks for that again."""
    for statement in _HISTORY:
        db.execute(statement)


def _handed(db: sqlite3.Connection) -> None:
    """Make room for what workers found, and for when they began and how they ended."""
    # `mark` tells a worker from others of its name; `detail` is JSON, whose members an event has.
    db.execute(
        """CREATE TABLE worker (
        number INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, worker TEXT NOT NULL,
        mark TEXT NOT NULL, stage TEXT NOT NULL, event TEXT NOT NULL, detail TEXT NOT NULL,
        at REAL NOT NULL, seal BLOB NOT NULL)"""
    )
    db.execute(
        """CREATE TABLE finding (
        number INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, worker TEXT NOT NULL,
        mark TEXT NOT NULL, stage TEXT NOT NULL, key TEXT NOT NULL,
        text INTEGER NOT NULL REFERENCES blob, text_bytes INTEGER NOT NULL,
        text_chars INTEGER NOT NULL, text_hash BLOB NOT NULL,
        evidence INTEGER NOT NULL REFERENCES blob, evidence_bytes INTEGER NOT NULL,
        evidence_hash BLOB NOT NULL, source TEXT, at REAL NOT NULL, keep TEXT,
        seal BLOB NOT NULL)"""
    )
    db.execute("CREATE INDEX worker_run ON worker (run, number)")
    db.execute("CREATE INDEX finding_run ON finding (run, number)")


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    _first,
    _second,
    _third,
    _lost,
    _history,
    _handed,
)
SCHEMA = len(MIGRATIONS)


def migrate(db: sqlite3.Connection) -> None:
    """Bring the file to SCHEMA in one transaction; a file that is there already is left alone."""
    db.execute("BEGIN IMMEDIATE")
    try:
        # Asked again under the lock: another process may have been first.
        for step in MIGRATIONS[version(db) :]:
            step(db)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {SCHEMA}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


def version(db: sqlite3.Connection) -> int:
    """Return the schema number that the file carries, 0 for a file without one."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def belongs_to_us(db: sqlite3.Connection) -> bool:
    """Tell whether the file is a ledger, or holds nothing at all and may become one."""
    mark = db.execute("PRAGMA application_id").fetchone()[0]
    return mark == APPLICATION_ID or (mark == 0 and is_blank(db))


def is_blank(db: sqlite3.Connection) -> bool:
    """Tell whether nothing was ever put into the file."""
    tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return version(db) == 0 and tables == 0
