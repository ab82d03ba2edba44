"""Reading documents in tests."""

import json
from typing import Any

from ullage.sources.files import read_bytes
from ullage.transcript.transcript import Transcript


def transcripts(document: Any, form: str | None = None) -> list[Transcript]:
    """Return the transcripts of a document, which must hold nothing else."""
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    found = list(read_bytes(data, "folder/log.json", form).records)
    assert all(isinstance(one, Transcript) for one in found)
    return [one for one in found if isinstance(one, Transcript)]


def texts(one: Transcript, entries: list[int] | None) -> list[str]:
    """Return the texts of some entries."""
    return [one.entries[at].message.text for at in entries or ()]
