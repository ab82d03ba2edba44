"""The forms of files that are read: a table of functions, and which of them a file fits.

A later form is one more row: a name, what tells it, and a function from bytes to records.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal, get_args

from ullage.errors import LoadError
from ullage.ledger.schema import APPLICATION_ID
from ullage.sources.bodies import exchange_of, told_reply
from ullage.sources.lines import read_lines
from ullage.sources.record import Damaged, Plain, Record
from ullage.transcript.finding import Source
from ullage.wire.events import is_stream
from ullage.wire.exchange import Exchange
from ullage.wire.members import objects

FormName = Literal["ledger", "stream", "body", "lines"]
FORM_NAMES: tuple[FormName, ...] = get_args(FormName)
"""A ledger; the events of one streamed reply; one JSON document; one JSON document a line."""

SQLITE = b"SQLite format 3\0"
MARK_AT = 68  # where a database says whose it is
HEAD = 100
"""So many bytes tell a ledger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One form: whether a file is of it, and its records. A ledger's are read by the ledger."""

    name: FormName
    fits: Callable[[bytes], bool]
    records: Callable[[bytes, str], Iterator[Record]]


def form_of(data: bytes, path: str, name: FormName | None = None) -> Form:
    """Return the form of a file: the one named, else the first that fits."""
    if name is not None:
        return next(one for one in FORMS if one.name == name)
    found = next((one for one in FORMS if one.fits(data)), None)
    if found is None:
        raise LoadError(
            f"{path}: neither JSON, nor JSON lines, nor a stream of events, nor a ledger; "
            f"if it is one of these, name it: --from {'|'.join(FORM_NAMES)}"
        )
    return found


def is_ledger(data: bytes) -> bool:
    """Whether the first bytes of a file are those of a ledger, not of another database."""
    mark = data[MARK_AT : MARK_AT + 4]
    return data.startswith(SQLITE) and int.from_bytes(mark, "big") == APPLICATION_ID


def is_document(data: bytes) -> bool:
    """Whether a file is one JSON object or list."""
    first, _, rest = data.strip().partition(b"\n")
    if rest and is_json(first):
        return False  # at the price of one line: many lines are read once only
    return data.lstrip()[:1] in (b"{", b"[") and is_json(data)


def is_json(data: bytes) -> bool:
    """Whether bytes are a JSON value."""
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def has_lines(data: bytes) -> bool:
    """Whether a file has a line that is a JSON object, or begins as one."""
    return any(line.lstrip()[:1] == b"{" for line in data.split(b"\n"))


def no_records(_: bytes, path: str) -> Iterator[Record]:
    """Refuse to read a ledger as a file of records."""
    raise LoadError(f"{path}: a ledger is read from its path, not from a pipe")


def stream_records(data: bytes, path: str) -> Iterator[Record]:
    """Yield the one reply that a stream of events is."""
    reply = told_reply(data)
    if reply is None:
        raise LoadError(f"{path}: events of no provider that is known")
    yield Exchange(number=1, source=Source(path=path), reply=reply)


def body_records(data: bytes, path: str) -> Iterator[Record]:
    """Yield what one JSON document holds: one exchange, or a list of them."""
    document = as_document(data, path)
    # A file of lines may have only one.
    place = Source(path=path, line=None if b"\n" in data.strip() else 1)
    reply = told_reply(data) if isinstance(document, list) else None
    if reply is not None:  # Gemini's stream as a list
        yield Exchange(number=1, source=place, reply=reply)
        return
    order = count(1)
    for one in objects(document if isinstance(document, list) else [document]):
        yield exchange_of(one, place, next(order)) or Plain(line=place.line)


def as_document(data: bytes, path: str) -> object:
    """Return a file's JSON document."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise LoadError(f"{path}: not one JSON document: {error}") from error


def line_records(data: bytes, path: str) -> Iterator[Record]:
    """Yield what each line holds, and each line that cannot be read whole."""
    order = count(1)
    for line in read_lines(data):
        place = Source(path=path, line=line.number)
        if line.fault is not None:
            yield Damaged(
                line=line.number, why=line.fault, chars=line.chars, saved=len(line.values)
            )
        for value in line.values:
            found = exchange_of(value, place, next(order)) if isinstance(value, dict) else None
            yield found or Plain(line=line.number)


FORMS: Sequence[Form] = (
    Form(name="ledger", fits=is_ledger, records=no_records),
    Form(name="stream", fits=is_stream, records=stream_records),
    Form(name="body", fits=is_document, records=body_records),
    Form(name="lines", fits=has_lines, records=line_records),
)
