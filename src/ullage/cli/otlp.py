"""A ledger to a collector of OpenTelemetry, and spans from files into a ledger."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ullage.integrate.otel import spans
from ullage.integrate.otlp import Span, payloads
from ullage.integrate.otlp_http import Collector, send
from ullage.ledger.records import ExchangeRecord, ProducedRecord
from ullage.ledger.store import Ledger
from ullage.sources.otlp import MAY_BE_CUT, records

UNREAD = "unread"
"""What counts a span whose texts are not there, or were cut."""


def send_ledger(
    ledger: Ledger, to: Collector, run: str | None = None, *, content: bool = False
) -> int:
    """Send one run, or all of them, as spans; return how many there were.

    Raises UllageError where the collector cannot be reached or refuses them.
    """
    count = Counter[str]()
    for payload in payloads(counted(spans(ledger, run, content=content), count)):
        send(payload, to)
    return count["spans"]


def counted(found: Iterable[Span], count: Counter[str]) -> Iterator[Span]:
    """Give the spans, and count them."""
    for span in found:
        count["spans"] += 1
        yield span


def take_spans(ledger: Ledger, value: Mapping[str, object], *, prefix: str = "") -> Counter[str]:
    """Write one object of an exporter of spans into a ledger; count what was written, and what not.

    Each run gets a fault that says that telemetry may have cut its texts. `prefix` goes before the
    tag of every run.
    """
    counts = Counter[str]()
    runs: dict[str, float] = {}
    for found in records(value):
        record = replace(found, run=f"{prefix}{found.run}")
        if isinstance(record, ExchangeRecord):
            ledger.add_exchange(record)
            runs[record.run] = record.ended
            counts["exchange"] += 1
        elif isinstance(record, ProducedRecord):
            ledger.add_produced(record)
            runs[record.run] = record.at
            counts["result"] += 1
        else:
            ledger.add_fault(record.run, record.why, time.time())
            counts[UNREAD] += 1
    for run, at in runs.items():
        ledger.add_fault(run, MAY_BE_CUT, at)
    return counts
