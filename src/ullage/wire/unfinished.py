"""Taking the body of a reply apart: one document, a list of documents, or events; whole or not."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ullage.cutter.ndjson import ends_early
from ullage.wire.events import Event, events, is_stream
from ullage.wire.members import Object, read_object

DECODER = json.JSONDecoder()
BETWEEN = " \t\r\n,"


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The body of a reply; `whole` is false where its JSON, also that of a list, ends early."""

    document: Object
    events: Sequence[Event]
    streamed: bool
    whole: bool


def body_of(body: bytes) -> Body:
    """Take a body apart; a list of documents (Gemini's other stream) is read as events."""
    if is_stream(body):
        return Body(document={}, events=list(events(body)), streamed=True, whole=True)
    said = body.decode("utf-8", "replace")
    if said.lstrip().startswith("["):
        found = list(documents(said))
        whole = isinstance(as_json(said), list)
        return Body(document={}, events=found, streamed=True, whole=whole)
    document = read_object(body)
    whole = bool(document) or bool(said.strip() and not ends_early(said))
    return Body(document=document, events=(), streamed=False, whole=whole)


def documents(said: str) -> Iterator[Event]:
    """Yield the whole documents of a list that may have been cut."""
    at = said.index("[") + 1
    while True:
        while at < len(said) and said[at] in BETWEEN:
            at += 1
        try:
            _, end = DECODER.raw_decode(said, at)
        except (ValueError, RecursionError):
            return
        yield Event(name=None, data=said[at:end])
        at = end


def as_json(said: str) -> object:
    """Return the value of a JSON text, None where it is none."""
    try:
        return json.loads(said)
    except (ValueError, RecursionError):
        return None
