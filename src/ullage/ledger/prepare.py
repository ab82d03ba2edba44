"""Records made ready for a ledger: redacted, hashed and compressed, outside of any transaction.

One function a kind of record; none of them writes. What they return does, in the transaction of
whoever commits it.
"""

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import msgspec
from blake3 import blake3

from ullage.errors import LedgerError
from ullage.ledger import blobs, redact
from ullage.ledger.connection import Session
from ullage.ledger.contents import KeptContent, kept_content
from ullage.ledger.encodings import decoded
from ullage.ledger.handing_records import FindingRecord
from ullage.ledger.history_records import KeptRecord
from ullage.ledger.prepare_handing import PREPARE_HANDING
from ullage.ledger.prepare_history import PREPARE_HISTORY
from ullage.ledger.records import (
    Entry,
    ExchangeRecord,
    HandedOnRecord,
    LateRecord,
    LeftOut,
    ProducedRecord,
    SettingsRecord,
    StepRecord,
)
from ullage.ledger.rows import insert
from ullage.ledger.scrub import RunScrubber, Scrubber
from ullage.ledger.ticket import Ticket
from ullage.ledger.writer import Prepared


def prepare(session: Session, scrubber: Scrubber, entry: Entry) -> Prepared:
    """Make one record of any kind ready to be written."""
    if isinstance(entry, LateRecord):
        entry = entry.make()
    return _PREPARE[type(entry)](session, scrubber.of(entry.run), entry)


def size_of(entry: Entry) -> int:
    """Return about how many bytes a record holds."""
    if isinstance(entry, ExchangeRecord):
        return len(entry.request_body) + len(entry.response_body)
    if isinstance(entry, LateRecord):
        return entry.size
    texts = ProducedRecord | HandedOnRecord | KeptRecord | FindingRecord
    return len(entry.text) if isinstance(entry, texts) else 0


def _exchange(session: Session, scrub: RunScrubber, record: ExchangeRecord) -> Prepared:
    # First, so that a secret is known in the body that was sent with it.
    scrub.learn(redact.header_secrets(record.request_headers))
    scrub.learn(redact.header_secrets(record.response_headers))
    sent = decoded(record.request_body, record.request_headers)
    came = decoded(record.response_body, record.response_headers)
    request = kept_content(session, scrub, sent.content, original=record.request_body)
    response = kept_content(session, scrub, came.content, original=record.response_body)
    request = _large(session, request, record.request_left_out)
    response = _large(session, response, record.response_left_out)
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
        "error": _text(scrub, record.error),
        "cohort": record.cohort,
        "agent": _text(scrub, record.agent),
    }
    notes = {
        "request": sent.fault or _too_large(record.request_left_out),
        "reply": came.fault or _too_large(record.response_left_out),
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
            insert(db, session.key, "fault", fault)
        return insert(db, session.key, "exchange", row)

    return Prepared(put=put, notes=faults)


def _produced(session: Session, scrub: RunScrubber, record: ProducedRecord) -> Prepared:
    arguments = kept_content(session, scrub, redact.encode(record.arguments))
    text = kept_content(session, scrub, redact.encode(record.text))
    row: dict[str, object] = {
        "run": redact.plain(record.run),
        "tool": scrub.text(record.tool),
        "kind": record.kind,
        "key": _text(scrub, record.key),
        "at": float(record.at),
        "arguments_bytes": arguments.length,
        "arguments_hash": arguments.hash,
        "text_bytes": text.length,
        "text_chars": len(record.text),
        "text_hash": text.hash,
        "agent": _text(scrub, record.agent),
        "call_id": _text(scrub, record.call_id),
    }

    def put(db: sqlite3.Connection) -> int:
        row["arguments"] = blobs.put(db, arguments.packed)
        row["text"] = blobs.put(db, text.packed)
        scrub.save(db)
        return insert(db, session.key, "result", row)

    return Prepared(put=put)


def _handed_on(session: Session, scrub: RunScrubber, record: HandedOnRecord) -> Prepared:
    kept = kept_content(session, scrub, redact.encode(record.text))

    def put(db: sqlite3.Connection) -> int:
        row = {
            "result": _number(record.result),
            "text": blobs.put(db, kept.packed),
            "text_bytes": kept.length,
            "text_chars": len(record.text),
            "text_hash": kept.hash,
        }
        scrub.save(db)
        return insert(db, session.key, "handed_on", row)

    return Prepared(put=put)


def _step(session: Session, scrub: RunScrubber, record: StepRecord) -> Prepared:
    dropped = _json([scrub.text(item) for item in record.dropped]).encode()
    kept = kept_content(session, scrub, dropped)
    row: dict[str, object] = {
        "run": redact.plain(record.run),
        "name": scrub.text(record.name),
        "taken_in": record.taken_in,
        "handed_out": record.handed_out,
        "reason": scrub.text(record.reason),
        "at": float(record.at),
    }

    def put(db: sqlite3.Connection) -> int:
        row["dropped"] = blobs.put(db, kept.packed)
        scrub.save(db)
        return insert(db, session.key, "step", row)

    return Prepared(put=put)


def _settings(_: Session, scrub: RunScrubber, record: SettingsRecord) -> Prepared:
    settings = "\n".join(f"{name}={value}" for name, value in record.environment.items())
    scrub.data(settings.encode("utf-8", "backslashreplace"))

    def put(db: sqlite3.Connection) -> int:
        scrub.save(db)
        return 0

    return Prepared(put=put)


# The type of the key is that of the function's record, which a dict cannot say.
_PREPARE: Mapping[type, Callable[[Session, RunScrubber, Any], Prepared]] = {
    ExchangeRecord: _exchange,
    ProducedRecord: _produced,
    HandedOnRecord: _handed_on,
    StepRecord: _step,
    SettingsRecord: _settings,
    **PREPARE_HISTORY,
    **PREPARE_HANDING,
}


def _large(session: Session, kept: KeptContent, left_out: LeftOut | None) -> KeptContent:
    """Put in what is known of a body that was too large to keep.

    Its hash is the keyed one of its digest: a digest alone could be compared with guesses.
    """
    if left_out is None:
        return kept
    keyed = blake3(left_out.digest, key=session.key).digest()
    return replace(kept, length=left_out.size, hash=keyed)


def _too_large(left_out: LeftOut | None) -> str | None:
    """Say that a body was too large to keep; None for one that was kept."""
    if left_out is None:
        return None
    return (
        f"a body of {left_out.size} bytes is over the {left_out.limit} of --largest-body: only its "
        "size and its hash are kept"
    )


def _number(result: int | Ticket) -> int:
    number = result if isinstance(result, int) else result.number
    if number is None:
        raise LedgerError("what it was handed on of was not recorded itself")
    return number


def _text(scrub: RunScrubber, text: str | None) -> str | None:
    return None if text is None else scrub.text(text)


def _json(value: dict[str, str] | list[str]) -> str:
    return msgspec.json.encode(value).decode()
