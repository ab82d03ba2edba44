"""Rows: written with their seal, and checked against it."""

import sqlite3
from collections.abc import Mapping

import msgspec
from blake3 import blake3

_INSERT = {
    "exchange": (
        "INSERT INTO exchange (run, method, path, upstream, request_headers, request_body,"
        " request_bytes, request_hash, status, response_headers, response_body, response_bytes,"
        " response_hash, started, first_byte, ended, error, cohort, seal) VALUES (:run, :method,"
        " :path, :upstream, :request_headers, :request_body, :request_bytes, :request_hash,"
        " :status, :response_headers, :response_body, :response_bytes, :response_hash, :started,"
        " :first_byte, :ended, :error, :cohort, :seal)"
    ),
    "result": (
        "INSERT INTO result (run, tool, kind, key, at, arguments, arguments_bytes, arguments_hash,"
        " text, text_bytes, text_chars, text_hash, seal) VALUES (:run, :tool, :kind, :key, :at,"
        " :arguments, :arguments_bytes, :arguments_hash, :text, :text_bytes, :text_chars,"
        " :text_hash, :seal)"
    ),
    "handed_on": (
        "INSERT INTO handed_on (result, text, text_bytes, text_chars, text_hash, seal)"
        " VALUES (:result, :text, :text_bytes, :text_chars, :text_hash, :seal)"
    ),
    "step": (
        "INSERT INTO step (run, name, taken_in, handed_out, dropped, reason, at, seal)"
        " VALUES (:run, :name, :taken_in, :handed_out, :dropped, :reason, :at, :seal)"
    ),
    "fault": "INSERT INTO fault (run, what, at, seal) VALUES (:run, :what, :at, :seal)",
}


def insert(db: sqlite3.Connection, key: bytes, table: str, row: Mapping[str, object]) -> int:
    """Add a row and its seal, and return its number."""
    cursor = db.execute(_INSERT[table], {**row, "seal": seal(key, table, row)})
    return int(cursor.lastrowid or 0)


def seal(key: bytes, table: str, row: Mapping[str, object]) -> bytes:
    """Return the keyed hash of a row's values; its number and the seal itself are not in it."""
    values = [row[name] for name in sorted(row) if name not in {"number", "seal"}]
    return blake3(msgspec.msgpack.encode([table, *values]), key=key).digest(length=16)
