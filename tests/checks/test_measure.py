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
    ledger: Ledger, messages: Sequence[dict[str, Any]], *, path: str = "/v1/chat/completions"
) -> int:
    return ledger.add_exchange(
        ExchangeRecord(
            run="r",
            method="POST",
            path=path,
            upstream="http://model.test",
            request_headers=[],
            request_body=json.dumps({"messages": messages}).encode(),
            status=200,
            response_headers=[],
            response_body=b"{}",
            started=1.0,
            first_byte=1.1,
            ended=1.2,
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


def test_requests_on_other_paths_and_failed_ones_are_counted(ledger: Ledger) -> None:
    send(ledger, [], path="/v1/responses")
    send(ledger, [user("x")])

    measurement = measure(ledger, "r")

    assert (measurement.exchanges, measurement.other_requests) == (2, 1)


def test_a_scripted_model_is_named_as_such(ledger: Ledger) -> None:
    send(ledger, [user("x")])

    assert list(measure(ledger, "r").cohorts) == ["scripted"]


def test_what_could_not_be_recorded_is_counted(ledger: Ledger) -> None:
    ledger.add_fault("r", "the disk was full", 1.0)

    assert measure(ledger, "r").not_recorded == 1
