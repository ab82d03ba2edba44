"""Reading what a test has written, and saying it in short."""

from pathlib import Path

from ullage.sources.files import read_bytes, read_file
from ullage.transcript.transcript import Transcript


def transcripts(data: bytes | Path, form: str | None = None) -> list[Transcript]:
    """Every transcript of a file."""
    reading = read_file(data, form) if isinstance(data, Path) else read_bytes(data, "s.jsonl", form)
    return [one for one in reading.records if isinstance(one, Transcript)]


def said(transcript: Transcript, entries: list[int] | tuple[int, ...] | None) -> list[str]:
    """Messages in short: the role's first letter, and the text or the names of the calls."""
    assert entries is not None
    messages = [transcript.entries[at].message for at in entries]
    return [
        f"{one.role[0]}:{' '.join(filter(None, [one.text, *(call.name for call in one.calls)]))}"
        for one in messages
    ]


def all_said(transcript: Transcript) -> list[str]:
    return said(transcript, list(range(len(transcript.entries))))


def pre(transcript: Transcript, number: int) -> list[str]:
    return said(transcript, transcript.pre(number))


def post(transcript: Transcript, number: int) -> list[str]:
    return said(transcript, transcript.post(number))


def now(transcript: Transcript) -> list[str]:
    """What is in force at the end."""
    return said(transcript, transcript.context(len(transcript.entries)))
