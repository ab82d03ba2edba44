"""Rows: written with their seal, and checked against it."""

import sqlite3
from collections.abc import Mapping

import msgspec
from blake3 import blake3

# A number of NULL is one that SQLite gives.
_INSERT = {
    "exchange": (
        "INSERT INTO exchange (number, run, method, path, upstream, request_headers, request_body,"
        " request_bytes, request_hash, status, response_headers, response_body, response_bytes,"
        " response_hash, started, first_byte, ended, error, cohort, agent, keep, seal) VALUES"
        " (:number, :run, :method, :path, :upstream, :request_headers, :request_body,"
        " :request_bytes, :request_hash, :status, :response_headers, :response_body,"
        " :response_bytes, :response_hash, :started, :first_byte, :ended, :error, :cohort, :agent,"
        " :keep, :seal)"
    ),
    "result": (
        "INSERT INTO result (number, run, tool, kind, key, at, arguments, arguments_bytes,"
        " arguments_hash, text, text_bytes, text_chars, text_hash, agent, call_id, keep, seal)"
        " VALUES (:number, :run, :tool, :kind, :key, :at, :arguments, :arguments_bytes,"
        " :arguments_hash, :text, :text_bytes, :text_chars, :text_hash, :agent, :call_id, :keep,"
        " :seal)"
    ),
    "handed_on": (
        "INSERT INTO handed_on (number, result, text, text_bytes, text_chars, text_hash, seal)"
        " VALUES (:number, :result, :text, :text_bytes, :text_chars, :text_hash, :seal)"
    ),
    "step": (
        "INSERT INTO step (number, run, name, taken_in, handed_out, dropped, reason, at, seal)"
        " VALUES (:number, :run, :name, :taken_in, :handed_out, :dropped, :reason, :at, :seal)"
    ),
    "fault": (
        "INSERT INTO fault (number, run, what, at, seal) VALUES (:number, :run, :what, :at, :seal)"
    ),
    "delivery": (
        "INSERT INTO delivery (number, run, result, exchange, certainty, delivered_chars, records,"
        " records_arrived, parts, parts_arrived, rate, valid, notice, boundary, place, arrival, at,"
        " seal) VALUES (:number, :run, :result, :exchange, :certainty, :delivered_chars, :records,"
        " :records_arrived, :parts, :parts_arrived, :rate, :valid, :notice, :boundary, :place,"
        " :arrival, :at, :seal)"
    ),
    "figures": (
        "INSERT INTO figures (number, run, exchange, document, at, seal)"
        " VALUES (:number, :run, :exchange, :document, :at, :seal)"
    ),
    "outcome": (
        "INSERT INTO outcome (number, run, score, note, at, seal)"
        " VALUES (:number, :run, :score, :note, :at, :seal)"
    ),
    "pruned": (
        "INSERT INTO pruned (number, run, exchanges, results, last, why, at, seal)"
        " VALUES (:number, :run, :exchanges, :results, :last, :why, :at, :seal)"
    ),
    "worker": (
        "INSERT INTO worker (number, run, worker, mark, stage, event, detail, at, seal)"
        " VALUES (:number, :run, :worker, :mark, :stage, :event, :detail, :at, :seal)"
    ),
    "finding": (
        "INSERT INTO finding (number, run, worker, mark, stage, key, text, text_bytes, text_chars,"
        " text_hash, evidence, evidence_bytes, evidence_hash, source, at, keep, seal)"
        " VALUES (:number, :run, :worker, :mark, :stage, :key, :text, :text_bytes, :text_chars,"
        " :text_hash, :evidence, :evidence_bytes, :evidence_hash, :source, :at, :keep, :seal)"
    ),
    "lost": (
        "INSERT INTO lost (number, run, records, what, at, seal)"
        " VALUES (:number, :run, :records, :what, :at, :seal)"
    ),
    "compaction": (
        "INSERT INTO compaction (number, run, at, tier, unit, budget, before, after, tokens_before,"
        " tokens_after, events, seal) VALUES (:number, :run, :at, :tier, :unit, :budget, :before,"
        " :after, :tokens_before, :tokens_after, :events, :seal)"
    ),
    "kept": (
        "INSERT INTO kept (number, run, at, handle, tool, records, arguments, arguments_bytes,"
        " arguments_hash, text, text_bytes, text_chars, text_hash, seal) VALUES (:number, :run,"
        " :at, :handle, :tool, :records, :arguments, :arguments_bytes, :arguments_hash, :text,"
        " :text_bytes, :text_chars, :text_hash, :seal)"
    ),
    "recalled": (
        "INSERT INTO recalled (number, run, at, handle, part, records, chars, known, seal)"
        " VALUES (:number, :run, :at, :handle, :part, :records, :chars, :known, :seal)"
    ),
}
# Columns that a table got after rows were sealed: where they are NULL, the seal is what it was.
_ADDED = {"exchange": ("agent", "keep"), "result": ("agent", "call_id", "keep")}


def insert(db: sqlite3.Connection, key: bytes, table: str, row: Mapping[str, object]) -> int:
    """Add a row and its seal, and return its number: the row's own `number`, else a new one."""
    whole = {"number": None, **dict.fromkeys(_ADDED.get(table, ())), **row}
    cursor = db.execute(_INSERT[table], {**whole, "seal": seal(key, table, whole)})
    return int(cursor.lastrowid or 0)


def seal(key: bytes, table: str, row: Mapping[str, object]) -> bytes:
    """Return the keyed hash of a row's values; its number and the seal itself are not in it."""
    added = _ADDED.get(table, ())
    values = [row[name] for name in sorted(row) if name not in {"number", "seal", *added}]
    values += [[name, row[name]] for name in added if row.get(name) is not None]
    return blake3(msgspec.msgpack.encode([table, *values]), key=key).digest(length=16)
