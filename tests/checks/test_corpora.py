"""The checks over recorded exchanges of four providers: what they find, and how little else."""

from collections import Counter
from typing import Any

from tests.cassettes import body_of, cassettes

from ullage.checks.measure import measure_exchanges
from ullage.sources.bodies import exchange_of
from ullage.transcript.finding import Source
from ullage.wire.exchange import Exchange


def exchanges(recorded: dict[str, Any]) -> list[Exchange]:
    """Each cassette is a session of its own."""
    found = []
    for number, one in enumerate(recorded["interactions"], start=1):
        request, response = one["request"], one["response"]
        document = {
            "request": {
                "url": request["uri"],
                "method": request["method"],
                "body": body_of(request).decode("utf-8", "replace"),
            },
            "response": {
                "status": response["status"]["code"],
                "body": body_of(response).decode("utf-8", "replace"),
            },
        }
        exchange = exchange_of(document, Source(line=number), number)
        if exchange is not None:
            found.append(exchange)
    return found


def test_nothing_but_what_is_there_is_found() -> None:
    found: Counter[str] = Counter()
    for _, recorded in cassettes():
        found.update(one.check for one in measure_exchanges(exchanges(recorded)).measurement.served)

    assert found == {
        "context-edited": 10,  # of the nine compactions, some have several
        "prefix-unknown": 10,
        "output-stopped": 3,  # filters
        "prefix-broken": 2,  # tools that come later
        "output-cut": 1,
        "output-cut-empty": 1,
    }
