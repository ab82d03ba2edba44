"""The two ways in for programs: sessions out of files, and all that the checks find in them."""

from collections.abc import Iterator
from pathlib import Path

from ullage.checks.experimental import EXPERIMENTAL
from ullage.checks.measure import measure_exchanges, measure_run
from ullage.checks.scan import Scan, Scanning
from ullage.ledger.store import Ledger
from ullage.sources.files import Reading, open_all
from ullage.sources.forms import named
from ullage.transcript.transcript import Transcript
from ullage.wire.exchange import Exchange


def load(path: str | Path, *, source: str | None = None) -> Iterator[Transcript]:
    """Give the sessions in a file, a ledger or a folder, one at a time.

    `source` names the form (as --from of `ullage scan` does) and skips detection. Exchanges with a
    model are put together into conversations. Files of a folder that have no form that is read are
    passed over. Raises LoadError, once the first is asked for, where a file cannot be read or has
    no such form; ValueError for a `source` that is none.
    """
    if source is not None:
        named(source)
    readings = open_all(Path(path), source, lambda _: None)
    return (one for reading in readings for one in transcripts(reading))


def audit(*paths: str | Path, source: str | None = None, experimental: bool = False) -> Scan:
    """Return what all checks find in files, ledgers and folders together.

    A `Scan` has `findings`, `measurement` (what arrived, by tool), `compactions` and `read`, which
    also says what was passed over in folders. No texts are kept, so a thousand sessions fit. Raises
    LoadError as `load` does, and ValueError for a `source` that is none, or no path at all: of
    nothing nothing can be said. `experimental` asks for the checks that are off by default, too.
    """
    if not paths:
        raise ValueError("audit() needs a file or a folder: no path was given")
    if source is not None:
        named(source)
    scanning = Scanning(wanted=EXPERIMENTAL if experimental else ())
    for path in paths:
        for reading in open_all(Path(path), source, scanning.pass_over):
            scanning.add(reading)
    return scanning.done()


def transcripts(reading: Reading) -> Iterator[Transcript]:
    """Give the sessions of one file."""
    if reading.form == "ledger":
        with Ledger.read(Path(reading.path)) as ledger:
            for run in ledger.runs():
                yield from (one.transcript for one in measure_run(ledger, run).sessions)
        return
    exchanges: list[Exchange] = []
    for record in reading.records:
        if isinstance(record, Transcript):
            yield record
        elif isinstance(record, Exchange):
            exchanges.append(record)
    yield from (one.transcript for one in measure_exchanges(exchanges).sessions)
