"""Going through readings a second time, for their texts: nothing is judged, little measured."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ullage.checks.measure import measure_exchanges, measure_run
from ullage.checks.measured import Measured
from ullage.checks.session import Session, results_of
from ullage.ledger.store import Ledger
from ullage.sources.files import Reading
from ullage.transcript.transcript import Transcript
from ullage.wire.exchange import Exchange

Take = Callable[[Sequence[Measured], Sequence[Session]], None]
"""Is given the measured results of a ledger's run, and sessions."""


def walk(reading: Reading, take: Take) -> None:
    """Give `take` each run of a ledger, each transcript of a file, and its exchanges together."""
    if reading.form == "ledger":
        with Ledger.read(Path(reading.path)) as ledger:
            for name in ledger.runs():
                run = measure_run(ledger, name)
                take(run.measurement.results, run.sessions)
        return
    take((), measure_exchanges(exchanges(reading, take)).sessions)


def exchanges(reading: Reading, take: Take) -> Iterator[Exchange]:
    """Give the exchanges of a file, and its transcripts to `take` as they come."""
    for one in reading.records:
        if isinstance(one, Exchange):
            yield one
        elif isinstance(one, Transcript):
            results = list(results_of(one, lambda at, tool: None))
            take((), [Session(transcript=one, results=results)])
