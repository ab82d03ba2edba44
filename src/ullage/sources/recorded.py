"""Recorded forms as records of a ledger: a request with its URL, bodies of providers, others."""

import json
from collections.abc import Mapping
from urllib.parse import urlsplit

from ullage.ledger.records import ExchangeRecord, ProducedRecord
from ullage.wire.events import is_stream
from ullage.wire.members import Object, read_object, text, written
from ullage.wire.readers import Provider, reply_shape, request_shape
from ullage.wire.unfinished import body_of

TOOL = "import"
"""What an object that is no request and no reply is the result of."""

NO_UPSTREAM = "unknown"
ADDRESSES = ("url", "uri", "path")
REPLIES = ("response", "reply")
PATHS: Mapping[Provider, str] = {
    "openai-chat": "/v1/chat/completions",
    "openai-responses": "/v1/responses",
    "anthropic": "/v1/messages",
    "gemini": "/v1beta/models/{model}:generateContent",
}
"""Where bodies of a shape are sent, for those that do not say."""


def record_of(value: Object, line: str, *, run: str, at: float) -> ExchangeRecord | ProducedRecord:
    """Return a JSON object as a record: an exchange if it is a request or a reply, else data.

    `line` is the object as it stood in its file; `at` (seconds since the epoch) stands for the time
    that such a form does not tell.
    """
    request, reply = request_of(value), reply_of(value)
    if request is None and reply is None:
        return ProducedRecord(run=run, tool=TOOL, kind="data", arguments="{}", text=line, at=at)
    address = urlsplit(text(value, *ADDRESSES) or "")
    target = address.path + (f"?{address.query}" if address.query else "")
    return exchange(
        run=run,
        path=target or path_of(request, reply),
        upstream=f"{address.scheme}://{address.netloc}" if address.netloc else NO_UPSTREAM,
        headers=headers_of(value.get("headers")),
        request=None if request is None else packed(request),
        reply=None if reply is None else packed(reply),
        at=at,
    )


def stream_of(data: bytes, *, run: str, at: float) -> ExchangeRecord | None:
    """Return the events of one streamed reply as an exchange; None where a file holds none."""
    if not is_stream(data):
        return None
    events = body_of(data).events
    shapes = (reply_shape(read_object(one.data)) for one in events)
    found = next((one for one in shapes if one is not None), None)
    if found is None:
        return None
    path = PATHS[found.provider].format(model="unknown")
    return exchange(
        run=run, path=path, upstream=NO_UPSTREAM, headers=[], request=None, reply=data, at=at
    )


def exchange(
    *,
    run: str,
    path: str,
    upstream: str,
    headers: list[tuple[str, str]],
    request: bytes | None,
    reply: bytes | None,
    at: float,
) -> ExchangeRecord:
    """Return an exchange of which one side may be unknown."""
    return ExchangeRecord(
        run=run,
        method="POST",
        path=path,
        upstream=upstream,
        request_headers=headers,
        request_body=request or b"",
        status=None if reply is None else 200,
        response_headers=[],
        response_body=reply or b"",
        started=at,
        first_byte=None,
        ended=at,
    )


def request_of(value: Object) -> Object | None:
    """Return the request body in an object, under `body` or `request`, or the object itself."""
    inner = value.get("body") if text(value, *ADDRESSES) else value.get("request")
    if isinstance(inner, dict):
        return inner
    return value if request_shape(value) is not None else None


def reply_of(value: Object) -> Object | None:
    """Return the reply in an object, under `response` or `reply`, or the object itself."""
    for name in REPLIES:
        inner = value.get(name)
        if isinstance(inner, dict) and (text(value, *ADDRESSES) or reply_shape(inner) is not None):
            return inner
    return value if request_shape(value) is None and reply_shape(value) is not None else None


def path_of(request: Object | None, reply: Object | None) -> str:
    """Return the path that bodies of such a shape are sent to; chat's where none is known."""
    shape = (request and request_shape(request)) or (reply and reply_shape(reply))
    provider: Provider = shape.provider if shape else "openai-chat"
    return PATHS[provider].format(model=text(request or {}, "model") or "unknown")


def headers_of(value: object) -> list[tuple[str, str]]:
    """Return headers, given as an object or as a list of pairs."""
    if isinstance(value, dict):
        return [(str(name), written(one)) for name, one in value.items()]
    pairs = value if isinstance(value, list) else []
    return [(str(one[0]), str(one[1])) for one in pairs if isinstance(one, list) and len(one) == 2]


def packed(body: Object) -> bytes:
    """Write a body as compact JSON."""
    found = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return found.encode("utf-8", "surrogatepass")
