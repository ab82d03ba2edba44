"""Files of bodies: the events of one streamed reply, one JSON document, one document a line."""

import re
from collections.abc import Iterator
from itertools import count, islice

from ullage.errors import LoadError
from ullage.sources.bodies import exchange_of, told_reply
from ullage.sources.form import Form
from ullage.sources.opened import NO_DOCUMENT, SNIFFED, Opened
from ullage.sources.record import Damaged, Plain, Record
from ullage.transcript.finding import Source
from ullage.wire.events import is_stream
from ullage.wire.exchange import Exchange
from ullage.wire.members import objects

OBJECT = re.compile(rb'\{\s*(?:"|\}|\r?\Z)|\0')
"""How a line begins that is an object, whole or torn, or that a file system left empty."""


def has_lines(opened: Opened) -> bool:
    """Whether half or more of a file's first lines are JSON objects, begin as ones, or are NULs.

    Other texts may have such a line: a Markdown page with an example, a YAML file.
    """
    filled = (line.lstrip() for line in opened.data.split(b"\n") if line.strip())
    fits = [OBJECT.match(line) is not None for line in islice(filled, SNIFFED)]
    return 2 * sum(fits) >= len(fits) > 0


def stream_records(opened: Opened) -> Iterator[Record]:
    """Yield the one reply that a stream of events is."""
    reply = told_reply(opened.data)
    if reply is None:
        raise LoadError(f"{opened.name}: events of no provider that is known")
    yield Exchange(number=1, source=Source(path=opened.name), reply=reply)


def body_records(opened: Opened) -> Iterator[Record]:
    """Yield what one JSON document holds: one exchange, or a list of them."""
    document = opened.document
    if document is NO_DOCUMENT:
        raise LoadError(f"{opened.name}: not one JSON document")
    # A file of lines may have only one.
    place = Source(path=opened.name, line=1 if opened.one_line else None)
    reply = told_reply(opened.data) if isinstance(document, list) else None
    if reply is not None:  # Gemini's stream as a list
        yield Exchange(number=1, source=place, reply=reply)
        return
    order = count(1)
    for one in objects(document if isinstance(document, list) else [document]):
        yield exchange_of(one, place, next(order)) or Plain(line=place.line)


def line_records(opened: Opened) -> Iterator[Record]:
    """Yield what each line holds, and each line that cannot be read whole."""
    order = count(1)
    for line in opened.lines():
        place = Source(path=opened.name, line=line.number)
        if line.fault is not None:
            yield Damaged(
                line=line.number, why=line.fault, chars=line.chars, saved=len(line.values)
            )
        for value in line.values:
            found = exchange_of(value, place, next(order)) if isinstance(value, dict) else None
            yield found or Plain(line=line.number)


STREAM = Form(
    name="stream",
    what="the events of one streamed reply",
    fits=lambda opened: is_stream(opened.data),
    records=stream_records,
)
BODY = Form(
    name="body",
    what="one JSON document: a body of a provider, a recorded exchange, or a list of them",
    fits=lambda opened: opened.document is not NO_DOCUMENT,
    records=body_records,
)
LINES = Form(
    name="lines",
    what="one such document a line",
    fits=has_lines,
    records=line_records,
)
