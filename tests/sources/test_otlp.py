"""OpenTelemetry spans read as records."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.checks.measure import measure
from ullage.integrate.otel import spans
from ullage.integrate.otlp import payloads
from ullage.ledger.records import ExchangeRecord, ProducedRecord
from ullage.ledger.store import Ledger
from ullage.sources.otlp import Unread, is_otlp, records

ROWS = json.dumps([{"id": f"order-{number:04d}", "amount": number} for number in range(60)])


def attribute(name: str, value: Any) -> dict[str, Any]:
    kinds = {str: "stringValue", int: "intValue", list: "arrayValue"}
    if isinstance(value, list):
        value = {"values": [{"stringValue": one} for one in value]}
        return {"key": name, "value": {"arrayValue": value}}
    return {"key": name, "value": {kinds[type(value)]: str(value)}}


def document(*found: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"scopeSpans": [{"spans": list(found)}]}]}


def span(attributes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "traceId": "ab" * 16,
        "name": "chat m",
        "startTimeUnixNano": "1000000000",
        "endTimeUnixNano": "2500000000",
        "attributes": [attribute(name, value) for name, value in attributes.items()],
        **more,
    }


def one(attributes: dict[str, Any], **more: Any) -> ExchangeRecord | ProducedRecord | Unread:
    (record,) = records(document(span(attributes, **more)))
    return record


TURN = {
    "gen_ai.operation.name": "chat",
    "gen_ai.conversation.id": "T",
    "gen_ai.request.model": "m",
    "gen_ai.agent.name": "writer",
    "gen_ai.system_instructions": json.dumps([{"type": "text", "content": "Be brief."}]),
    "gen_ai.input.messages": json.dumps(
        [
            {"role": "user", "parts": [{"type": "text", "content": "How many?"}]},
            {
                "role": "assistant",
                "parts": [
                    {"type": "text", "content": "I look."},
                    {"type": "tool_call", "id": "c1", "name": "orders", "arguments": {"n": 1}},
                ],
            },
            {
                "role": "tool",
                "parts": [{"type": "tool_call_response", "id": "c1", "result": [1, 2]}],
            },
        ]
    ),
    "gen_ai.output.messages": json.dumps(
        [{"role": "assistant", "parts": [{"type": "text", "content": "Fifty."}]}]
    ),
    "gen_ai.response.finish_reasons": ["length"],
    "gen_ai.usage.input_tokens": 90,
}


def test_a_turn_is_an_exchange_in_the_shape_of_chat_completions() -> None:
    record = one(TURN)

    assert isinstance(record, ExchangeRecord)
    assert (record.run, record.agent, record.status, record.error) == ("T", "writer", 200, None)
    assert (record.started, record.ended) == (1.0, 2.5)
    assert json.loads(record.request_body) == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "How many?"},
            {
                "role": "assistant",
                "content": "I look.",
                "tool_calls": [
                    {
                        "id": "c1",
                        "type": "function",
                        "function": {"name": "orders", "arguments": '{"n": 1}'},
                    }
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "[1, 2]"},
        ],
    }
    reply = json.loads(record.response_body)
    assert reply["choices"] == [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "Fifty."},
            "finish_reason": "length",
        }
    ]
    assert reply["usage"] == {"prompt_tokens": 90}


def test_a_result_of_a_tool_is_produced() -> None:
    record = one(
        {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "orders",
            "gen_ai.tool.call.arguments": "{}",
            "gen_ai.tool.call.result": ROWS,
        }
    )

    assert isinstance(record, ProducedRecord)
    assert (record.run, record.tool, record.arguments) == ("ab" * 16, "orders", "{}")
    assert (record.text, record.at) == (ROWS, 2.5)


@pytest.mark.parametrize(
    ("attributes", "missing"),
    [
        ({"gen_ai.operation.name": "chat"}, "gen_ai.input.messages"),
        (
            {"gen_ai.operation.name": "chat", "gen_ai.input.messages": '[{"role": "us'},
            "gen_ai.input.messages",
        ),
        ({"gen_ai.operation.name": "execute_tool"}, "gen_ai.tool.call.result"),
    ],
)
def test_texts_that_are_not_there_or_were_cut_are_said(
    attributes: dict[str, Any], missing: str
) -> None:
    record = one(attributes)

    assert isinstance(record, Unread)
    assert record.why == f"span 'chat m': {missing} is not there, or was cut by telemetry"


def test_a_failed_turn_keeps_its_error() -> None:
    record = one(TURN, status={"code": 2, "message": "broke off"})

    assert isinstance(record, ExchangeRecord)
    assert record.error == "broke off"


def test_other_spans_are_passed_over() -> None:
    assert list(records(document(span({"http.method": "GET"})))) == []


def test_an_export_is_told_from_other_objects() -> None:
    assert is_otlp({"resourceSpans": []})
    assert not is_otlp({"messages": []})


NAMES = st.sampled_from(
    [
        "resourceSpans",
        "scopeSpans",
        "spans",
        "attributes",
        "key",
        "value",
        "stringValue",
        "intValue",
        "arrayValue",
    ]
)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner),
    max_leaves=20,
)


@given(attributes=st.dictionaries(st.sampled_from(sorted(TURN)), JSON), more=JSON)
def test_whatever_a_span_holds_it_is_read_or_said(attributes: dict[str, Any], more: Any) -> None:
    pairs = [
        {"key": name, "value": {"kvlistValue": {"values": [value]}}}
        for name, value in attributes.items()
    ]
    pairs += [{"key": name, "value": {"any": value}} for name, value in attributes.items()]
    operation = {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}

    found = list(records(document({"attributes": [*pairs, operation], "status": more})))

    assert len(found) == 1


def test_what_was_exported_is_measured_the_same_after_an_import(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a.ledger") as first, Ledger(tmp_path / "b.ledger") as second:
        first.add_produced(
            ProducedRecord(run="T", tool="orders", kind="tool", arguments="{}", text=ROWS, at=1.0)
        )
        for value in records(document(span(TURN))):
            assert isinstance(value, ExchangeRecord)
            body = json.loads(value.request_body)
            body["messages"][-1]["content"] = ROWS[:600]
            first.add_exchange(replaced(value, json.dumps(body).encode()))
        for payload in payloads(spans(first, content=True)):
            for record in records(json.loads(payload)):
                if isinstance(record, ExchangeRecord):
                    second.add_exchange(record)
                elif isinstance(record, ProducedRecord):
                    second.add_produced(record)
        (before,), (after,) = (measure(one, "T").results for one in (first, second))

    assert before.delivered == after.delivered == ROWS[:600]
    assert before.arrival == after.arrival
    assert before.boundary == after.boundary == "budget"


def replaced(record: ExchangeRecord, body: bytes) -> ExchangeRecord:
    return replace(record, request_body=body)
