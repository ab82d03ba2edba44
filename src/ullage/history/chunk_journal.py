"""Answers that were given already, in a file, so that a reading that was stopped goes on.

One JSON object a line: a hash of the request, and the answer. The file is its owner's only. What
it holds is what the model said, as it is: the answer of a resumed reading must be the same.
"""

import hashlib
import json
import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from ullage.ledger.opening import OWNER_ONLY
from ullage.sources.lines import read_lines


class Journal:
    """The answers in a file, by request; `notes` says what of it could not be read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._known: dict[str, str] = {}
        self.notes: list[str] = []
        data = path.read_bytes() if path.exists() else b""
        self._torn = bool(data) and not data.endswith(b"\n")
        for line in read_lines(data):
            if line.fault is not None:
                self.notes.append(
                    f"{path}: line {line.number} {line.fault}: what it was about is asked for again"
                )
                continue
            for value in line.values:
                if isinstance(value, Mapping):
                    self._known[str(value.get("request"))] = str(value.get("answer"))

    def get(self, messages: Sequence[Mapping[str, str]]) -> str | None:
        """Return the answer that a request was given before."""
        return self._known.get(digest(messages))

    def keep(self, messages: Sequence[Mapping[str, str]], answer: str) -> None:
        """Write an answer down, in one write: another process may write the same file."""
        request = digest(messages)
        line = json.dumps({"request": request, "answer": answer}).encode() + b"\n"
        with self._lock:
            file = os.open(self._path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, OWNER_ONLY)
            try:
                # A torn last line must not swallow this one.
                os.write(file, b"\n" + line if self._torn else line)
                self._torn = False
            finally:
                os.close(file)
            self._known[request] = answer


def digest(messages: Sequence[Mapping[str, str]]) -> str:
    """Return what tells a request from every other one."""
    return hashlib.sha256(json.dumps(list(map(dict, messages))).encode()).hexdigest()
