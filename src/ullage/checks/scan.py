"""All checks over readings: files of exchanges and lines, transcripts, and ledgers."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from ullage.checks import damaged_line
from ullage.checks.compactions import Compactions, Compared, Row, compared
from ullage.checks.doubt import doubted
from ullage.checks.experimental import asked_for
from ullage.checks.gather import Gatherer
from ullage.checks.measure import Run, measure_exchanges, measure_run, together
from ullage.checks.measured import Measured, Measurement
from ullage.checks.mistakes import Labelled, Mistakes
from ullage.checks.observable import Observable, observable
from ullage.checks.profile import Profile
from ullage.checks.run import GATHERERS, run_checks, session_findings
from ullage.checks.run import NAMES as RUN_NAMES
from ullage.checks.session import Session
from ullage.checks.transcripts import measurement_of, session_of
from ullage.checks.used import Use, Used
from ullage.errors import LoadError
from ullage.ledger.store import Ledger
from ullage.sources.files import Reading
from ullage.sources.record import Damaged, Plain, Record
from ullage.transcript.finding import Finding, Source
from ullage.transcript.transcript import Transcript
from ullage.wire.exchange import Exchange

NAMES = (*RUN_NAMES, damaged_line.NAME)
"""Every check of a scan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """How much was read; what was saved out of a damaged line counts as a record.

    `plain` are records that hold nothing of a model, `unread` those of a transcript whose kind is
    not known, by that kind. `passed_over` are files of folders that were not read, and why.
    """

    files: int
    records: int
    damaged: int
    plain: int = 0
    unread: Mapping[str, int] = field(default_factory=dict)
    passed_over: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A session by its file and its name there; None where the whole file is one."""

    path: str
    session: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What was found in all readings together; `sessions` are those that were read."""

    measurement: Measurement
    findings: Sequence[Finding]
    read: Read
    compactions: Sequence[Row] = ()
    profile: Profile = field(default_factory=Profile)
    used: Sequence[Use] = ()
    compared: Compared = field(default_factory=lambda: compared(()))
    sessions: Sequence[Named] = ()
    observable: Observable = field(default_factory=Observable)
    mistakes: Sequence[Labelled] = ()


class Watcher(Protocol):
    """Is shown each run with its texts as it is read, and keeps figures of it."""

    def take(self, run: Run) -> None:
        """Take in one run."""


@dataclass(slots=True)
class Scanning:
    """What is known after the readings so far; no texts are kept.

    Of experimental checks only those in `wanted` report.
    """

    wanted: Collection[str] = ()

    measurements: list[Measurement] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)
    passed_over: list[str] = field(default_factory=list)
    compactions: Compactions = field(default_factory=Compactions)
    profile: Profile = field(default_factory=Profile)
    used: Used = field(default_factory=Used)
    mistakes: Mistakes = field(default_factory=Mistakes)
    sessions: list[Named] = field(default_factory=list)
    observable: Observable = field(default_factory=Observable)
    gatherers: Mapping[str, Gatherer] = field(
        default_factory=lambda: {name: make() for name, make in GATHERERS.items()}
    )
    watchers: Sequence[Watcher] = ()

    def add(self, reading: Reading) -> None:
        """Read one file or ledger to its end."""
        self.counts["files"] += 1
        if reading.form == "ledger":
            self.add_ledger(Path(reading.path))
            return
        named = len(self.sessions)
        # Exchanges are measured as they are read; what else comes between is taken in at once.
        found = measure_exchanges(self.exchanges(reading.records, reading.path))
        self.add_run(found)
        if found.measurement.requests.all or len(self.sessions) == named:
            self.sessions.append(Named(path=reading.path))

    def pass_over(self, error: LoadError) -> None:
        """Remember a file that is not read."""
        self.passed_over.append(str(error))

    def add_ledger(self, path: Path) -> None:
        """Measure every run of a ledger."""
        with Ledger.read(path) as ledger:
            for run in ledger.runs():
                self.sessions.append(Named(path=str(path), session=run))
                found = measure_run(ledger, run)
                begin = len(self.findings)
                self.add_run(found)
                self.findings[begin:] = [placed(one, str(path)) for one in self.findings[begin:]]
                one = found.measurement
                self.counts["records"] += one.requests.all + len(one.results)
                self.counts["damaged"] += one.not_recorded

    def add_run(self, run: Run) -> None:
        """Take in what was measured, and judge it."""
        self.findings += run_checks(run.measurement, self.wanted)
        for one in run.sessions:
            self.add_session(one)
        for watcher in self.watchers:
            watcher.take(run)
        self.observable = self.observable.plus(observable(run))
        self.measurements.append(lean(run.measurement))

    def add_session(self, session: Session) -> None:
        """Judge one session."""
        self.findings += session_findings(session, self.wanted)
        if session.transcript.may_be_cut is None:  # lengths of others show the limit of a record
            for gatherer in self.gatherers.values():
                gatherer.add(session)
        self.compactions.add(session)
        self.profile.add(session)
        self.used.add(session)
        self.mistakes.add(session)

    def add_transcript(self, transcript: Transcript) -> None:
        """Measure one transcript, and judge it."""
        self.counts["records"] += transcript.records
        self.unread.update(transcript.unread)
        session = session_of(transcript)
        if transcript.source.path is not None:
            self.sessions.append(Named(path=transcript.source.path, session=transcript.session))
        before = len(self.findings)
        self.add_run(Run(measurement=measurement_of(session), sessions=[session]))
        self.findings[before:] = doubted(self.findings[before:], transcript.may_be_cut)

    def exchanges(self, records: Iterable[Record], path: str) -> Iterator[Exchange]:
        """Give the exchanges among the records of a file, and take in the others."""
        for one in records:
            match one:
                case Damaged():
                    self.counts["damaged"] += 1
                    self.findings.append(damaged_line.report(one, path))
                case Transcript():
                    self.add_transcript(one)
                case Plain():
                    self.counts["records"] += 1
                    self.counts["plain"] += 1
                case Exchange():
                    self.counts["records"] += 1
                    yield one

    def done(self) -> Scan:
        """Return what was found."""
        found = (found for one in self.gatherers.values() for found in one.findings())
        gathered = asked_for(found, self.wanted)
        rows = self.compactions.done()
        findings = [*self.findings, *gathered]
        self.profile.flagged(findings)
        return Scan(
            profile=self.profile,
            used=self.used.done(),
            compactions=rows,
            compared=compared(rows),
            measurement=together(self.measurements),
            findings=findings,
            read=Read(
                files=self.counts["files"],
                records=self.counts["records"],
                damaged=self.counts["damaged"],
                plain=self.counts["plain"],
                unread=dict(self.unread),
                passed_over=self.passed_over,
            ),
            sessions=self.sessions,
            observable=self.observable,
            mistakes=self.mistakes.done(findings),
        )


def scan(readings: Iterable[Reading], watchers: Sequence[Watcher] = ()) -> Scan:
    """Read files and ledgers, and return what all checks find in them; show `watchers` each run."""
    scanning = Scanning(watchers=watchers)
    for one in readings:
        scanning.add(one)
    return scanning.done()


def placed(finding: Finding, path: str) -> Finding:
    """Return a finding that names its file; one about a result of a ledger does not of itself."""
    return finding if finding.source.path else replace(finding, source=Source(path=path))


def lean(measurement: Measurement) -> Measurement:
    """Return a measurement without texts: there may be thousands of sessions."""
    return replace(measurement, results=[without_texts(one) for one in measurement.results])


def without_texts(one: Measured) -> Measured:
    """Return a measured result without its texts."""
    return replace(
        one,
        produced="",
        handed_on=None if one.handed_on is None else "",
        delivered=None if one.delivered is None else "",
    )
