"""Settling what was held aside: a run is measured, and what is to be kept of it is kept."""

from dataclasses import replace

from ullage.checks.deliveries import delivery_of
from ullage.checks.measure import measure
from ullage.checks.measured import Measurement
from ullage.checks.request_log import figures_of, request_log
from ullage.ledger import measurements
from ullage.ledger.entries import entries
from ullage.ledger.held import Held
from ullage.ledger.measurements import has_all_texts
from ullage.ledger.prune import remove_run
from ullage.ledger.reduced import Reducer
from ullage.ledger.store import Ledger
from ullage.ledger.transfer import Numbers, Transfer

MEASURED = {"delivery", "figures"}


def settle(held: Held, ledger: Ledger, at: float) -> list[str]:
    """Measure every run that was held, write what is kept of it, and remove what was held.

    Returns the runs. `at` is now, in seconds since the epoch. Whatever stops it, what was held is
    still there: settling again begins anew.
    """
    with Ledger(held.path) as source:
        runs = source.runs()
        for run in runs:
            # What an earlier settling that was stopped has left.
            remove_run(ledger.session, run)
            settle_run(source, ledger, run, Reducer(held.policy, ledger.session.key), at)
    held.remove()
    return runs


def settle_run(source: Ledger, ledger: Ledger, run: str, reducer: Reducer, at: float) -> None:
    """Measure one run in the ledger where it was held, and write what is kept of it."""
    measurement = measure(source, run)
    numbers = Numbers(same=False)
    transfer = Transfer(ledger.session, ledger.scrubber, numbers, own_key=True)
    for entry in entries(source.session, source.scrubber, run):
        if entry.table not in MEASURED:
            transfer.add(reducer.reduced(entry))
    rows: list[measurements.Measured] = []
    for one in measurement.results:
        row = delivery_of(one, at)
        exchange = None if row.exchange is None else numbers.of("exchange", row.exchange)
        rows.append(replace(row, result=numbers.of("result", row.result), exchange=exchange))
    for logged in request_log(source, run):
        given = measurement.given.get(logged.number, 0)
        figures = figures_of(logged, given, measurement.given_unknown.get(logged.number, 0), at)
        rows.append(replace(figures, exchange=numbers.of("exchange", logged.number)))
    measurements.add(ledger.session, rows)


def note(ledger: Ledger, measurement: Measurement, at: float) -> None:
    """Write what was measured beside the results of a run that is kept in full."""
    if has_all_texts(ledger.session, measurement.run):
        rows = [delivery_of(one, at) for one in measurement.results]
        measurements.add(ledger.session, rows)
