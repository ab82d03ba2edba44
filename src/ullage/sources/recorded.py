"""Plain recorded forms: one request with its URL, bodies of providers, lines of a log."""

import json
from collections.abc import Mapping
from urllib.parse import urlsplit

from ullage.ledger.records import ExchangeRecord, ProducedRecord

TOOL = "import"
"""What a line that is no request and no reply is the result of."""

NO_UPSTREAM = "unknown"


def record_of(
    value: Mapping[str, object], line: str, *, run: str, at: float
) -> ExchangeRecord | ProducedRecord:
    """Return a JSON object as a record: an exchange if it is a request or a reply, else data.

    `line` is the object as it stood in its file; `at` (seconds since the epoch) stands for the time
    that such a form does not tell.
    """
    request, reply = request_of(value), reply_of(value)
    if request is None and reply is None:
        return ProducedRecord(run=run, tool=TOOL, kind="data", arguments="{}", text=line, at=at)
    url = value.get("url")
    parts = urlsplit(url if isinstance(url, str) else "")
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    return ExchangeRecord(
        run=run,
        method="POST",
        path=target or path_of(request or {}, reply or {}),
        upstream=f"{parts.scheme}://{parts.netloc}" if parts.netloc else NO_UPSTREAM,
        request_headers=headers_of(value.get("headers")),
        request_body=b"" if request is None else packed(request),
        status=None if reply is None else 200,
        response_headers=[],
        response_body=b"" if reply is None else packed(reply),
        started=at,
        first_byte=None,
        ended=at,
        cohort=None,
    )


def request_of(value: Mapping[str, object]) -> Mapping[str, object] | None:
    """Return the request body in an object, under `body` or `request`, or the object itself."""
    inner = value.get("body") if "url" in value else value.get("request")
    if isinstance(inner, dict):
        return inner
    return value if asks(value) else None


def reply_of(value: Mapping[str, object]) -> Mapping[str, object] | None:
    """Return the reply in an object, under `response` or `reply`, or the object itself."""
    for name in ("response", "reply"):
        inner = value.get(name)
        if isinstance(inner, dict) and ("url" in value or answers(inner)):
            return inner
    return value if answers(value) else None


def asks(value: Mapping[str, object]) -> bool:
    """Whether an object is a provider's request body."""
    return any(isinstance(value.get(name), list) for name in ("messages", "contents")) or (
        "input" in value and "model" in value and "output" not in value
    )


def answers(value: Mapping[str, object]) -> bool:
    """Whether an object is a provider's reply."""
    if value.get("object") == "response" or value.get("type") == "message":
        return True
    return any(isinstance(value.get(name), list) for name in ("choices", "candidates"))


def path_of(request: Mapping[str, object], reply: Mapping[str, object]) -> str:
    """Return the path that bodies of such a shape are sent to."""
    if "contents" in request or "candidates" in reply:
        model = request.get("model")
        return f"/v1beta/models/{model if isinstance(model, str) else 'unknown'}:generateContent"
    if ("input" in request and "messages" not in request) or reply.get("object") == "response":
        return "/v1/responses"
    if reply.get("type") == "message" or "system" in request or "anthropic_version" in request:
        return "/v1/messages"
    return "/v1/chat/completions"


def headers_of(value: object) -> list[tuple[str, str]]:
    """Return headers, given as an object or as a list of pairs."""
    if isinstance(value, dict):
        return [(str(name), str(one)) for name, one in value.items()]
    pairs = value if isinstance(value, list) else []
    return [(str(one[0]), str(one[1])) for one in pairs if isinstance(one, list) and len(one) == 2]


def packed(body: Mapping[str, object]) -> bytes:
    """Write a body as compact JSON."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")
