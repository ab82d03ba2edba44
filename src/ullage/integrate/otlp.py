"""Spans as OTLP over HTTP carries them, in its JSON form: no package of OpenTelemetry is needed."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import islice
from typing import Literal

from blake3 import blake3

Value = str | bool | int | float | Sequence[str]
Kind = Literal["internal", "client"]

KINDS: Mapping[Kind, int] = {"internal": 1, "client": 3}
ERROR = 2
AT_ONCE = 256
"""Spans in one request; collectors refuse bodies of some 20 MB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One span; times in seconds since the epoch (UTC), `error` in words where it failed.

    `key` names it within its trace, and `trace` its trace: equal ones give equal ids, so that an
    export that is repeated tells nothing twice.
    """

    trace: str
    key: str
    parent: str | None
    name: str
    kind: Kind
    start: float
    end: float
    attributes: Mapping[str, Value] = field(default_factory=dict)
    error: str | None = None


def payloads(spans: Iterable[Span]) -> Iterator[bytes]:
    """Give the bodies to send to `/v1/traces`."""
    left = iter(spans)
    while batch := list(islice(left, AT_ONCE)):
        scope = {"name": "ullage", "version": version("ullage")}
        resource = {"attributes": attributes({"service.name": "ullage"})}
        found = {"scope": scope, "spans": [encoded(span) for span in batch]}
        document = {"resourceSpans": [{"resource": resource, "scopeSpans": [found]}]}
        yield json.dumps(document, ensure_ascii=False).encode("utf-8", "backslashreplace")


def encoded(span: Span) -> dict[str, object]:
    """Return a span as OTLP writes it: ids in hexadecimal, times as decimal texts."""
    found: dict[str, object] = {
        "traceId": trace_id(span.trace),
        "spanId": span_id(span.trace, span.key),
        "name": span.name,
        "kind": KINDS[span.kind],
        "startTimeUnixNano": str(int(span.start * 1e9)),
        "endTimeUnixNano": str(int(max(span.start, span.end) * 1e9)),
        "attributes": attributes(span.attributes),
    }
    if span.parent is not None:
        found["parentSpanId"] = span_id(span.trace, span.parent)
    if span.error is not None:
        found["status"] = {"code": ERROR, "message": span.error}
    return found


def attributes(values: Mapping[str, Value]) -> list[dict[str, object]]:
    """Return attributes with their types."""
    return [{"key": key, "value": typed(value)} for key, value in values.items()]


def typed(value: Value) -> dict[str, object]:
    """Return one value under the name of its type."""
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, str):
        return {"stringValue": value}
    return {"arrayValue": {"values": [typed(one) for one in value]}}


def trace_id(trace: str) -> str:
    """Return the 16 bytes of a trace's id."""
    return blake3(f"ullage trace\n{trace}".encode("utf-8", "backslashreplace")).hexdigest(16)


def span_id(trace: str, key: str) -> str:
    """Return the 8 bytes of a span's id."""
    named = f"ullage span\n{trace}\n{key}"
    return blake3(named.encode("utf-8", "backslashreplace")).hexdigest(8)
