"""The pytest plugin: fixtures that record a run and check a pipeline's coverage.

It is loaded in every pytest run where Ullage is installed, so nothing of Ullage is imported before
a test asks for a fixture. pytest's exit codes stay pytest's own.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ullage.checks.covered import Coverage
    from ullage.integrate.recorded_run import RecordedRun

DOCUMENTS = pytest.StashKey[list[dict[str, Any]]]()
REPORT = "--ullage-report"
MARKER = 'ullage(upstream="scripted"): where the fixture ullage_run sends requests on to'
INI = "ullage_upstream"
WORKER = "ullage"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the ini key."""
    parser.getgroup("ullage").addoption(
        REPORT,
        type=Path,
        metavar="FILE",
        help="Write what was recorded, and what arrived of it, to FILE (JSON).",
    )
    parser.addini(
        INI,
        "Upstream of the fixture ullage_run: a model API's address, or scripted (no model). "
        "ULLAGE_UPSTREAM comes before it, the marker before both.",
        default="",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known; refuse, before any test runs, a report that cannot be written."""
    config.addinivalue_line("markers", MARKER)
    config.stash[DOCUMENTS] = []
    report = config.getoption(REPORT)
    if report is not None and not report.absolute().parent.is_dir():
        raise pytest.UsageError(f"{REPORT}: there is no folder {str(report.absolute().parent)!r}")


@pytest.fixture
def ullage_run(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> "Iterator[RecordedRun]":
    """Record what this test's tools produce and what its model is given (`ullage.RecordedRun`)."""
    from ullage.integrate.pytest_report import of_run, tag_of
    from ullage.integrate.recorded_run import record_run

    ledger = tmp_path_factory.mktemp("ullage") / "run.ledger"
    test = request.node.nodeid
    with record_run(ledger, run=tag_of(request.node.name), upstream=upstream(request)) as run:
        yield run
        document = of_run(run, test)
    if document is not None:
        request.config.stash[DOCUMENTS].append(document)


@pytest.fixture
def ullage_coverage(
    request: pytest.FixtureRequest, ullage_run: "RecordedRun"
) -> "Callable[..., Coverage]":
    """Check a pipeline over a grid, this test's run recorded; end with `.assert_seen_or_told()`.

    It returns what `ullage.check_coverage` does: without an assertion on that, a test passes.
    """
    from ullage.integrate.coverage import check_coverage
    from ullage.integrate.pytest_report import of_coverage

    def check(pipeline: "Callable[..., object]", **options: object) -> "Coverage":
        found = check_coverage(pipeline, run=ullage_run, **options)  # type: ignore[arg-type]  # its own options, checked there
        request.config.stash[DOCUMENTS].append(of_coverage(found, request.node.nodeid))
        return found

    return check


def upstream(request: pytest.FixtureRequest) -> str:
    """Return where requests go on to: by the marker, the variable, the ini file; else no model."""
    from ullage.integrate.recorded_run import SCRIPTED
    from ullage.tap.environment import UPSTREAM, environment

    marker = request.node.get_closest_marker("ullage")
    if marker is not None and (marker.args or set(marker.kwargs) != {"upstream"}):
        raise pytest.UsageError(f"{request.node.nodeid}: the marker is {MARKER.partition(':')[0]}")
    marked = "" if marker is None else str(marker.kwargs["upstream"])
    return marked or environment().get(UPSTREAM) or str(request.config.getini(INI)) or SCRIPTED


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand what was recorded to the process that reports, where this is a worker of xdist."""
    documents = session.config.stash[DOCUMENTS]
    if documents and hasattr(session.config, "workeroutput"):
        session.config.workeroutput[WORKER] = documents


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Take in what a worker of xdist recorded."""
    config: pytest.Config = node.config  # type: ignore[attr-defined]  # xdist's, which may be absent
    config.stash[DOCUMENTS] += getattr(node, "workeroutput", {}).get(WORKER, [])


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say in a few lines what was recorded, and write the report; nothing where nothing was."""
    documents, report = config.stash[DOCUMENTS], config.getoption(REPORT)
    if not documents and report is None:
        return
    from ullage.integrate.pytest_report import summary, write

    terminalreporter.section("ullage", sep="-")
    for line in summary(documents):
        terminalreporter.write_line(line)
    if report is not None:
        trouble = write(report, documents)
        terminalreporter.write_line(trouble or f"written to {report}", red=trouble is not None)
