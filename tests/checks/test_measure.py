"""From what is recorded to what was lost, and where."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from ullage import Ledger
from ullage.checks.measure import measure
from ullage.checks.measured import Measured, Measurement
from ullage.checks.run import run_checks
from ullage.ledger.records import ExchangeRecord, ProducedKind, ProducedRecord, StepRecord
from ullage.report.loss import shortened_line, tool_line
from ullage.transcript.finding import Finding

ROWS = [
    {"id": f"order-{number:04d}", "amount": number * 7, "note": "n" * 20} for number in range(60)
]
TEXT = json.dumps(ROWS)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "test.ledger") as opened:
        yield opened


def produce(
    ledger: Ledger,
    text: str,
    *,
    handed_on: str | None = None,
    tool: str = "orders",
    kind: ProducedKind = "tool",
    key: str | None = None,
) -> None:
    number = ledger.add_produced(
        ProducedRecord(run="r", tool=tool, kind=kind, arguments="{}", text=text, at=1.0, key=key)
    )
    if handed_on is not None:
        ledger.hand_on(number, handed_on)


def send(
    ledger: Ledger,
    messages: Sequence[dict[str, Any]],
    *,
    path: str = "/v1/chat/completions",
    status: int | None = 200,
    reply: bytes = b"{}",
    error: str | None = None,
) -> int:
    member = "input" if path.endswith("/responses") else "messages"
    return ledger.add_exchange(
        ExchangeRecord(
            run="r",
            method="POST",
            path=path,
            upstream="http://model.test",
            request_headers=[],
            request_body=json.dumps({member: messages}).encode(),
            status=status,
            response_headers=[("content-type", "application/json")],
            response_body=reply,
            started=1.0,
            first_byte=1.1,
            ended=1.2,
            error=error,
            cohort="scripted",
        )
    )


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def result(text: str, call: str = "c1") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call, "content": text}


def only(measurement: Measurement) -> Measured:
    (one,) = measurement.results
    return one


def names(findings: Sequence[Finding]) -> list[str]:
    return sorted(one.check for one in findings)


def test_a_result_that_arrives_whole_is_no_loss(ledger: Ledger) -> None:
    produce(ledger, TEXT)
    send(ledger, [user("list"), result(TEXT)])

    measurement = measure(ledger, "r")

    one = only(measurement)
    assert (one.boundary, one.certainty) == (None, "exact")
    assert one.arrival is not None
    assert one.arrival.rate == 1
    assert run_checks(measurement) == []


def test_a_slice_in_the_tool_is_lost_at_the_budget_by_the_tool(ledger: Ledger) -> None:
    produce(ledger, TEXT, handed_on=TEXT[:1500])
    send(ledger, [user("list"), result(TEXT[:1500])])

    measurement = measure(ledger, "r")

    one = only(measurement)
    assert (one.boundary, one.where) == ("budget", "tool")
    assert names(run_checks(measurement)) == ["invalid-syntax", "silent-cut"]


def test_a_cut_after_handing_on_is_the_harness_own(ledger: Ledger) -> None:
    cut = TEXT[:1500] + "\n..._This content has been truncated_...\n" + TEXT[-1500:]
    produce(ledger, TEXT, handed_on=TEXT)
    send(ledger, [user("list"), user(f"Observation:\nLast output from code snippet:\n{cut}")])

    measurement = measure(ledger, "r")

    one = only(measurement)
    assert (one.boundary, one.where) == ("budget", "harness")
    assert one.delivered == cut
    assert names(run_checks(measurement)) == ["invalid-syntax"]


def test_without_a_hand_on_nobody_can_tell_whose_cut_it_was(ledger: Ledger) -> None:
    produce(ledger, TEXT)
    send(ledger, [result(TEXT[:1500])])

    one = only(measure(ledger, "r"))

    assert (one.boundary, one.where) == ("budget", "unknown")


def test_a_python_repr_is_lost_at_serialise(ledger: Ledger) -> None:
    produce(ledger, TEXT)
    send(ledger, [result(str(ROWS))])

    measurement = measure(ledger, "r")

    assert only(measurement).boundary == "serialise"
    (found,) = run_checks(measurement)
    assert (found.check, found.boundary) == ("invalid-syntax", "serialise")
    assert "json.dumps" in found.advice


def test_a_cut_by_records_is_a_loss_that_the_model_was_told_of(ledger: Ledger) -> None:
    kept = json.dumps([{"_ullage": "Cut: $ 3 of 60 records."}, *ROWS[:3]])
    produce(ledger, TEXT, handed_on=kept)
    send(ledger, [result(kept)])

    measurement = measure(ledger, "r")

    assert only(measurement).boundary == "budget"
    assert run_checks(measurement) == []


def test_a_result_cut_to_nothing_is_a_finding(ledger: Ledger) -> None:
    produce(ledger, TEXT, handed_on="")
    send(ledger, [user("list")])

    (found,) = run_checks(measure(ledger, "r"))

    assert (found.check, found.tool, found.boundary) == ("cut-to-empty", "orders", "budget")


def test_a_result_in_no_request_is_unseen_and_not_called_lost(ledger: Ledger) -> None:
    produce(ledger, TEXT)
    send(ledger, [user("list")])

    measurement = measure(ledger, "r")

    assert [one.tool for one in measurement.unseen] == ["orders"]
    assert run_checks(measurement) == []


def test_a_delivered_result_that_nobody_recorded_is_unknown(ledger: Ledger) -> None:
    produce(ledger, TEXT)
    send(ledger, [result(TEXT), result("37.5 degrees in the engine room", "c2")])

    measurement = measure(ledger, "r")

    assert (measurement.delivered_results, measurement.unknown) == (2, 1)


def test_a_repeated_history_is_one_delivery(ledger: Ledger) -> None:
    produce(ledger, TEXT)
    first = send(ledger, [result(TEXT[:1500])])
    send(ledger, [result(TEXT[:1500]), user("and now?")])

    measurement = measure(ledger, "r")

    assert measurement.delivered_results == 1
    assert only(measurement).exchange == first


def test_two_equal_results_are_two_deliveries(ledger: Ledger) -> None:
    produce(ledger, TEXT)
    produce(ledger, TEXT)
    send(ledger, [result(TEXT, "c1")])
    send(ledger, [result(TEXT, "c1"), result(TEXT, "c2")])

    measurement = measure(ledger, "r")

    assert (measurement.delivered_results, measurement.unknown) == (2, 0)
    assert measurement.unseen == []


def test_what_a_step_declared_as_dropped_is_not_lost(ledger: Ledger) -> None:
    produce(ledger, TEXT, kind="data", key="id")
    dropped = [str(row["id"]) for row in ROWS[10:]]
    ledger.add_step(
        StepRecord(
            run="r",
            name="open only",
            taken_in=60,
            handed_out=10,
            dropped=dropped,
            reason="closed",
            at=2.0,
        )
    )
    send(ledger, [user("Orders: " + json.dumps(ROWS[:10]))])

    one = only(measure(ledger, "r"))

    assert one.declared_drops == 50
    assert one.arrival is not None
    assert (one.arrival.records.produced, one.arrival.records.delivered) == (10, 10)


def test_a_row_lost_beyond_the_declared_ones_is_a_loss(ledger: Ledger) -> None:
    produce(ledger, TEXT, kind="data", key="id")
    dropped = [str(row["id"]) for row in ROWS[10:]]
    ledger.add_step(
        StepRecord(
            run="r",
            name="open only",
            taken_in=60,
            handed_out=10,
            dropped=dropped,
            reason="closed",
            at=2.0,
        )
    )
    send(ledger, [user("Orders: " + json.dumps(ROWS[:9]))])

    one = only(measure(ledger, "r"))

    assert one.arrival is not None
    assert (one.arrival.records.produced, one.arrival.records.delivered) == (10, 9)


def test_rates_of_a_tool_come_by_record_and_by_call(ledger: Ledger) -> None:
    for call, text in enumerate((TEXT, TEXT[:1500], TEXT[:1500])):
        produce(ledger, text.replace("order", f"o{call}r"), handed_on=None)
    produce(ledger, TEXT, tool="other")
    send(ledger, [result(TEXT.replace("order", "o0r"), "c1")])

    rates = measure(ledger, "r").by_tool["orders"]

    (part,) = rates.parts
    assert (part.calls, part.whole, part.absent) == (1, 1, 0)
    assert (part.delivered, part.produced) == (60, 60)


def test_requests_are_counted_by_what_became_of_them(ledger: Ledger) -> None:
    send(ledger, [], path="/v1/embeddings?beta=true")
    send(ledger, [], path="/v1/embeddings")
    send(ledger, [])
    send(ledger, [user("x")])
    refused = json.dumps({"error": {"message": "no such key"}}).encode()
    send(ledger, [user("x")], status=401, reply=refused)
    send(ledger, [user("x")], status=None, error="the upstream cannot be reached")

    requests = measure(ledger, "r").requests

    assert (requests.all, requests.read, requests.unreadable) == (6, 3, 1)
    assert requests.other_paths == {"POST /v1/embeddings": 2}
    assert (requests.to_model, requests.to_model_failed, requests.failed) == (4, 2, 2)
    assert requests.failures == {"401 no such key": 1, "the upstream cannot be reached": 1}


def test_nobody_answered_a_request_that_failed(ledger: Ledger) -> None:
    send(ledger, [user("x")], status=500)

    assert list(measure(ledger, "r").requests.cohorts) == []


def test_equal_results_of_two_conversations_are_two_deliveries(ledger: Ledger) -> None:
    for _ in range(2):
        produce(ledger, TEXT)
        send(ledger, [user("list")])
        send(ledger, [user("list"), result(TEXT)])

    measurement = measure(ledger, "r")

    assert measurement.requests.conversations == 2
    assert (measurement.delivered_results, measurement.unknown) == (2, 0)
    assert [one.exchange for one in measurement.results] == [2, 4]


def test_equal_results_of_conversations_at_the_same_time_are_two_deliveries(
    ledger: Ledger,
) -> None:
    for _ in range(2):
        produce(ledger, TEXT)
        send(ledger, [user("list")])
    for _ in range(2):
        send(ledger, [user("list"), user(f"Observation: {TEXT}")])

    measurement = measure(ledger, "r")

    assert measurement.requests.conversations == 2
    assert (measurement.unseen, measurement.unknown) == ([], 0)


def test_a_history_that_is_handed_over_delivers_its_results_once(ledger: Ledger) -> None:
    produce(ledger, TEXT)
    send(ledger, [user("list")])
    send(ledger, [user("list"), result(TEXT)])
    send(ledger, [user("another task"), result(TEXT)])

    measurement = measure(ledger, "r")

    assert measurement.requests.conversations == 2
    assert (measurement.delivered_results, measurement.unknown) == (1, 0)


def test_results_in_requests_of_the_responses_api_are_read(ledger: Ledger) -> None:
    produce(ledger, TEXT)
    answer = {"type": "function_call_output", "call_id": "c1", "output": TEXT[:1500]}
    send(ledger, [user("list"), answer], path="/v1/responses")

    measurement = measure(ledger, "r")

    assert (measurement.delivered_results, measurement.unknown) == (1, 0)
    assert names(run_checks(measurement)) == ["invalid-syntax", "silent-cut"]


def test_a_responses_request_goes_on_from_the_reply_that_it_names(ledger: Ledger) -> None:
    produce(ledger, TEXT)
    send(ledger, [user("list")], path="/v1/responses", reply=b'{"id": "resp_1"}')
    answer = {"type": "function_call_output", "call_id": "c1", "output": TEXT}
    body = {"previous_response_id": "resp_1", "input": [answer]}
    ledger.add_exchange(
        ExchangeRecord(
            run="r",
            method="POST",
            path="/v1/responses",
            upstream="http://model.test",
            request_headers=[],
            request_body=json.dumps(body).encode(),
            status=200,
            response_headers=[],
            response_body=b"{}",
            started=1.0,
            first_byte=1.1,
            ended=1.2,
        )
    )

    measurement = measure(ledger, "r")

    assert (measurement.requests.conversations, measurement.delivered_results) == (1, 1)


@pytest.mark.parametrize("end", [" ", "\n", ", "])
def test_what_was_handed_on_is_delivered_to_its_last_space(ledger: Ledger, end: str) -> None:
    handed = TEXT[: TEXT.index("}, {") + 1] + end
    produce(ledger, TEXT, handed_on=handed)
    send(ledger, [user("list"), result(handed)])

    assert only(measure(ledger, "r")).delivered == handed


def test_the_torn_end_of_a_sliced_repr_was_delivered_too(ledger: Ledger) -> None:
    for size in range(1500, 1512):
        produce(ledger, TEXT.replace("order", f"o{size}"))
        rows = str(json.loads(TEXT.replace("order", f"o{size}")))
        send(ledger, [user(f"list {size}"), result(rows[:size])])

    assert [len(one.delivered or "") for one in measure(ledger, "r").results] == list(
        range(1500, 1512)
    )


def test_a_produced_text_that_is_torn_was_cut_upstream(ledger: Ledger) -> None:
    produce(ledger, TEXT[:4000])
    send(ledger, [user("list"), result(TEXT[:4000])])

    measurement = measure(ledger, "r")

    (found,) = run_checks(measurement)
    assert (found.check, found.severity, found.boundary) == ("cut-upstream", "warning", "produce")
    assert "Put @ullage.record_tool on the function that makes the result" in found.advice
    assert found.evidence["shown_by"] == "it ends inside a value"


def test_a_key_that_no_record_has_is_named(ledger: Ledger) -> None:
    produce(ledger, TEXT, key="order_id")
    produce(ledger, TEXT, key="id", tool="other")
    send(ledger, [user("list"), result(TEXT, "c1"), result(TEXT, "c2")])

    assert measure(ledger, "r").unknown_keys == {"orders": "order_id"}


def test_a_scripted_model_is_named_as_such(ledger: Ledger) -> None:
    send(ledger, [user("x")])

    assert list(measure(ledger, "r").requests.cohorts) == ["scripted"]


def test_what_could_not_be_recorded_is_counted(ledger: Ledger) -> None:
    ledger.add_fault("r", "the disk was full", 1.0)

    assert measure(ledger, "r").not_recorded == 1


def test_a_result_that_was_shortened_before_is_not_said_to_have_lost_nothing(
    ledger: Ledger,
) -> None:
    produce(ledger, TEXT[:300])
    send(ledger, [user("list"), result(TEXT[:300], "c1")])
    found = measure(ledger, "r")

    assert tool_line("orders", found).endswith("lost at: produce")


def test_a_result_that_nothing_recorded_may_show_by_itself_that_it_was_cut(ledger: Ledger) -> None:
    send(ledger, [user("list"), result(TEXT[:500], "c1"), result("[1, 2]", "c2")])
    send(ledger, [user("list"), result(TEXT[:500], "c1"), result("[1, 2]", "c2"), user("go on")])

    found = measure(ledger, "r")

    assert (found.unknown, found.unknown_shortened) == (2, 1)
    assert list(shortened_line(found)) == [
        "  1 of them was shortened before the first request: the text says so, or ends inside a "
        "value. How much was lost is not known."
    ]


def test_a_recorded_result_that_was_cut_on_the_way_is_not_counted_among_the_unknown(
    ledger: Ledger,
) -> None:
    produce(ledger, TEXT)
    send(ledger, [user("list"), result(TEXT[:500], "c1")])

    assert measure(ledger, "r").unknown_shortened == 0
