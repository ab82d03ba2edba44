"""What the tests of the sources read, and how they name what they find."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ullage.checks.session import Session
from ullage.checks.transcripts import session_of
from ullage.sources.files import read_bytes, read_file
from ullage.transcript.transcript import Transcript


def packed(document: object) -> bytes:
    """Write a document as JSON."""
    return json.dumps(document).encode()


def lines(records: Iterable[object]) -> bytes:
    """Write a record a line."""
    return b"".join(packed(one) + b"\n" for one in records)


def sessions(data: bytes | Path, form: str | None = None) -> list[Transcript]:
    """Read the transcripts of a file, in the form that is found for it."""
    reading = read_bytes(data, "x", form) if isinstance(data, bytes) else read_file(data, form)
    return [one for one in reading.records if isinstance(one, Transcript)]


def only(data: bytes | Path) -> Transcript:
    """Read the one transcript of a file."""
    (found,) = sessions(data)
    return found


def judged(transcript: Transcript) -> Session:
    """Return a transcript with its results."""
    return session_of(transcript)


def texts(transcript: Transcript, places: Sequence[int] | None) -> list[str]:
    """Return what entries say; a call without a word is named by its tool."""
    entries = [transcript.entries[one] for one in places or ()]
    return [
        one.message.text or " ".join(call.name for call in one.message.calls) for one in entries
    ]


def pre(transcript: Transcript, number: int = 0) -> list[str]:
    """Return what was in force right before a compaction."""
    return texts(transcript, transcript.pre(number))


def post(transcript: Transcript, number: int = 0) -> list[str]:
    """Return what was in force right after it."""
    return texts(transcript, transcript.post(number))


def calls(transcript: Transcript) -> list[tuple[str, str, str | None]]:
    """Return the results: their tool, their text, and the arguments of their call."""
    return [
        (one.tool, one.text, one.call.arguments if one.call else None)
        for one in judged(transcript).results
        if one.counted
    ]


Record = dict[str, Any]
