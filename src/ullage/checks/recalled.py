"""A run's measurement read back from the rows that were written when it was measured."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from ullage.checks.deliveries import measured_before
from ullage.checks.measured import Measurement, Requests, rates_by_tool
from ullage.checks.request_log import Logged
from ullage.ledger.measurements import Figures, deliveries, figures, has_all_texts
from ullage.ledger.records import StoredExchange
from ullage.ledger.store import Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What is kept of a request whose bodies are not: figures, and how it is counted.

    `failed` says only by its status that it failed: the words of an error may hold anything.
    """

    figures: Mapping[str, object]
    failed: str | None
    to_model: bool
    given: int
    given_unknown: int


def recalled(ledger: Ledger, run: str) -> Measurement | None:
    """Return the measurement that was kept of a run; None for one that has all its texts."""
    if has_all_texts(ledger.session, run):
        return None
    exchanges = list(ledger.exchanges(run, bodies="request"))
    results = list(ledger.results(run))
    before = deliveries(ledger.session, run)
    kept = {number: remembered(one) for number, one in figures(ledger.session, run).items()}
    measured = [measured_before(one, before.get(one.number)) for one in results]
    return Measurement(
        run=run,
        results=measured,
        requests=requests(exchanges, kept),
        delivered_results=sum(one.given for one in kept.values()),
        unknown=sum(one.given_unknown for one in kept.values()),
        not_recorded=ledger.faults(run),
        by_tool=rates_by_tool(measured),
        given={number: one.given for number, one in kept.items() if one.given},
        given_unknown={n: one.given_unknown for n, one in kept.items() if one.given_unknown},
    )


def requests(exchanges: Sequence[StoredExchange], kept: Mapping[int, Remembered]) -> Requests:
    """Count a run's requests by what became of them."""
    known = [(one, kept[one.number]) for one in exchanges if one.number in kept]
    to_model = [found for _, found in known if found.to_model]
    read = [found for found in to_model if found.figures.get("messages")]
    places = {found.figures.get("conversation") for found in read}
    return Requests(
        all=len(exchanges),
        to_model=len(to_model),
        to_model_failed=sum(found.failed is not None for found in to_model),
        read=len(read),
        failed=sum(found.failed is not None for _, found in known),
        unreadable=sum(
            found.failed is None and not found.figures.get("messages") for found in to_model
        ),
        other_paths=Counter(
            f"{one.method} {one.path}" for one, found in known if not found.to_model
        ),
        failures=Counter(found.failed for _, found in known if found.failed is not None),
        conversations=len(places),
        cohorts=sorted(
            {one.cohort for one, found in known if one.cohort is not None and found.failed is None}
        ),
    )


def remembered(row: Figures) -> Remembered:
    """Read a row back."""
    return msgspec.json.decode(row.document, type=Remembered)


def to_remember(one: Logged, given: int, given_unknown: int) -> Remembered:
    """Return what to keep of a request."""
    failed = None if one.failure is None else str(one.status or "no reply")
    return Remembered(
        figures=one.figures(),
        failed=failed,
        to_model=one.kind == "turn",
        given=given,
        given_unknown=given_unknown,
    )


def figures_of(one: Logged, given: int, given_unknown: int, at: float) -> Figures:
    """Return the row of one request; `at` is now, in seconds since the epoch."""
    document = msgspec.json.encode(to_remember(one, given, given_unknown)).decode()
    return Figures(run=one.run, exchange=one.number, document=document, at=at)
