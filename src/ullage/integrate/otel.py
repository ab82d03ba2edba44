"""A ledger as spans, by the names of OpenTelemetry's conventions for generative AI.

What those have no name for (what was produced, what arrived, where the rest was lost) stands under
`ullage.*`. The conventions are in development: https://github.com/open-telemetry/semantic-conventions-genai.
"""

import json
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from ullage.arrivals.arrival import Arrival
from ullage.checks.measure import measure
from ullage.checks.measured import Measured
from ullage.integrate.otlp import Span, Value
from ullage.ledger.records import StoredExchange, StoredResult
from ullage.ledger.store import Ledger
from ullage.transcript.message import Message
from ullage.transcript.served import Usage
from ullage.wire.failures import REFUSED
from ullage.wire.readers import Provider, Reader, reader_of
from ullage.wire.reply import Reply
from ullage.wire.request import Request

PROVIDERS: Mapping[Provider, tuple[str, str]] = {
    "openai-chat": ("openai", "chat"),
    "openai-responses": ("openai", "chat"),
    "anthropic": ("anthropic", "chat"),
    "gemini": ("gcp.gemini", "generate_content"),
}
"""`gen_ai.provider.name` and `gen_ai.operation.name` by the shape of the bodies."""

ROOT = "run"


def spans(ledger: Ledger, run: str | None = None, *, content: bool = False) -> Iterator[Span]:
    """Give a span for each run, each exchange with a model and each result of a tool.

    A run is one trace. Texts of messages, arguments and results are left out unless `content`.
    """
    for tag in ledger.runs() if run is None else [run]:
        yield from run_spans(ledger, tag, content=content)


def run_spans(ledger: Ledger, run: str, *, content: bool) -> Iterator[Span]:
    """Give the spans of one run, that of the run itself at the end: its times are known then."""
    start, end = float("inf"), 0.0
    for exchange in ledger.exchanges(run):
        start, end = min(start, exchange.started), max(end, exchange.ended)
        span = exchange_span(exchange, content=content)
        if span is not None:
            yield span
    stored = {one.number: one for one in ledger.results(run)}
    for result in measure(ledger, run).results:
        made = stored[result.number]
        start, end = min(start, made.at), max(end, made.at)
        yield result_span(result, made, content=content)
    if end:
        yield Span(
            trace=run,
            key=ROOT,
            parent=None,
            name=f"run {run}",
            kind="internal",
            start=start,
            end=end,
            attributes={"gen_ai.conversation.id": run, "ullage.run": run},
        )


def exchange_span(exchange: StoredExchange, *, content: bool) -> Span | None:
    """Return the span of one exchange; None for what is no turn of a model."""
    reader = reader_of(exchange.path)
    if reader is None or reader.kind != "turn":
        return None
    request = reader.read_request(exchange.request_body)
    reply = reader.read_reply(exchange.response_body or b"")
    found = dict(common(exchange, reader, request))
    if exchange.status is not None and exchange.status < REFUSED and exchange.keep == "full":
        found |= answered(reply, broken=exchange.error is not None)
    if content and exchange.keep == "full":
        found |= texts(request, reply)
    failed = exchange.status is None or exchange.status >= REFUSED
    return Span(
        trace=exchange.run,
        key=f"exchange {exchange.number}",
        parent=ROOT,
        name=f"{PROVIDERS[reader.provider][1]} {request.model or 'unknown'}",
        kind="client",
        start=exchange.started,
        end=exchange.ended,
        attributes=found,
        error=exchange.error or (f"status {exchange.status}" if failed else None),
    )


def common(exchange: StoredExchange, reader: Reader, request: Request) -> dict[str, Value]:
    """Return what the request tells, and how it went."""
    provider, operation = PROVIDERS[reader.provider]
    return present(
        {
            "gen_ai.operation.name": operation,
            "gen_ai.provider.name": provider,
            "gen_ai.conversation.id": exchange.run,
            "gen_ai.request.model": request.model,
            "gen_ai.request.max_tokens": request.settings.output_limit,
            "gen_ai.request.stream": request.settings.stream or None,
            "gen_ai.request.previous_response.id": request.follows,
            "gen_ai.agent.name": exchange.agent,
            "server.address": urlsplit(exchange.upstream).hostname,
            "url.path": urlsplit(exchange.path).path,
            "http.response.status_code": exchange.status,
            "ullage.run": exchange.run,
            "ullage.exchange": exchange.number,
            "ullage.cohort": exchange.cohort,
            "ullage.keep": exchange.keep,
            "ullage.request.bytes": exchange.request_bytes,
            "ullage.response.bytes": exchange.response_bytes,
            "ullage.request.messages": len(request.messages) if exchange.keep == "full" else None,
            "ullage.request.unseen": list(request.unseen) or None,
        }
    )


def answered(reply: Reply, *, broken: bool) -> dict[str, Value]:
    """Return what the reply tells; its end is an error where it broke off."""
    usage = reply.usage or Usage()
    finish = "error" if broken or reply.label == "broken-stream" else reply.finish_reason
    return present(
        {
            "gen_ai.response.model": reply.model,
            "gen_ai.response.finish_reasons": None if finish is None else [finish],
            "gen_ai.usage.input_tokens": usage.input,
            "gen_ai.usage.output_tokens": usage.output,
            "gen_ai.usage.cache_read.input_tokens": usage.cached,
            "gen_ai.usage.cache_write.input_tokens": usage.cache_written,
            "gen_ai.usage.reasoning.output_tokens": usage.reasoning,
            # Only where it is sure: that nothing says so does not mean that nothing was replaced.
            "gen_ai.conversation.compacted": True if reply.compaction is not None else None,
            "ullage.reply.label": reply.label,
        }
    )


def texts(request: Request, reply: Reply) -> dict[str, Value]:
    """Return the messages of both sides, as JSON."""
    system = [one for one in request.messages if one.role == "system"]
    others = [one for one in request.messages if one.role != "system"]
    return {
        "gen_ai.system_instructions": dumped([part for one in system for part in parts(one)]),
        "gen_ai.input.messages": dumped([message(one) for one in others]),
        "gen_ai.output.messages": dumped([message(reply.message)]),
    }


def message(one: Message) -> dict[str, object]:
    """Return a message by its role and its parts."""
    return {"role": one.role, "parts": parts(one)}


def parts(one: Message) -> list[dict[str, object]]:
    """Return a message's text or result, and its calls."""
    found: list[dict[str, object]] = []
    if one.role == "tool":
        found.append({"type": "tool_call_response", "id": one.answers, "response": one.text})
    elif one.text:
        found.append({"type": "text", "content": one.text})
    for call in one.calls:
        arguments = {"id": call.call_id, "name": call.name, "arguments": call.arguments}
        found.append({"type": "tool_call", **arguments})
    return found


def result_span(result: Measured, made: StoredResult, *, content: bool) -> Span:
    """Return the span of one result: what was produced, and what the model was given of it.

    A ledger knows when a result was there, not how long it took: the span has no length.
    """
    found = present(
        {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": result.tool,
            "gen_ai.tool.call.id": made.call_id,
            "gen_ai.agent.name": made.agent,
            "gen_ai.conversation.id": result.run,
            "ullage.run": result.run,
            "ullage.result": result.number,
            "ullage.exchange": result.exchange,
            "ullage.join.certainty": result.certainty,
            "ullage.produced.chars": result.produced_chars,
            "ullage.delivered.chars": result.delivered_chars,
            "ullage.lost_at": result.boundary,
        }
    )
    if result.arrival is not None:
        found |= arrived(result.arrival)
    if content and made.keep == "full":
        found["gen_ai.tool.call.arguments"] = made.arguments
        found["gen_ai.tool.call.result"] = made.text
    return Span(
        trace=result.run,
        key=f"result {result.number}",
        parent=ROOT,
        name=f"execute_tool {result.tool}",
        kind="internal",
        start=made.at,
        end=made.at,
        attributes=found,
    )


def arrived(arrival: Arrival) -> dict[str, Value]:
    """Return what arrived of a result, and whether it kept its syntax."""
    return present(
        {
            "ullage.arrival.rate": arrival.rate,
            "ullage.arrival.valid": arrival.valid,
            "ullage.records.produced": arrival.records.produced,
            "ullage.records.delivered": arrival.records.delivered,
        }
    )


def present(values: Mapping[str, Value | None]) -> dict[str, Value]:
    """Return the attributes that are known."""
    return {name: value for name, value in values.items() if value is not None}


def dumped(value: object) -> str:
    """Write JSON with texts as they are."""
    return json.dumps(value, ensure_ascii=False)
