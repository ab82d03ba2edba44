"""Parsed JSON that holds a request, a reply or both: provider bodies, recorded exchanges, usage.

Each kind of object is a function in a table, tried in order; a later one sees only what the
earlier ones did not know.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from ullage.transcript.finding import Source
from ullage.transcript.served import Usage
from ullage.wire.draft import Draft
from ullage.wire.exchange import Exchange, Script, Size
from ullage.wire.failures import REFUSED, error_message
from ullage.wire.members import (
    Object,
    compact,
    inside,
    number,
    read_object,
    text,
    written,
)
from ullage.wire.openai_chat import usage_of as chat_usage
from ullage.wire.openai_responses import usage_of as responses_usage
from ullage.wire.readers import model_in, reader_of, reply_shape, request_shape
from ullage.wire.reply import Reply
from ullage.wire.unfinished import body_of

SCRIPTS: Mapping[str, Script] = {"latin": "latin", "cjk": "cjk"}
REQUESTS, REPLIES = ("request",), ("response", "reply")
ADDRESSES = ("url", "uri", "path")


def exchange_of(document: Object, place: Source, order: int) -> Exchange | None:
    """Return the exchange that an object tells of; None where it tells of none."""
    empty = Exchange(number=order, source=place, name=text(document, "id", "custom_id"))
    return next((found for read in READERS if (found := read(document, empty))), None)


def recorded(document: Object, empty: Exchange) -> Exchange | None:
    """Read a request and its reply that were recorded together, or either of them."""
    request, reply = inside(document, *REQUESTS), inside(document, *REPLIES)
    # Some logs keep the reply among the members of the request.
    asked = from_request(request, empty) or plain_request(request or document, empty)
    if reply:
        path = asked.path if asked else None
        return from_reply(reply, path, asked or empty)
    return asked


def from_request(document: Object, empty: Exchange) -> Exchange | None:
    """Read a recorded request: an address, and a body as JSON or as text."""
    address = text(document, *ADDRESSES)
    held = document.get("body")
    if address is None or not isinstance(held, (str, dict)):
        return None
    url = urlsplit(address)
    path = f"{url.path}?{url.query}" if url.query else url.path
    body = read_object(held) if isinstance(held, str) else held
    method = text(document, "method") or "POST"
    reader = reader_of(path)
    if reader is None:
        known = plain_request(body, replace(empty, path=path, method=method))
        return known or replace(empty, path=path, method=method, kind=None)
    request = reader.read_request(compact(body).encode("utf-8", "surrogatepass"))
    named = replace(request, model=request.model or model_in(path))
    return replace(empty, path=path, method=method, kind=reader.kind, request=named, body=body)


def from_reply(document: Object, path: str | None, asked: Exchange) -> Exchange | None:
    """Read a recorded reply beside its request: a body as JSON or as text, or the body itself."""
    status = number(document, "status", "status_code")
    held = document.get("body", document)
    body = written(held).encode("utf-8", "surrogatepass")
    if status is not None and status >= REFUSED:
        said = error_message(body)
        return replace(asked, failure=f"{status} {said or 'without a message'}")
    reader = reader_of(path) if path is not None else None
    reply = reader.read_reply(body) if reader else told_reply(body)
    if reply is None:
        return asked if asked.request is not None else None
    return replace(asked, reply=reply)


def told_reply(body: bytes) -> Reply | None:
    """Read a reply whose shape its own members tell; None where they tell none."""
    apart = body_of(body)
    firsts: list[Object] = [read_object(one.data) for one in apart.events] or [apart.document]
    shape = next((found for one in firsts if (found := reply_shape(one))), None)
    return shape.reply(apart) if shape else None


def plain_request(document: Object, empty: Exchange) -> Exchange | None:
    """Read a request body."""
    shape = request_shape(document)
    if shape is None:
        return None
    return replace(empty, request=shape.request(document), body=document)


def plain_reply(document: Object, empty: Exchange) -> Exchange | None:
    """Read a reply that is one document."""
    if reply_shape(document) is None:
        return None
    reply = told_reply(compact(document).encode("utf-8", "surrogatepass"))
    return replace(empty, reply=reply) if reply else None


def usage_line(document: Object, empty: Exchange) -> Exchange | None:
    """Read what was sent, in characters, and what the server says that it read."""
    chars, usage = number(document, "sent_chars"), inside(document, "usage")
    if chars is None or not usage:
        return None
    # Without a word on the script the one with the fewer tokens: less can be said then.
    script = SCRIPTS.get(text(document, "script") or "", "latin")
    draft = Draft(ended=True, known=True, wrote=True, usage=any_usage(usage))
    return replace(empty, reply=draft.done(), size=Size(chars=chars, script=script))


def any_usage(raw: Object) -> Usage:
    """Return tokens by either of OpenAI's spellings."""
    return chat_usage(raw) if "prompt_tokens" in raw else responses_usage(raw)


READERS: Sequence[Callable[[Object, Exchange], Exchange | None]] = (
    recorded,
    from_request,
    plain_reply,
    plain_request,
    usage_line,
)
