"""Settling what was held aside: a run is measured, and what is to be kept of it is kept."""

from collections.abc import Collection
from dataclasses import replace
from itertools import count

from ullage.checks.deliveries import delivery_of
from ullage.checks.measure import measure
from ullage.checks.measured import Measurement
from ullage.checks.remembered import Remembered, figures_of, noted
from ullage.checks.request_log import request_log
from ullage.ledger import measurements
from ullage.ledger.entries import entries
from ullage.ledger.held import Held
from ullage.ledger.measurements import has_all_texts
from ullage.ledger.prune import remove_run
from ullage.ledger.reduced import Reducer
from ullage.ledger.store import Ledger
from ullage.ledger.transfer import Numbers, Transfer, retagged

MEASURED = {"delivery", "figures"}


def settle(held: Held, ledger: Ledger, at: float) -> list[str]:
    """Measure every run that was held, write what is kept of it, and remove what was held.

    Returns the tags that the runs have in the ledger: a number is put behind one that is taken.
    `at` is now, in seconds since the epoch. Whatever stops it, what was held is still there, and
    what it had written is taken out when it is settled again.
    """
    for half in held.begun():
        remove_run(ledger.session, half)
    with Ledger(held.path) as source:
        tags = {run: free_tag(run, ledger.runs()) for run in source.runs()}
        for run, tag in tags.items():
            held.begin(tag)
            settle_run(source, ledger, Reducer(held.policy, ledger.session.key), run, tag, at)
    held.remove()
    return list(tags.values())


def free_tag(run: str, taken: Collection[str]) -> str:
    """Return a run's tag, with a number where another run has it: a run is measured as one."""
    if run not in taken:
        return run
    return next(tag for n in count(2) if (tag := f"{run}.{n}") not in taken)


def settle_run(
    source: Ledger, ledger: Ledger, reducer: Reducer, run: str, tag: str, at: float
) -> None:
    """Measure one run in the ledger where it was held, and write what is kept of it."""
    measurement = measure(source, run)
    numbers = Numbers(same=False)
    transfer = Transfer(ledger.session, ledger.scrubber, numbers, own_key=True)
    for entry in entries(source.session, source.scrubber, run):
        if entry.table not in MEASURED:
            transfer.add(retagged(reducer.reduced(entry), tag))
    rows: list[measurements.Row] = []
    for one in measurement.results:
        row = delivery_of(one, at)
        exchange = None if row.exchange is None else numbers.of("exchange", row.exchange)
        result = numbers.of("result", row.result)
        rows.append(replace(row, run=tag, result=result, exchange=exchange))
    for logged in request_log(source, run):
        number = logged.number
        served = (one for one in measurement.served if one.evidence.get("exchange") == number)
        kept = Remembered(
            read=logged.read,
            failed=logged.failed,
            given=measurement.given.get(number, 0),
            given_unknown=measurement.given_unknown.get(number, 0),
            findings=tuple(map(noted, served)),
            given_shortened=measurement.given_shortened.get(number, 0),
        )
        rows.append(figures_of(tag, numbers.of("exchange", number), kept, at))
    measurements.add(ledger.session, rows)


def write_down(ledger: Ledger, measurement: Measurement, at: float) -> None:
    """Write what was measured beside the results of a run that is kept in full."""
    if has_all_texts(ledger.session, measurement.run):
        rows = [delivery_of(one, at) for one in measurement.results]
        measurements.add(ledger.session, rows)
