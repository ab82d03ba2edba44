"""A database as opencode writes it, with an account that nobody has to read."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from tests.sources.agent_files import Record

SCHEMA = """
CREATE TABLE account (id TEXT PRIMARY KEY, email TEXT, access_token TEXT);
CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT,
  title TEXT, version TEXT, time_created INTEGER, time_updated INTEGER);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER,
  data TEXT);
"""
SECOND = 1000
TOKENS = {"input": 10, "output": 5, "reasoning": 2, "cache": {"read": 100, "write": 3}}


@dataclass
class Store:
    """An opencode.db that grows by messages; each is one second after the last."""

    path: Path
    now: int = 1_760_000_000_000
    count: int = 0
    begun: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        with closing(sqlite3.connect(self.path)) as db:
            db.execute("PRAGMA journal_mode=WAL")
            db.executescript(SCHEMA)
            db.execute("INSERT INTO account VALUES ('a', 'someone@example.org', 'kept-apart')")
            db.commit()

    def write(self, query: str, *values: object) -> None:
        with closing(sqlite3.connect(self.path)) as db:
            db.execute(query, values)
            db.commit()

    def session(self, name: str, parent: str | None = None) -> str:
        query = "INSERT INTO session VALUES (?, 'p', ?, '/w', 't', '1.18.33', ?, ?)"
        self.write(query, name, parent, self.now, self.now)
        return name

    def message(self, session: str, data: Record, *parts: Record) -> str:
        self.now += SECOND
        self.count += 1
        key = f"msg_{self.count:04}"
        query = "INSERT INTO message VALUES (?, ?, ?, ?)"
        self.write(query, key, session, self.now, json.dumps(data))
        for number, part in enumerate(parts):
            self.write(
                "INSERT INTO part VALUES (?, ?, ?, ?, ?)",
                f"prt_{self.count:04}_{number:02}",
                key,
                session,
                self.now,
                json.dumps(part),
            )
        return key

    def user(self, session: str, said: str) -> str:
        return self.message(session, {"role": "user"}, {"type": "text", "text": said})

    def reply(self, session: str, *parts: Record, **more: object) -> str:
        data = {"role": "assistant", "modelID": "gpt-4o", "finish": "stop", **more}
        return self.message(session, data, *parts)


def step(*parts: Record, reason: str = "stop") -> list[Record]:
    finish = {"type": "step-finish", "reason": reason, "cost": 0, "tokens": TOKENS}
    return [{"type": "step-start"}, *parts, finish]


def said(text: str) -> Record:
    return {"type": "text", "text": text}


def ran(call: str, output: str, **more: object) -> Record:
    """A call of the shell that came back; `more` are members of its state."""
    state = {
        "status": "completed",
        "input": {"command": f"run {call}"},
        "output": output,
        "metadata": {"truncated": False},
        "time": {"start": 1, "end": 2},
        **more,
    }
    return {"type": "tool", "tool": "bash", "callID": call, "state": state}
