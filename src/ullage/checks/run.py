"""All checks: over measured results, over sessions, and over all sessions together."""

from collections.abc import Callable, Collection, Iterator, Mapping

from ullage.checks import (
    cut_to_empty,
    cut_upstream,
    history_checks,
    invalid_syntax,
    result_checks,
    silent_cut,
    use_checks,
    watch,
)
from ullage.checks.experimental import asked_for
from ullage.checks.gather import Gatherer
from ullage.checks.measure import Run
from ullage.checks.measured import Measured, Measurement
from ullage.checks.session import Session, SessionCheck
from ullage.transcript.finding import Finding

CHECKS: Mapping[str, Callable[[Measured], Iterator[Finding]]] = {
    cut_upstream.NAME: cut_upstream.check,
    cut_to_empty.NAME: cut_to_empty.check,
    invalid_syntax.NAME: invalid_syntax.check,
    silent_cut.NAME: silent_cut.check,
}
TABLES = (result_checks, history_checks, use_checks)
SESSION_CHECKS: Mapping[str, SessionCheck] = {
    name: check for table in TABLES for name, check in table.CHECKS.items()
}
GATHERERS: Mapping[str, Callable[[], Gatherer]] = {
    name: make for table in TABLES for name, make in table.GATHERERS.items()
}
NAMES = tuple(
    dict.fromkeys(
        [
            *CHECKS,
            *SESSION_CHECKS,
            *GATHERERS,
            *(name for table in TABLES for name in table.ALSO),
            *watch.NAMES,
        ]
    )
)
"""Every check of a run: of its results, its exchanges, its sessions."""


def run_checks(measurement: Measurement, wanted: Collection[str] = ()) -> list[Finding]:
    """Return the findings of every check, result by result, then exchange by exchange.

    Of experimental checks only those that are wanted report.
    """
    of_results = [
        found
        for result in measurement.results
        for check in CHECKS.values()
        for found in check(result)
    ]
    return asked_for([*of_results, *measurement.served], wanted)


def session_findings(session: Session, wanted: Collection[str] = ()) -> list[Finding]:
    """Return what the checks of sessions find in one, check by check; see `run_checks`."""
    found = (one for check in SESSION_CHECKS.values() for one in check(session))
    return asked_for(found, wanted)


def run_findings(run: Run, wanted: Collection[str] = ()) -> list[Finding]:
    """Return what is reported of a run that has just ended: what was lost, and what left a history.

    What the other checks of sessions find is a scan's; here only those that are wanted by name
    report.
    """
    gatherers = [make() for make in GATHERERS.values()]
    found = run_checks(run.measurement, wanted)
    of_sessions: list[Finding] = []
    for session in run.sessions:
        of_sessions += session_findings(session, wanted)
        for gatherer in gatherers:
            gatherer.add(session)
    of_sessions += asked_for((one for each in gatherers for one in each.findings()), wanted)
    reported = {*history_checks.CHECKS, *history_checks.ALSO, *wanted}
    return found + [one for one in of_sessions if one.check in reported]
