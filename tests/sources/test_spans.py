"""Telemetry: what was produced and what was delivered, each from its own span or run."""

import json
from copy import deepcopy
from typing import Any

import pytest
from tests.sources.documents import LANGSMITH, OPENINFERENCE, OTEL, ROWS
from tests.sources.read import transcripts

from ullage.checks.scan import scan
from ullage.errors import LoadError
from ullage.sources.files import read_bytes
from ullage.sources.record import Damaged, Plain
from ullage.transcript.transcript import Transcript

DOCUMENTS: list[tuple[str, Any]] = [
    ("openinference", OPENINFERENCE),
    ("langsmith", LANGSMITH),
    ("otel", OTEL),
]


def result_of(one: Transcript) -> Any:
    (found,) = [entry for entry in one.entries if entry.message.role == "tool"]
    return found


@pytest.mark.parametrize(("form", "document"), DOCUMENTS)
def test_a_result_has_what_was_delivered_and_what_was_produced(form: str, document: Any) -> None:
    (one,) = transcripts(document)

    assert one.form == form
    assert [entry.message.role for entry in one.entries] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    found = result_of(one)
    assert found.message.text == ROWS[:400]
    assert found.produced.text == ROWS


@pytest.mark.parametrize(("form", "document"), DOCUMENTS)
def test_arrival_is_measured(form: str, document: Any) -> None:
    done = scan([read_bytes(json.dumps(document).encode(), "x")])

    (result,) = done.measurement.results
    assert result.arrival is not None
    assert result.arrival.records.produced == 30
    assert 0 < result.arrival.records.delivered < 30
    severities = {one.severity for one in done.findings if one.boundary == "budget"}
    assert severities == ({"note"} if form != "langsmith" else {"error", "warning"})


@pytest.mark.parametrize("form", ["openinference", "otel"])
def test_what_telemetry_may_have_cut_is_never_said_to_be_a_cut(form: str) -> None:
    document = dict(DOCUMENTS)[form]
    done = scan([read_bytes(json.dumps(document).encode(), "x")])

    told = [one for one in done.findings if one.boundary in ("budget", "serialise", "produce")]
    assert told
    for one in told:
        assert one.severity == "note"
        assert "may_be_cut" in one.evidence
        assert one.advice.startswith("May be cut by the record")


def test_a_nameless_run_belongs_to_the_result_in_the_same_place() -> None:
    document: Any = deepcopy(OTEL)
    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    spans[1]["attributes"] = [
        one for one in spans[1]["attributes"] if one["key"] != "gen_ai.tool.call.id"
    ]

    assert result_of(transcripts(document)[0]).produced.text == ROWS

    spans.append({**spans[1], "spanId": "ff"})  # two runs, one result: nobody knows
    assert result_of(transcripts(document)[0]).produced is None


def test_agents_of_one_trace_are_apart() -> None:
    document: Any = deepcopy(OTEL)
    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    other: Any = deepcopy(spans[0])
    other["attributes"].append({"key": "gen_ai.agent.name", "value": {"stringValue": "helper"}})
    spans.append(other)

    names = [(one.session, one.agent) for one in transcripts(document)]

    assert names == [("ab" * 16, None), ("ab" * 16 + "#2", "helper")]


def test_a_span_without_its_texts_is_counted() -> None:
    document: Any = deepcopy(OTEL)
    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    spans[0]["attributes"][1]["value"]["stringValue"] = '[{"role": "us'

    (one,) = transcripts(document)

    assert one.unread == {"chat span without its texts": 1}


def test_a_hidden_output_is_counted_and_not_taken_for_a_result() -> None:
    document: Any = deepcopy(OPENINFERENCE)
    document[2]["attributes"]["output.value"] = "__REDACTED__"

    (one,) = transcripts(document)

    assert result_of(one).produced is None
    assert one.unread == {"TOOL span without its output": 1}


def test_what_langchain_puts_around_a_result_is_taken_off() -> None:
    document: Any = deepcopy(OPENINFERENCE)
    document[2]["attributes"]["output.value"] = json.dumps(
        {"content": ROWS, "tool_call_id": "c1", "type": "tool"}
    )

    assert result_of(transcripts(document)[0]).produced.text == ROWS


def test_spans_come_one_a_line_in_any_order() -> None:
    data = "\n".join(json.dumps(one) for one in reversed(OPENINFERENCE)).encode()

    (one,) = transcripts(data)

    assert one.agent == "worker"
    assert [entry.source.line for entry in one.entries] == [3, 3, 1, 1]
    assert one.records == 4


def test_a_torn_line_of_spans_is_told() -> None:
    data = "\n".join(json.dumps(one) for one in OPENINFERENCE).encode() + b'\n{"name": "to'

    found = list(read_bytes(data, "x").records)

    assert [type(one) for one in found] == [Damaged, Transcript]


def test_spans_of_openinference_come_in_otlp_too() -> None:
    span = {
        "traceId": "t",
        "spanId": "1",
        "attributes": [
            {"key": name, "value": {"stringValue": str(value)}}
            for name, value in OPENINFERENCE[1]["attributes"].items()
        ],
    }
    (one,) = transcripts({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})

    assert one.form == "openinference"
    assert one.entries[1].message.calls[0].call_id == "c1"


def test_runs_inside_each_other_are_read() -> None:
    root: Any = {**LANGSMITH[0], "child_runs": LANGSMITH[1:]}

    assert transcripts(root)[0].entries == transcripts(LANGSMITH)[0].entries


def test_a_reply_that_was_cut_by_its_limit_says_so() -> None:
    (one,) = transcripts(LANGSMITH)

    assert one.entries[3].label == "cut-by-limit"
    assert one.session == "thread-1"


def test_spans_without_a_model_are_plain_records() -> None:
    data = json.dumps(OPENINFERENCE[:1]).encode()

    assert list(read_bytes(data, "x").records) == [Plain()]


@pytest.mark.parametrize("form", ["otel", "openinference", "langsmith"])
def test_a_file_of_other_things_is_refused_when_the_form_is_named(form: str) -> None:
    with pytest.raises(LoadError, match="nothing of the form"):
        list(read_bytes(b'{"a": 1}', "x", form).records)
