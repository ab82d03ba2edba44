"""Exchanges out of a ledger."""

from dataclasses import replace

from ullage.ledger.records import StoredExchange
from ullage.transcript.finding import Source
from ullage.wire.exchange import Exchange
from ullage.wire.failures import REFUSED, error_message, unpacked
from ullage.wire.members import read_object
from ullage.wire.readers import model_in, reader_of


def exchange_of(stored: StoredExchange, path: str | None = None) -> Exchange:
    """Read one exchange; `path` is that of the ledger's file."""
    reply = unpacked(stored.response_body or b"", stored.response_headers.get("content-encoding"))
    known = Exchange(
        number=stored.number,
        source=Source(path=path),
        session=stored.run,
        method=stored.method,
        path=stored.path,
        kind=None,
        failure=failure_of(stored, reply),
        cohort=stored.cohort,
    )
    reader = reader_of(stored.path)
    if reader is None:
        return known
    request = reader.read_request(stored.request_body)
    accepted = stored.status is not None and stored.status < REFUSED
    answered = accepted and bool(reply or stored.error is None)
    return replace(
        known,
        kind=reader.kind,
        request=replace(request, model=request.model or model_in(stored.path)),
        body=read_object(stored.request_body),
        reply=reader.read_reply(reply) if answered else None,
    )


def failure_of(one: StoredExchange, reply: bytes) -> str | None:
    """Return in words why a request failed; None where it was answered."""
    if one.error is not None:
        return one.error
    if one.status is None or one.status < REFUSED:
        return None
    said = error_message(reply)
    return f"{one.status} {said}" if said else f"{one.status}, without a message"
