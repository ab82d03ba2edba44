"""`ullage ledger import`: records from files, redacted on the way in."""

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import click

from ullage.cli.ledger.place import option_, place_of
from ullage.cli.ledger.reading import Broken, Events, Found, objects
from ullage.cli.otlp import UNREAD, take_spans
from ullage.cli.output import say
from ullage.cli.progress import progress, stopped_by_hand
from ullage.errors import LoadError
from ullage.ledger.lines import SCHEMA, from_line
from ullage.ledger.records import ExchangeRecord, ProducedRecord
from ullage.ledger.store import Ledger
from ullage.ledger.transfer import Transfer, renamed, transfer_into
from ullage.sources.otlp import is_otlp
from ullage.sources.recorded import record_of, stream_of
from ullage.transcript.counted import many

DAMAGED = "damaged"
WORDS = {"exchange": "exchange", "result": "tool result"}


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=click.Path(path_type=Path))
@option_
@click.option(
    "--run",
    metavar="TAG",
    default="imported",
    show_default=True,
    help="The run of what names none itself.",
)
@click.option("--prefix", metavar="TEXT", default="", help="Put before the tag of every run.")
def command(files: tuple[Path, ...], option: Path | None, run: str, prefix: str) -> None:
    """Take records from FILE… (- for stdin) into a ledger, made where there is none.

    Reads what `ullage ledger export` writes; and, one JSON object a line or a file: a request
    with {"url", "headers", "body"}, recorded exchanges, providers' request and reply bodies, and
    any other object, which is kept as data; the events of one streamed reply; and what
    OpenTelemetry's exporters write as JSON, which telemetry may have cut: that is noted as a fault
    of the run. Secrets are taken out first, as in every recording. Of a damaged line what is whole
    is taken in; each is named, and the exit code is 3.

    \b
    Example:
      ullage ledger import a.jsonl --ledger copy.ledger
      ullage ledger import request.json --ledger runs/a.ledger --run ticket-1
    """
    place = place_of(None, option)
    counts: Counter[str] = Counter()
    with (
        stopped_by_hand(lambda: f"{many(taken(counts), 'record')} imported into {place}"),
        progress("Importing", unit="records") as step,
        Ledger(place) as ledger,
    ):
        for file in files:
            taker = Taker(ledger, prefix=prefix, run=run, clock=time.time)
            try:
                for one in objects(file):
                    counts.update(taker.take(one))
                    step(1, file.name)
            except LoadError as error:
                done = taken(counts)
                raise LoadError(f"{error}; {done} records before it are in {place}") from error
    damaged, unread = counts.pop(DAMAGED, 0), counts.pop(UNREAD, 0)
    total = sum(counts.values())
    kinds = ", ".join(many(counts[table], word) for table, word in WORDS.items())
    say(f"ullage ledger: {many(total, 'record')} imported into {place}: {kinds}")
    if unread:
        say(
            f"ullage ledger: {unread} spans have no texts, or telemetry has cut them; each is noted"
        )
    if damaged:
        raise LoadError(f"{many(damaged, 'damaged line')}: not all of them is in {place}")


def taken(counts: Counter[str]) -> int:
    """Return how many records were taken in."""
    return counts.total() - counts[DAMAGED] - counts[UNREAD]


class Taker:
    """Writes the objects of one file into a ledger."""

    def __init__(
        self, ledger: Ledger, *, prefix: str, run: str, clock: Callable[[], float]
    ) -> None:
        self._ledger = ledger
        self._prefix = prefix
        self._run = f"{prefix}{run}"
        self._clock = clock
        self._transfer: Transfer | None = None
        self._there = frozenset(ledger.runs())

    def take(self, one: Found | Events | Broken) -> list[str]:
        """Write one object, and return the tables that it went into; of a damaged line, say so."""
        if isinstance(one, Broken):
            say(f"ullage ledger: {one.where}: {one.why}, {many(one.saved, 'object')} saved")
            return [DAMAGED]
        if isinstance(one, Found) and is_otlp(one.value):
            found = take_spans(self._ledger, one.value, prefix=self._prefix)
            return list(found.elements())
        return [self._take(one)]

    def _take(self, one: Found | Events) -> str:
        if isinstance(one, Events):
            streamed = stream_of(one.data, run=self._run, at=self._clock())
            if streamed is None:
                raise LoadError(f"{one.where}: events of no provider that is known")
            return self._add(streamed)
        if one.value.get("schema") == SCHEMA:
            try:
                return self._line(one)
            except LoadError as error:
                raise LoadError(f"{one.where}: {error}") from error
        return self._add(record_of(one.value, one.text, run=self._run, at=self._clock()))

    def _add(self, record: ExchangeRecord | ProducedRecord) -> str:
        if isinstance(record, ExchangeRecord):
            self._ledger.add_exchange(record, report=lambda what: say(f"ullage ledger: {what}"))
            return "exchange"
        self._ledger.add_produced(record)
        return "result"

    def _line(self, one: Found) -> str:
        entry = renamed(from_line(one.value), self._prefix)
        run = entry.row.get("run")
        if run in self._there:
            raise LoadError(
                f"run {run!r} is in {self._ledger.path} already: import into a new ledger, or name "
                "a --prefix"
            )
        if self._transfer is None:
            self._transfer = transfer_into(self._ledger.session, self._ledger.scrubber)
        self._transfer.add(entry)
        return entry.table
