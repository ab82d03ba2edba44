"""A ledger told as spans: by the conventions' names, in a form that OpenTelemetry reads."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from tests.collector import a_collector

from ullage.checks.settle import settle
from ullage.errors import UllageError
from ullage.integrate.otel import spans
from ullage.integrate.otlp import AT_ONCE, Span, payloads
from ullage.integrate.otlp_http import collector, send
from ullage.ledger.held import hold
from ullage.ledger.keep import KeepPolicy
from ullage.ledger.records import ExchangeRecord, ProducedRecord
from ullage.ledger.store import Ledger

ROWS = json.dumps([{"id": f"order-{number:04d}", "amount": number} for number in range(60)])
MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "tool", "tool_call_id": "c1", "content": ROWS[:600]},
]
REQUEST = json.dumps({"model": "m", "messages": MESSAGES, "max_tokens": 3}).encode()
REPLY = {
    "model": "m-1",
    "choices": [{"message": {"content": "Fifty."}, "finish_reason": "length"}],
    "usage": {"prompt_tokens": 90, "completion_tokens": 3},
}


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "a.ledger") as opened:
        yield opened


def exchange(
    ledger: Ledger,
    *,
    path: str = "/v1/chat/completions?key=x",
    status: int | None = 200,
    reply: object = REPLY,
    error: str | None = None,
) -> None:
    ledger.add_exchange(
        ExchangeRecord(
            run="T",
            method="POST",
            path=path,
            upstream="https://model.test:8000",
            request_headers=[],
            request_body=REQUEST,
            status=status,
            response_headers=[],
            response_body=json.dumps(reply).encode(),
            started=100.0,
            first_byte=100.5,
            ended=101.0,
            error=error,
            cohort="external",
        )
    )


def produced(ledger: Ledger) -> None:
    ledger.add_produced(
        ProducedRecord(run="T", tool="orders", kind="tool", arguments="{}", text=ROWS, at=99.0)
    )


def by_name(ledger: Ledger, *, content: bool = False) -> dict[str, Span]:
    return {span.name: span for span in spans(ledger, content=content)}


def test_an_exchange_is_a_span_by_the_conventions_names(ledger: Ledger) -> None:
    exchange(ledger)

    span = by_name(ledger)["chat m"]

    assert (span.kind, span.start, span.end, span.error) == ("client", 100.0, 101.0, None)
    assert span.attributes == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.conversation.id": "T",
        "gen_ai.request.model": "m",
        "gen_ai.request.max_tokens": 3,
        "server.address": "model.test",
        "url.path": "/v1/chat/completions",
        "http.response.status_code": 200,
        "ullage.run": "T",
        "ullage.exchange": 1,
        "ullage.cohort": "external",
        "ullage.keep": "full",
        "ullage.request.bytes": len(REQUEST),
        "ullage.response.bytes": len(json.dumps(REPLY)),
        "ullage.request.messages": 2,
        "gen_ai.response.model": "m-1",
        "gen_ai.response.finish_reasons": ["length"],
        "gen_ai.usage.input_tokens": 90,
        "gen_ai.usage.output_tokens": 3,
        "ullage.reply.label": "cut-by-limit",
    }


def test_a_result_is_a_span_with_what_was_produced_and_what_arrived(ledger: Ledger) -> None:
    produced(ledger)
    exchange(ledger)

    span = by_name(ledger)["execute_tool orders"]

    assert (span.start, span.end) == (99.0, 99.0)
    told = span.attributes
    assert told["gen_ai.operation.name"] == "execute_tool"
    assert told["gen_ai.tool.name"] == "orders"
    assert (told["ullage.produced.chars"], told["ullage.delivered.chars"]) == (len(ROWS), 600)
    assert told["ullage.records.produced"] == 60
    assert told["ullage.lost_at"] == "budget"
    assert told["ullage.arrival.valid"] is False


def test_texts_are_told_only_if_they_are_asked_for(ledger: Ledger) -> None:
    produced(ledger)
    exchange(ledger)

    without, with_texts = by_name(ledger), by_name(ledger, content=True)

    assert "order-0001" not in repr(without)
    told = with_texts["chat m"].attributes
    assert json.loads(str(told["gen_ai.system_instructions"])) == [
        {"type": "text", "content": "Be brief."}
    ]
    assert json.loads(str(told["gen_ai.input.messages"])) == [
        {
            "role": "tool",
            "parts": [{"type": "tool_call_response", "id": "c1", "response": ROWS[:600]}],
        }
    ]
    assert json.loads(str(told["gen_ai.output.messages"]))[0]["parts"][0]["content"] == "Fifty."
    assert with_texts["execute_tool orders"].attributes["gen_ai.tool.call.result"] == ROWS


def test_a_broken_stream_finishes_with_an_error(ledger: Ledger) -> None:
    exchange(ledger, error="broke off")

    span = by_name(ledger)["chat m"]

    assert span.error == "broke off"
    assert span.attributes["gen_ai.response.finish_reasons"] == ["error"]


def test_a_refused_request_tells_its_status_and_nothing_of_a_reply(ledger: Ledger) -> None:
    exchange(ledger, status=429, reply={"error": {"message": "slow down"}})

    span = by_name(ledger)["chat m"]

    assert span.error == "status 429"
    assert "gen_ai.response.finish_reasons" not in span.attributes


def test_what_is_no_turn_of_a_model_has_no_span(ledger: Ledger) -> None:
    exchange(ledger, path="/v1/models")

    assert list(by_name(ledger)) == ["run T"]


def test_where_no_texts_are_kept_a_span_tells_sizes_and_nothing_of_the_texts(
    tmp_path: Path,
) -> None:
    with Ledger(tmp_path / "b.ledger") as ledger:
        held = hold(ledger, "test", KeepPolicy(default="counts"))
        with Ledger(held.path) as aside:
            produced(aside)
            exchange(aside)
        settle(held, ledger, 200.0)

        told = by_name(ledger, content=True)

    turn, tool = told["chat unknown"].attributes, told["execute_tool orders"].attributes
    assert (turn["ullage.keep"], turn["ullage.request.bytes"]) == ("counts", len(REQUEST))
    assert "ullage.reply.label" not in turn
    assert "gen_ai.input.messages" not in turn
    assert tool["ullage.produced.chars"] == len(ROWS)
    assert "gen_ai.tool.call.result" not in tool


def test_an_empty_ledger_has_no_spans(ledger: Ledger) -> None:
    assert list(spans(ledger)) == []
    assert list(payloads(spans(ledger))) == []


def parsed(payload: bytes) -> ExportTraceServiceRequest:
    """Read a payload as OpenTelemetry does, whose ids are hexadecimal where protobuf has Base64."""
    document = json.loads(payload)
    for one in document["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        for name in ("traceId", "spanId", "parentSpanId"):
            if name in one:
                one[name] = base64.b64encode(bytes.fromhex(one[name])).decode()
    found = ExportTraceServiceRequest()
    json_format.ParseDict(document, found)
    return found


def test_opentelemetry_reads_the_payload(ledger: Ledger) -> None:
    produced(ledger)
    exchange(ledger)

    (payload,) = payloads(spans(ledger, content=True))
    found = parsed(payload).resource_spans[0]

    assert found.resource.attributes[0].value.string_value == "ullage"
    told = {span.name: span for span in found.scope_spans[0].spans}
    root, chat, tool = told["run T"], told["chat m"], told["execute_tool orders"]
    assert len(root.trace_id) == 16
    assert len({root.span_id, chat.span_id, tool.span_id}) == 3
    assert root.trace_id == chat.trace_id == tool.trace_id
    assert chat.parent_span_id == tool.parent_span_id == root.span_id
    assert (root.start_time_unix_nano, root.end_time_unix_nano) == (99 * 10**9, 101 * 10**9)
    tokens = next(one for one in chat.attributes if one.key == "gen_ai.usage.input_tokens")
    assert tokens.value.int_value == 90


def test_a_second_export_gives_the_same_ids(ledger: Ledger) -> None:
    exchange(ledger)

    assert list(payloads(spans(ledger))) == list(payloads(spans(ledger)))


def test_many_spans_go_in_several_payloads_and_none_is_left_out() -> None:
    many = [
        Span(trace="T", key=str(n), parent=None, name=str(n), kind="client", start=1.0, end=2.0)
        for n in range(AT_ONCE + 1)
    ]

    names = [
        [span.name for span in parsed(one).resource_spans[0].scope_spans[0].spans]
        for one in payloads(many)
    ]

    assert [len(one) for one in names] == [AT_ONCE, 1]
    assert [name for one in names for name in one] == [str(n) for n in range(AT_ONCE + 1)]


@pytest.mark.parametrize(
    ("environment", "endpoint", "url"),
    [
        ({}, None, "http://localhost:4318/v1/traces"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "https://c.test/"}, None, "https://c.test/v1/traces"),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c.test/x"}, None, "http://c.test/x"),
        (
            {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c.test/x"},
            "http://d.test",
            "http://d.test/v1/traces",
        ),
    ],
)
def test_the_collector_is_named_as_for_opentelemetrys_own_exporters(
    environment: dict[str, str], endpoint: str | None, url: str
) -> None:
    assert collector(environment, endpoint).url == url


def test_headers_of_the_environment_are_sent_and_not_shown() -> None:
    secret = "k" * 9
    found = collector({"OTEL_EXPORTER_OTLP_HEADERS": f"x-key={secret},x-team=a%20b"})

    assert found.headers == {"x-key": secret, "x-team": "a b"}
    assert secret not in repr(found)


def test_a_payload_reaches_the_collector_with_its_headers(ledger: Ledger) -> None:
    exchange(ledger)
    (payload,) = payloads(spans(ledger))

    with a_collector() as (url, got):
        send(payload, collector({"OTEL_EXPORTER_OTLP_HEADERS": "x-key=1"}, url))

    (one,) = got
    assert (one.path, one.body) == ("/v1/traces", payload)
    assert (one.headers["Content-Type"], one.headers["x-key"]) == ("application/json", "1")


def test_a_collector_that_refuses_is_said_with_its_status() -> None:
    with (
        a_collector(401) as (url, _),
        pytest.raises(UllageError, match=r"refused the spans: status 401 Unauthorized: check"),
    ):
        send(b"{}", collector({}, url))


def test_a_collector_that_is_not_there_is_said_with_what_to_do() -> None:
    with pytest.raises(UllageError, match=r"127\.0\.0\.1:9/v1/traces cannot be reached .*: start"):
        send(b"{}", collector({}, "http://127.0.0.1:9"))


def test_an_address_without_a_scheme_is_refused() -> None:
    with pytest.raises(UllageError, match="write http:// or https:// in front"):
        collector({}, "localhost:4318")
