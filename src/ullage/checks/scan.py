"""All checks over readings: files of exchanges and lines, and ledgers."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ullage.checks import damaged_line
from ullage.checks.measure import measure, measure_exchanges, together
from ullage.checks.measured import Measurement
from ullage.checks.run import NAMES as RUN_NAMES
from ullage.checks.run import run_checks
from ullage.ledger.store import Ledger
from ullage.sources.files import Reading
from ullage.sources.record import Damaged, Record
from ullage.transcript.finding import Finding
from ullage.wire.exchange import Exchange

NAMES = (*RUN_NAMES, damaged_line.NAME)
"""Every check of a scan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """How much was read; what was saved out of a damaged line counts as a record."""

    files: int
    records: int
    damaged: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What was found in all readings together."""

    measurement: Measurement
    findings: Sequence[Finding]
    read: Read


@dataclass(slots=True)
class Scanning:
    """What is known after the readings so far."""

    measurements: list[Measurement] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, reading: Reading) -> None:
        """Read one file or ledger to its end."""
        self.counts["files"] += 1
        if reading.form == "ledger":
            self.add_ledger(Path(reading.path))
            return
        damage: list[Finding] = []
        found = measure_exchanges(self.exchanges(reading.records, reading.path, damage))
        self.measurements.append(found)
        self.findings += [*damage, *run_checks(found)]

    def add_ledger(self, path: Path) -> None:
        """Measure every run of a ledger."""
        with Ledger.read(path) as ledger:
            for run in ledger.runs():
                found = measure(ledger, run)
                self.measurements.append(found)
                self.findings += run_checks(found)
                self.counts["records"] += found.requests.all + len(found.results)
                self.counts["damaged"] += found.not_recorded

    def exchanges(
        self, records: Iterable[Record], path: str, damage: list[Finding]
    ) -> Iterator[Exchange]:
        """Give the exchanges among the records of a file, and count the others."""
        for one in records:
            if isinstance(one, Damaged):
                self.counts["damaged"] += 1
                damage.append(damaged_line.report(one, path))
                continue
            self.counts["records"] += 1
            if isinstance(one, Exchange):
                yield one

    def done(self) -> Scan:
        """Return what was found."""
        return Scan(
            measurement=together(self.measurements),
            findings=self.findings,
            read=Read(
                files=self.counts["files"],
                records=self.counts["records"],
                damaged=self.counts["damaged"],
            ),
        )


def scan(readings: Iterable[Reading]) -> Scan:
    """Read files and ledgers, and return what all checks find in them."""
    scanning = Scanning()
    for one in readings:
        scanning.add(one)
    return scanning.done()
