"""All checks over a measured run."""

from collections.abc import Callable, Iterator, Mapping

from ullage.checks import cut_to_empty, cut_upstream, invalid_syntax, silent_cut, watch
from ullage.checks.measured import Measured, Measurement
from ullage.transcript.finding import Finding

CHECKS: Mapping[str, Callable[[Measured], Iterator[Finding]]] = {
    cut_upstream.NAME: cut_upstream.check,
    cut_to_empty.NAME: cut_to_empty.check,
    invalid_syntax.NAME: invalid_syntax.check,
    silent_cut.NAME: silent_cut.check,
}
NAMES = (*CHECKS, *watch.NAMES)
"""Every check of a run, of its results and of its exchanges."""


def run_checks(measurement: Measurement) -> list[Finding]:
    """Return the findings of every check, result by result, then exchange by exchange."""
    of_results = [
        found
        for result in measurement.results
        for check in CHECKS.values()
        for found in check(result)
    ]
    return [*of_results, *measurement.served]
