"""The tier and the rules of our own compactions in a scan's words, document and page."""

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from tests.checks.test_stated import RECORD, elided, run_of, scanned

from ullage.checks.flow import Flow
from ullage.checks.measure import measure_run
from ullage.checks.scan import Scan
from ullage.ledger.store import Ledger
from ullage.report.compactions import compaction_members, print_compactions
from ullage.report.page.flow import flow_section
from ullage.report.page.history import history_section


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return run_of(tmp_path / "a.ledger", elided, [RECORD])


@pytest.fixture
def found(place: Path) -> Scan:
    return scanned(place)


def test_a_scan_names_them_beside_the_act(found: Scan) -> None:
    out = StringIO()
    print_compactions(Console(file=out, width=200), found, str)

    assert "elide (T4: listings, oldest-unit)  9100 → 4700" in out.getvalue()


def test_its_document_has_them(found: Scan) -> None:
    members = json.loads(json.dumps(compaction_members(found.compactions, found.compared)))

    (row,) = members["rows"]
    assert (row["tier"], row["rules"]) == ("T4", ["listings", "oldest-unit"])
    assert (row["stated"], row["recorded"]) == (True, True)


def test_the_page_names_them(found: Scan) -> None:
    assert "elide (T4: listings, oldest-unit)" in str(history_section(found))


def test_the_flow_names_them_at_the_boundary(place: Path, found: Scan) -> None:
    flow = Flow()
    with Ledger.read(place) as ledger:
        flow.take(measure_run(ledger, "r"))

    assert "of 3 results (T4: listings, oldest-unit)" in str(flow_section(found, flow))
