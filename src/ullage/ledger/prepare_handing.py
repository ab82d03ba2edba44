"""Events of workers and their findings, made ready to be written as every record is."""

import json
import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

from ullage.ledger import blobs, redact
from ullage.ledger.connection import Session
from ullage.ledger.contents import kept_content
from ullage.ledger.handing_records import FindingRecord, WorkerRecord
from ullage.ledger.rows import insert
from ullage.ledger.scrub import RunScrubber
from ullage.ledger.writer import Prepared


def _worker(session: Session, scrub: RunScrubber, record: WorkerRecord) -> Prepared:
    row: dict[str, object] = {
        "run": redact.plain(record.run),
        "worker": scrub.text(record.worker),
        "mark": redact.plain(record.mark),
        "stage": scrub.text(record.stage),
        "event": record.event,
        "detail": scrub.text(json.dumps(_plain(record.detail), ensure_ascii=False)),
        "at": float(record.at),
    }

    def put(db: sqlite3.Connection) -> int:
        scrub.save(db)
        return insert(db, session.key, "worker", row)

    return Prepared(put=put)


def _plain(value: object) -> object:
    """Return a JSON value without lone surrogates, which its reader would refuse."""
    if isinstance(value, str):
        return redact.plain(value)
    if isinstance(value, Mapping):
        return {redact.plain(str(name)): _plain(inner) for name, inner in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def _finding(session: Session, scrub: RunScrubber, record: FindingRecord) -> Prepared:
    text = kept_content(session, scrub, redact.encode(record.text))
    evidence = kept_content(session, scrub, redact.encode(record.evidence))
    row: dict[str, object] = {
        "run": redact.plain(record.run),
        "worker": scrub.text(record.worker),
        "mark": redact.plain(record.mark),
        "stage": scrub.text(record.stage),
        "key": redact.plain(record.key),
        "text_bytes": text.length,
        "text_chars": len(record.text),
        "text_hash": text.hash,
        "evidence_bytes": evidence.length,
        "evidence_hash": evidence.hash,
        "source": None if record.source is None else scrub.text(record.source),
        "at": float(record.at),
        "keep": None,
    }

    def put(db: sqlite3.Connection) -> int:
        row["text"] = blobs.put(db, text.packed)
        row["evidence"] = blobs.put(db, evidence.packed)
        scrub.save(db)
        return insert(db, session.key, "finding", row)

    return Prepared(put=put)


# The type of the key is that of the function's record, which a dict cannot say.
PREPARE_HANDING: Mapping[type, Callable[[Session, RunScrubber, Any], Prepared]] = {
    WorkerRecord: _worker,
    FindingRecord: _finding,
}
