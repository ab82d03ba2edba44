"""Spans of OpenTelemetry, however they were written down: OTLP JSON, or one object a span.

The second is what SDKs print and Phoenix exports: a name, a context with ids, times, and attributes
whose names hold dots, or which are nested.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from ullage.sources.opened import NO_DOCUMENT, Opened, is_object
from ullage.sources.otlp import attributes_of, failure, is_otlp, seconds
from ullage.sources.otlp import spans_in as otlp_spans
from ullage.sources.times import seconds_of
from ullage.transcript.finding import Source
from ullage.wire.members import Object, inside, listed, objects, text

MAY_BE_CUT = (
    "it was read from OpenTelemetry spans: exporters limit the length of values, and "
    "instrumentations leave messages out"
)
DEEPEST = 20
"""Attributes are nested a few levels; what is deeper is left as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One span: its ids, its times in seconds since the epoch, its attributes by dotted names."""

    name: str
    trace: str
    span: str
    parent: str | None
    begin: float
    end: float
    failure: str | None
    attributes: Mapping[str, object]
    raw: Object
    source: Source


def values_in(opened: Opened) -> Iterator[tuple[object, Source]]:
    """Give the objects of a file with their lines, those of a list or of its `data` one by one."""
    document = opened.document
    if document is NO_DOCUMENT:
        for line in opened.lines():
            for value in line.values:
                yield value, Source(path=opened.name, line=line.number)
        return
    source = Source(path=opened.name, line=1 if opened.one_line else None)
    held = document
    if is_object(document):
        held = next(
            (document[name] for name in ("data", "spans", "runs") if listed(document.get(name))),
            document,
        )
    for value in held if isinstance(held, list) else [held]:
        yield value, source


def first_values(opened: Opened) -> Iterator[Object]:
    """Give the objects by which the form of a file is told."""
    if opened.document is NO_DOCUMENT:
        yield from opened.head
        return
    for value, _ in values_in(opened):
        if is_object(value):
            yield value


def is_span(value: Object) -> bool:
    """Whether an object is one span by itself."""
    return bool(text(inside(value, "context"), "trace_id")) and is_object(value.get("attributes"))


def spans_of(opened: Opened) -> Iterator[Span]:
    """Give the spans of a file."""
    for value, source in values_in(opened):
        if is_object(value):
            yield from spans_in(value, source)


def spans_in(value: Object, source: Source) -> Iterator[Span]:
    """Give the spans of one object."""
    if is_otlp(value):
        for one in otlp_spans(value):
            yield from_otlp(one, source)
    elif is_span(value):
        yield alone(value, source)


def from_otlp(raw: Object, source: Source) -> Span:
    """Read a span of OTLP."""
    return Span(
        name=text(raw, "name") or "",
        trace=text(raw, "traceId") or "",
        span=text(raw, "spanId") or "",
        parent=text(raw, "parentSpanId") or None,
        begin=seconds(raw, "startTimeUnixNano"),
        end=seconds(raw, "endTimeUnixNano"),
        failure=failure(raw),
        attributes=flat(attributes_of(raw.get("attributes"))),
        raw=raw,
        source=source,
    )


def alone(raw: Object, source: Source) -> Span:
    """Read a span that is written by itself; a time of another form counts as the epoch."""
    context, status = inside(raw, "context"), inside(raw, "status")
    word = text(raw, "status_code") or text(status, "status_code") or ""
    said = text(raw, "status_message") or text(status, "description", "message") or "failed"
    attributes = flat(inside(raw, "attributes"))
    kind = text(raw, "span_kind")
    if kind and not kind.startswith("SPAN_KIND"):
        attributes.setdefault("openinference.span.kind", kind)
    return Span(
        name=text(raw, "name") or "",
        trace=text(context, "trace_id") or "",
        span=text(context, "span_id") or "",
        parent=text(raw, "parent_id", "parent_span_id"),
        begin=seconds_of(raw.get("start_time")) or 0.0,
        end=seconds_of(raw.get("end_time")) or 0.0,
        failure=said if word.upper().endswith("ERROR") else None,
        attributes=attributes,
        raw=raw,
        source=source,
    )


def flat(attributes: Object, prefix: str = "", depth: int = 0) -> dict[str, object]:
    """Return nested attributes by dotted names; a list of objects has its places as names."""
    found: dict[str, object] = {}
    for name, value in attributes.items():
        below: Object | None = None
        if is_object(value):
            below = value
        elif objects(value) and len(objects(value)) == len(listed(value)):
            below = {str(at): one for at, one in enumerate(cast("list[object]", value))}
        if below is None or depth >= DEEPEST:
            found[prefix + name] = value
        else:
            found.update(flat(below, f"{prefix}{name}.", depth + 1))
    return found
