"""Spans of agents by OpenTelemetry's conventions, as conversations with what was produced."""

from collections.abc import Iterator

from ullage.errors import LoadError
from ullage.ledger.records import ExchangeRecord, ProducedRecord
from ullage.sources.form import Form
from ullage.sources.opened import NO_DOCUMENT, Opened
from ullage.sources.otlp import TOOL, TURNS, Unread, result, text_of, turn
from ullage.sources.record import Damaged, Plain, Record
from ullage.sources.spans import MAY_BE_CUT, Span, first_values, spans_in, spans_of
from ullage.sources.turns import Ran, Turn, Turns
from ullage.transcript.finding import Source
from ullage.wire.readers import CHAT

OPERATION = "gen_ai.operation.name"


def fits(opened: Opened) -> bool:
    """Whether a file holds spans of which one is of these conventions."""
    return any(
        OPERATION in span.attributes
        for value in first_values(opened)
        for span in spans_in(value, Source())
    )


def records(opened: Opened) -> Iterator[Record]:
    """Yield the conversations of a file."""
    found = Turns()
    for span in spans_of(opened):
        found.records += 1
        add(found, span)
    yield from given(opened, found, "otel", MAY_BE_CUT)


def given(opened: Opened, found: Turns, form: str, may_be_cut: str | None) -> Iterator[Record]:
    """Yield conversations, the lines that are damaged, and one record where there is nothing."""
    if not found.records:
        raise LoadError(f"{opened.name}: nothing of the form {form}")
    for line in opened.lines() if opened.document is NO_DOCUMENT else ():
        if line.fault is not None:
            yield Damaged(
                line=line.number, why=line.fault, chars=line.chars, saved=len(line.values)
            )
    if not found.turns:
        yield from (Plain() for _ in range(found.records))
    yield from found.transcripts(form, may_be_cut)


def add(found: Turns, span: Span) -> None:
    """Add a span, if it is a turn of a model or the run of a tool."""
    attributes = span.attributes
    operation = text_of(attributes.get(OPERATION))
    session = text_of(attributes.get("gen_ai.conversation.id")) or span.trace
    record: ExchangeRecord | ProducedRecord | Unread
    if operation in TURNS:
        record = turn(span.raw, attributes, session)
    elif operation == TOOL:
        record = result(span.raw, attributes, session)
    else:
        return
    match record:
        case Unread():
            found.pass_over(f"{operation} span without its texts")
        case ProducedRecord():
            found.ran.append(
                Ran(
                    session=session,
                    tool=record.tool,
                    call=record.call_id,
                    text=record.text,
                    at=span.end,
                    source=span.source,
                )
            )
        case ExchangeRecord():
            found.turns.append(
                Turn(
                    session=session,
                    agent=record.agent or "",
                    at=span.begin,
                    request=CHAT.read_request(record.request_body),
                    reply=None if span.failure else CHAT.read_reply(record.response_body),
                    source=span.source,
                )
            )


OTEL = Form(
    name="otel",
    what="OpenTelemetry spans of agents (gen_ai), in OTLP's JSON or one a line",
    fits=fits,
    records=records,
)
