"""What was measured of results that carry the id of their call."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from ullage import Ledger
from ullage.checks.measure import measure
from ullage.ledger.records import ExchangeRecord, ProducedRecord

TEXT = json.dumps([{"id": f"order-{number:04d}", "amount": number * 7} for number in range(60)])


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "test.ledger") as opened:
        yield opened


def produce(ledger: Ledger, text: str, call_id: str, run: str = "r") -> int:
    return ledger.add_produced(
        ProducedRecord(
            run=run, tool="orders", kind="tool", arguments="{}", text=text, at=1, call_id=call_id
        )
    )


def send(ledger: Ledger, messages: Sequence[dict[str, Any]], run: str = "r") -> int:
    return ledger.add_exchange(
        ExchangeRecord(
            run=run,
            method="POST",
            path="/v1/chat/completions",
            upstream="http://model.test",
            request_headers=[],
            request_body=json.dumps({"messages": messages}).encode(),
            status=200,
            response_headers=[("content-type", "application/json")],
            response_body=b"{}",
            started=1.0,
            first_byte=1.1,
            ended=1.2,
        )
    )


GO = {"role": "user", "content": "go"}


def result(text: str, call: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call, "content": text}


def test_a_ledger_gives_the_calls_id_back(ledger: Ledger) -> None:
    produce(ledger, TEXT, "call_a")

    (one,) = ledger.results("r")

    assert one.call_id == "call_a"
    assert ledger.verify().whole


def test_parallel_calls_with_equal_results_are_told_apart(ledger: Ledger) -> None:
    produce(ledger, TEXT, "call_a")
    produce(ledger, TEXT, "call_b")
    send(ledger, [GO, result(TEXT[:7], "call_b"), result(TEXT, "call_a")])

    measurement = measure(ledger, "r")

    assert [one.delivered for one in measurement.results] == [TEXT, TEXT[:7]]
    assert [one.certainty for one in measurement.results] == ["call-id", "call-id"]
    assert (measurement.delivered_results, measurement.unknown) == (2, 0)


def test_a_result_that_arrived_empty_is_known_and_lost(ledger: Ledger) -> None:
    produce(ledger, TEXT, "call_a")
    send(ledger, [GO, result("", "call_a")])

    measurement = measure(ledger, "r")

    (one,) = measurement.results
    assert (one.delivered, one.boundary) == ("", "budget")
    assert one.arrival is not None
    assert one.arrival.rate == 0
    assert measurement.unknown == 0


def test_an_id_of_another_run_joins_nothing(ledger: Ledger) -> None:
    produce(ledger, TEXT, "call_a", run="first")
    send(ledger, [GO, result(TEXT[:40], "call_a")], run="second")

    first, second = measure(ledger, "first"), measure(ledger, "second")

    assert [one.delivered for one in first.results] == [None]
    assert (second.delivered_results, second.unknown) == (1, 1)


def test_what_is_left_of_a_result_in_the_history_is_that_result_again(ledger: Ledger) -> None:
    produce(ledger, TEXT, "call_a")
    send(ledger, [GO, result(TEXT, "call_a")])
    send(ledger, [GO, result("[cleared]", "call_a"), {"role": "user", "content": "and now?"}])

    measurement = measure(ledger, "r")

    assert [one.delivered for one in measurement.results] == [TEXT]
    assert (measurement.delivered_results, measurement.unknown) == (1, 0)


def test_a_result_of_a_call_that_was_not_recorded_is_unknown(ledger: Ledger) -> None:
    produce(ledger, TEXT, "call_a")
    send(ledger, [GO, result(TEXT, "call_b"), result(TEXT, "call_a")])

    measurement = measure(ledger, "r")

    assert [one.exchange for one in measurement.results] == [1]
    assert (measurement.delivered_results, measurement.unknown) == (2, 1)
