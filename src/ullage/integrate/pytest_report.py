"""What the pytest plugin says of the recorded tests: a document, and a few lines."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from ullage.checks.covered import Coverage
from ullage.checks.run import run_checks
from ullage.cutter.excerpt import excerpt
from ullage.integrate.recorded_run import RecordedRun
from ullage.transcript.counted import many

Document = dict[str, Any]
"""One recorded test, or one checked grid, as JSON; xdist's workers send it too."""

SCHEMA = "ullage.pytest/1"
MOST_SHOWN = 5
LONGEST = 120
LONGEST_TAG = 60


def tag_of(test: str) -> str:
    """Return a test's name as a run's, which stands in a URL."""
    return (
        re.sub(r"[^\w.-]+", "-", excerpt(test, LONGEST_TAG), flags=re.ASCII).strip("-.") or "test"
    )


def of_run(run: RecordedRun, test: str) -> Document | None:
    """Return what was recorded in a test; None where nothing was."""
    measurement = run.measurement
    if not measurement.results and not measurement.requests.all:
        return None
    return {
        "kind": "run",
        "test": test,
        "run": measurement.run,
        "requests": measurement.requests.all,
        "cohorts": list(measurement.requests.cohorts),
        "delivered_results": measurement.delivered_results,
        "produced_unknown": measurement.unknown,
        "not_recorded": measurement.not_recorded,
        "results": [one.to_dict() for one in measurement.results],
        "findings": [one.to_dict() for one in run_checks(measurement)],
    }


def of_coverage(coverage: Coverage, test: str) -> Document:
    """Return one checked grid."""
    return {"kind": "coverage", "test": test, **coverage.to_dict()}


def write(report: Path, documents: Sequence[Document]) -> str | None:
    """Write all of it as one JSON document; return why not, where that cannot be done."""
    document = {
        "schema": SCHEMA,
        "runs": [one for one in documents if one["kind"] == "run"],
        "coverage": [one for one in documents if one["kind"] == "coverage"],
    }
    try:
        report.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        return f"cannot write {report}: {error.strerror or error}"
    return None


def summary(documents: Sequence[Document]) -> Iterator[str]:
    """Yield what was recorded, then the findings, like ones of a test together."""
    runs = [one for one in documents if one["kind"] == "run"]
    requests = sum(one["requests"] for one in runs)
    results = sum(len(one["results"]) for one in runs)
    cohorts = sorted({cohort for one in runs for cohort in one["cohorts"]})
    answered = f", answered by: {', '.join(cohorts)}" if cohorts else ""
    yield (
        f"recorded: {many(len(runs), 'run')}, {many(requests, 'request')}{answered}, "
        f"{many(results, 'result')} as produced"
    )
    found = Counter(
        (one["test"], finding["check"], finding["boundary"])
        for one in documents
        for finding in one["findings"]
    )
    for (test, check, boundary), count in islice(found.items(), MOST_SHOWN):
        yield f"{check} x {count} at {boundary or 'n/a'}: {excerpt(test, LONGEST)}"
    if len(found) > MOST_SHOWN:
        yield f"and {len(found) - MOST_SHOWN} more; --ullage-report FILE has all of them"
