"""Records of a shortened history made ready for a ledger; see `prepare`."""

import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

from ullage.cutter.excerpt import excerpt
from ullage.ledger import blobs, redact
from ullage.ledger.connection import Session
from ullage.ledger.contents import kept_content
from ullage.ledger.history_records import CompactionRecord, KeptRecord, RecallRecord
from ullage.ledger.rows import insert
from ullage.ledger.scrub import RunScrubber
from ullage.ledger.writer import Prepared

SHORTEST_HANDLE = 8
LONGEST_WORDS = 200
"""Characters kept of what a model wrote as a handle, a path or a range."""

_SAME = "SELECT number FROM kept WHERE run = ? AND text = ? ORDER BY number LIMIT 1"
_TAKEN = "SELECT 1 FROM kept WHERE handle = ? AND text <> ? LIMIT 1"


def _compaction(session: Session, scrub: RunScrubber, record: CompactionRecord) -> Prepared:
    row: dict[str, object] = {
        "run": redact.plain(record.run),
        "at": float(record.at),
        "tier": record.tier,
        "unit": record.unit,
        "budget": record.budget,
        "before": record.before,
        "after": record.after,
        "tokens_before": record.tokens_before,
        "tokens_after": record.tokens_after,
        "events": scrub.text(record.events),
    }

    def put(db: sqlite3.Connection) -> int:
        scrub.save(db)
        return insert(db, session.key, "compaction", row)

    return Prepared(put=put)


def _keep(session: Session, scrub: RunScrubber, record: KeptRecord) -> Prepared:
    arguments = kept_content(session, scrub, redact.encode(record.arguments))
    text = kept_content(session, scrub, redact.encode(record.text))
    row: dict[str, object] = {
        "run": redact.plain(record.run),
        "at": float(record.at),
        "tool": scrub.text(record.tool),
        "records": record.records,
        "arguments_bytes": arguments.length,
        "arguments_hash": arguments.hash,
        "text_bytes": text.length,
        "text_chars": len(record.text),
        "text_hash": text.hash,
    }

    def put(db: sqlite3.Connection) -> int:
        row["text"] = blobs.put(db, text.packed)
        same = db.execute(_SAME, (row["run"], row["text"])).fetchone()
        if same is not None:
            return int(same[0])
        row["arguments"] = blobs.put(db, arguments.packed)
        row["handle"] = _handle(db, text.packed.digest.hex(), row["text"])
        scrub.save(db)
        return insert(db, session.key, "kept", row)

    return Prepared(put=put)


def _handle(db: sqlite3.Connection, digest: str, text: object) -> str:
    """Return the shortest beginning of a digest that stands for no other text."""
    lengths = range(SHORTEST_HANDLE, len(digest) + 1, 4)
    handles = (digest[:length] for length in lengths)  # hash digits, not user data
    return next(one for one in handles if not db.execute(_TAKEN, (one, text)).fetchone())


def _recall(session: Session, scrub: RunScrubber, record: RecallRecord) -> Prepared:
    row: dict[str, object] = {
        "run": redact.plain(record.run),
        "at": float(record.at),
        "handle": _words(scrub, record.handle),
        "part": None if record.part is None else _words(scrub, record.part),
        "records": None if record.records is None else _words(scrub, record.records),
        "chars": record.chars,
        "known": int(record.known),
    }

    def put(db: sqlite3.Connection) -> int:
        scrub.save(db)
        return insert(db, session.key, "recalled", row)

    return Prepared(put=put)


def _words(scrub: RunScrubber, text: str) -> str:
    return excerpt(scrub.text(text), LONGEST_WORDS)


# The type of the key is that of the function's record, which a dict cannot say.
PREPARE_HISTORY: Mapping[type, Callable[[Session, RunScrubber, Any], Prepared]] = {
    CompactionRecord: _compaction,
    KeptRecord: _keep,
    RecallRecord: _recall,
}
