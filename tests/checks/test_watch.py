"""Exchanges out of a ledger, judged in one go with the results of their run."""

from pathlib import Path

from tests.checks.exchanges import asked
from tests.wire.bodies import ANTHROPIC_STREAM, body

from ullage.checks.measure import measure
from ullage.checks.run import run_checks
from ullage.ledger.records import ExchangeRecord
from ullage.ledger.store import Ledger


def test_the_exchanges_of_a_run_are_judged_with_its_results(tmp_path: Path) -> None:
    with Ledger(tmp_path / "my.ledger") as ledger:
        number = ledger.add_exchange(
            ExchangeRecord(
                run="r",
                method="POST",
                path="/v1/messages",
                upstream="http://model.test",
                request_headers=[],
                request_body=body(asked()),
                status=200,
                response_headers=[("content-type", "text/event-stream")],
                response_body=ANTHROPIC_STREAM[:-60],
                started=1.0,
                first_byte=1.1,
                ended=1.2,
                error="the upstream ended the connection",
            )
        )
        measurement = measure(ledger, "r")

    (found,) = run_checks(measurement)
    assert (found.check, found.session) == ("stream-incomplete", "r")
    assert found.source.path == str(tmp_path / "my.ledger")
    assert found.evidence["exchange"] == number
