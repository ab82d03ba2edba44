"""A ledger sent to a collector, and what a collector kept taken into a ledger."""

import json
from pathlib import Path

from click.testing import CliRunner, Result
from tests.collector import a_collector

from ullage.checks.measure import measure
from ullage.cli.ledger import command
from ullage.cli.otlp import send_ledger, take_spans
from ullage.integrate.otlp_http import collector
from ullage.ledger.records import ExchangeRecord, ProducedRecord
from ullage.ledger.store import Ledger

ROWS = json.dumps([{"id": f"order-{number:04d}", "amount": number} for number in range(60)])


def record(ledger: Ledger, run: str) -> None:
    message = {"role": "tool", "tool_call_id": "c1", "content": ROWS[:600]}
    ledger.add_produced(
        ProducedRecord(run=run, tool="orders", kind="tool", arguments="{}", text=ROWS, at=1.0)
    )
    ledger.add_exchange(
        ExchangeRecord(
            run=run,
            method="POST",
            path="/v1/chat/completions",
            upstream="http://model.test",
            request_headers=[],
            request_body=json.dumps({"model": "m", "messages": [message]}).encode(),
            status=200,
            response_headers=[],
            response_body=b"{}",
            started=2.0,
            first_byte=2.5,
            ended=3.0,
        )
    )


def test_a_ledger_is_sent_run_by_run_and_its_spans_are_counted(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a.ledger") as ledger, a_collector() as (url, got):
        record(ledger, "T")
        record(ledger, "U")

        whole = send_ledger(ledger, collector({}, url))
        one = send_ledger(ledger, collector({}, url), "U")

    assert (whole, one) == (6, 3)
    assert b'"run T"' in got[0].body
    assert b'"run T"' not in got[-1].body


def test_an_empty_ledger_sends_nothing(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a.ledger") as ledger, a_collector() as (url, got):
        assert send_ledger(ledger, collector({}, url)) == 0

    assert got == []


def test_what_a_collector_kept_is_taken_in_and_marked(tmp_path: Path) -> None:
    with (
        Ledger(tmp_path / "a.ledger") as ledger,
        Ledger(tmp_path / "b.ledger") as other,
        a_collector() as (url, got),
    ):
        record(ledger, "T")
        send_ledger(ledger, collector({}, url), content=True)
        counts = take_spans(other, json.loads(got[0].body))
        (result,) = measure(other, "T").results
        faults = other.faults("T")

    assert counts == {"exchange": 1, "result": 1}
    assert (result.produced, result.delivered) == (ROWS, ROWS[:600])
    assert faults == 1


def test_spans_without_their_texts_are_counted_and_noted(tmp_path: Path) -> None:
    with (
        Ledger(tmp_path / "a.ledger") as ledger,
        Ledger(tmp_path / "b.ledger") as other,
        a_collector() as (url, got),
    ):
        record(ledger, "T")
        send_ledger(ledger, collector({}, url))
        counts = take_spans(other, json.loads(got[0].body))
        faults = other.faults("T")

    assert counts == {"unread": 2}
    assert faults == 2


def run(*arguments: str | Path, **environment: str) -> Result:
    return CliRunner(env=environment).invoke(command, [str(one) for one in arguments])


def test_export_sends_spans_to_the_collector_that_is_named(tmp_path: Path) -> None:
    place = tmp_path / "a.ledger"
    with Ledger(place) as ledger, a_collector() as (url, got):
        record(ledger, "T")
        named = run("export", place, "--format", "otlp", "--to", url)
        by_variable = run("export", place, "--format", "otlp", OTEL_EXPORTER_OTLP_ENDPOINT=url)

    assert (named.exit_code, by_variable.exit_code) == (0, 0)
    assert (named.stdout, len(got)) == ("", 2)
    assert named.stderr == f"ullage ledger: 3 spans sent to {url}/v1/traces\n"
    assert b"order-0001" not in got[0].body


def test_options_of_spans_are_refused_for_lines(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a.ledger"):
        done = run("export", tmp_path / "a.ledger", "--content")

    assert done.exit_code == 2
    assert "--content belongs to --format otlp and parquet" in done.stderr


def test_import_takes_what_an_exporter_wrote_and_says_what_has_no_texts(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a.ledger") as ledger, a_collector() as (url, got):
        record(ledger, "T")
        send_ledger(ledger, collector({}, url), content=True)
        send_ledger(ledger, collector({}, url))
    spans = tmp_path / "spans.jsonl"
    spans.write_bytes(b"\n".join(one.body for one in got) + b"\n")
    place = tmp_path / "b.ledger"

    done = run("import", spans, "--ledger", place, "--prefix", "otel-")

    assert done.exit_code == 0, done.stderr
    assert "2 records imported" in done.stderr
    assert "1 exchange, 1 tool result" in done.stderr
    assert "2 spans have no texts, or telemetry has cut them; each is noted" in done.stderr
    with Ledger.read(place) as other:
        assert other.runs() == ["otel-T"]
        assert other.faults("otel-T") == 3
