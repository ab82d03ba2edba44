"""A state database as Hermes writes it, in its newer and in its first shape."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

NEW = """
CREATE TABLE system_prompts (hash TEXT PRIMARY KEY, prompt TEXT NOT NULL);
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, model_config TEXT,
  system_prompt TEXT, system_prompt_hash TEXT, parent_session_id TEXT, started_at REAL NOT NULL,
  ended_at REAL, end_reason TEXT, title TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
  role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT,
  timestamp REAL NOT NULL, token_count INTEGER, finish_reason TEXT,
  _compressed_summary INTEGER NOT NULL DEFAULT 0, active INTEGER NOT NULL DEFAULT 1,
  compacted INTEGER NOT NULL DEFAULT 0, api_content TEXT);
"""
FIRST = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, model_config TEXT,
  system_prompt TEXT, parent_session_id TEXT, started_at REAL NOT NULL, end_reason TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
  role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT,
  timestamp REAL NOT NULL, finish_reason TEXT);
"""


@dataclass
class State:
    """A state.db that grows by rows."""

    path: Path
    schema: str = NEW
    now: float = 1_760_000_000.0

    def __post_init__(self) -> None:
        with closing(sqlite3.connect(self.path)) as db:
            db.execute("PRAGMA journal_mode=WAL")
            db.executescript(self.schema)
            db.commit()

    def write(self, query: str, *values: object) -> None:
        with closing(sqlite3.connect(self.path)) as db:
            db.execute(query, values)
            db.commit()

    def insert(self, table: str, **row: object) -> None:
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        self.write(f"INSERT INTO {table} ({names}) VALUES ({marks})", *row.values())

    def session(self, name: str, parent: str | None = None, **more: object) -> None:
        self.now += 1
        known = {"source": "cli", "model": "gpt-4o", "started_at": self.now}
        self.insert("sessions", id=name, parent_session_id=parent, **{**known, **more})

    def end(self, name: str) -> None:
        self.write("UPDATE sessions SET end_reason = 'compression' WHERE id = ?", name)

    def said(self, session: str, role: str, content: str, **more: object) -> None:
        self.now += 1
        self.insert(
            "messages",
            session_id=session,
            role=role,
            content=content,
            timestamp=self.now,
            **more,
        )

    def called(self, session: str, call: str, output: str) -> None:
        function = {"name": "terminal", "arguments": json.dumps({"command": call})}
        calls = [{"id": call, "type": "function", "function": function}]
        self.said(session, "assistant", "", tool_calls=json.dumps(calls))
        self.said(session, "tool", output, tool_call_id=call, tool_name="terminal")

    def archive(self, session: str) -> None:
        """What a compression in place does to the rows in force, before it writes them anew."""
        self.write(
            "UPDATE messages SET active = 0, compacted = 1 WHERE session_id = ? AND active = 1",
            session,
        )
