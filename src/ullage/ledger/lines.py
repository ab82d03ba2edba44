"""Entries as lines of JSON: what `ullage ledger export` writes and `import` reads back.

A content is a string, or `{"base64": "…"}` where its bytes are not UTF-8. Keyed hashes are written
only where they are all that was kept: they mean nothing without the ledger's key, which stays in
its file.
"""

import base64
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from ullage.errors import LoadError
from ullage.ledger.entries import CONTENTS, Entry, Row
from ullage.ledger.records import Keep, ProducedKind
from ullage.transcript.words import Cohort

SCHEMA = "ullage.export/1"

Whole = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
"""A number that SQLite can hold."""

Words = dict[str, str]
Document = dict[str, object]
Events = list[Document]
Content = str | dict[str, str]

COLUMNS: Mapping[str, Mapping[str, Any]] = {
    "exchange": {
        "number": Whole,
        "run": str,
        "agent": str | None,
        "method": str,
        "path": str,
        "upstream": str,
        "started": float,
        "first_byte": float | None,
        "ended": float,
        "status": Whole | None,
        "error": str | None,
        "cohort": Cohort | None,
        "keep": Keep | None,
        "request_headers": Words,
        "request_bytes": Whole,
        "request_body": Content,
        "response_headers": Words,
        "response_bytes": Whole,
        "response_body": Content,
    },
    "result": {
        "number": Whole,
        "run": str,
        "agent": str | None,
        "tool": str,
        "call_id": str | None,
        "kind": ProducedKind,
        "key": str | None,
        "at": float,
        "keep": Keep | None,
        "arguments_bytes": Whole,
        "arguments": Content,
        "text_bytes": Whole,
        "text_chars": Whole,
        "text": Content,
    },
    "handed_on": {
        "number": Whole,
        "result": Whole,
        "text_bytes": Whole,
        "text_chars": Whole,
        "text": Content,
    },
    "step": {
        "number": Whole,
        "run": str,
        "name": str,
        "taken_in": Whole,
        "handed_out": Whole,
        "dropped": Content,
        "reason": str,
        "at": float,
    },
    "worker": {
        "number": Whole,
        "run": str,
        "worker": str,
        "mark": str,
        "stage": str,
        "event": str,
        "detail": str,
        "at": float,
    },
    "finding": {
        "number": Whole,
        "run": str,
        "worker": str,
        "mark": str,
        "stage": str,
        "key": str,
        "text_bytes": Whole,
        "text_chars": Whole,
        "text": Content,
        "evidence_bytes": Whole,
        "evidence": Content,
        "source": str | None,
        "at": float,
        "keep": Keep | None,
    },
    "fault": {"number": Whole, "run": str, "what": str, "at": float},
    "lost": {"number": Whole, "run": str, "records": Whole, "what": str, "at": float},
    "delivery": {
        "number": Whole,
        "run": str,
        "result": Whole,
        "exchange": Whole | None,
        "certainty": str | None,
        "delivered_chars": Whole | None,
        "records": Whole | None,
        "records_arrived": Whole | None,
        "parts": Whole | None,
        "parts_arrived": Whole | None,
        "rate": float | None,
        "valid": bool | None,
        "notice": str | None,
        "boundary": str | None,
        "place": str,
        "arrival": Document | None,
        "at": float,
    },
    "figures": {"number": Whole, "run": str, "exchange": Whole, "document": Document, "at": float},
    "outcome": {"number": Whole, "run": str, "score": float, "note": str | None, "at": float},
    "pruned": {
        "number": Whole,
        "run": str,
        "exchanges": Whole,
        "results": Whole,
        "last": float | None,
        "why": str,
        "at": float,
    },
    "compaction": {
        "number": Whole,
        "run": str,
        "at": float,
        "tier": str,
        "unit": str,
        "budget": Whole,
        "before": Whole,
        "after": Whole,
        "tokens_before": Whole,
        "tokens_after": Whole,
        "events": Events,
    },
    "kept": {
        "number": Whole,
        "run": str,
        "at": float,
        "handle": str,
        "tool": str,
        "records": Whole,
        "arguments_bytes": Whole,
        "arguments": Content,
        "text_bytes": Whole,
        "text_chars": Whole,
        "text": Content,
    },
    "recalled": {
        "number": Whole,
        "run": str,
        "at": float,
        "handle": str,
        "part": str | None,
        "records": str | None,
        "chars": Whole,
        "known": bool,
    },
}
"""The members of a line by table, in their order, and the type of each."""

DOCUMENTS = {"request_headers", "response_headers", "arrival", "document", "events"}
TRUTHS = {"valid", "known"}
"""Columns that SQLite holds as 0 or 1."""


def to_line(entry: Entry) -> str:
    """Write an entry as one line, without its line end."""
    row = entry.row
    members: dict[str, object] = {"schema": SCHEMA, "record": entry.table}
    for name in COLUMNS[entry.table]:
        value = row[name]
        if isinstance(value, bytes):
            value = written(value)
        elif name in DOCUMENTS and isinstance(value, str):
            value = msgspec.json.decode(value)
        elif name in TRUTHS and isinstance(value, int):
            value = bool(value)
        members[name] = value
    for one in CONTENTS[entry.table]:
        found = row.get(one.hash or "")
        if isinstance(found, bytes) and is_alone(row, one.column, one.length):
            members[str(one.hash)] = found.hex()
    return msgspec.json.encode(members).decode()


def from_line(members: Mapping[str, object]) -> Entry:
    """Read the members of a line. Raises LoadError where it is not as `to_line` writes it."""
    table = members.get("record")
    if not isinstance(table, str) or table not in COLUMNS:
        raise LoadError(f"unknown record {table!r}: it was written by a newer version")
    row: Row = {}
    for name, kind in COLUMNS[table].items():
        try:
            row[name] = stored(name, msgspec.convert(members.get(name), kind))
        except (msgspec.ValidationError, RecursionError) as error:
            raise LoadError(f"{table}: {name}: {error}") from error
    for one in CONTENTS[table]:
        try:
            row[one.column] = read(row[one.column])
            if one.hash is not None:
                row[one.hash] = bytes.fromhex(str(members.get(one.hash, "")))
        except ValueError as error:
            raise LoadError(f"{table}: {one.column}: {error}") from error
    return Entry(table=table, row=row)


def is_alone(row: Row, column: str, length: str | None) -> bool:
    """Whether the hash of a content is all that was kept of it."""
    return not row[column] and length is not None and row[length] != 0


def stored(name: str, value: object) -> object:
    """Return a member as its column holds it."""
    if name in DOCUMENTS and isinstance(value, dict | list):
        return msgspec.json.encode(value).decode()
    return int(value) if isinstance(value, bool) else value


def written(content: bytes) -> object:
    """Write a content as a string, or in base64 where it is no UTF-8."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}


def read(content: object) -> bytes:
    """Read a content back. Raises ValueError where it is neither a string nor base64."""
    if isinstance(content, str):
        return content.encode("utf-8")
    if not isinstance(content, Mapping) or set(content) != {"base64"}:
        raise ValueError('expected a string, or {"base64": "…"}')
    return base64.b64decode(content["base64"], validate=True)
