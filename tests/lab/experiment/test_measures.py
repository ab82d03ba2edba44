"""What is computed of a run, and that all of it stands in the ledger."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.lab.experiment.ran import CLASSES, ran

from ullage.errors import LedgerError
from ullage.lab.experiment.arms import ARMS
from ullage.lab.experiment.key import key_of
from ullage.lab.experiment.recorded import Made, Recorded, recorded
from ullage.lab.experiment.revealed import revealed, second_path
from ullage.ledger.store import Ledger

QUIET = CLASSES["resident quiet"]


def test_a_quiet_culprit_whose_list_is_gone_is_lost_evidence(tmp_path: Path) -> None:
    found = ran(tmp_path, QUIET, ARMS["budget"]).measures

    assert (found.answer, found.wrong, found.revealed) == ("unknown", "evidence-lost", "none")
    assert (found.evidence_lost, found.fabricated, found.excluded) == (True, False, None)
    assert found.refetches == 1


def test_whoever_guesses_then_fabricates(tmp_path: Path) -> None:
    found = ran(tmp_path, QUIET, ARMS["budget"], style="guesses").measures

    assert found.fabricated
    assert found.wrong == "evidence-lost"


def test_a_loud_culprit_is_found_by_the_second_path(tmp_path: Path) -> None:
    found = ran(tmp_path, CLASSES["resident loud"], ARMS["budget"]).measures

    assert (found.correct, found.revealed, found.revealed_by) == (True, "second", "compute")


def test_findings_that_were_not_carried_are_recorded_and_lost(tmp_path: Path) -> None:
    kept, lost = (ran(tmp_path, QUIET, ARMS[arm]).measures for arm in ("repaired", "handoff"))

    assert (kept.findings, kept.carried) == (lost.findings, lost.findings)
    assert (lost.carried, lost.wrong, lost.finding_yield) == (0, "evidence-lost", 0)
    assert lost.computations_per_finding is None
    assert kept.finding_yield == kept.carried / kept.computations


def test_a_cut_by_records_breaks_nothing_and_a_slice_breaks_all_that_it_cuts(
    tmp_path: Path,
) -> None:
    ours, slice_ = (ran(tmp_path, QUIET, ARMS[arm]).measures for arm in ("repaired", "budget"))

    assert ours.cut > 0
    assert ours.broken == 0
    assert slice_.broken == slice_.cut > 0


def made(number: int, tool: str, text: str, arguments: str = "{}") -> Made:
    return Made(
        number=number,
        stage="investigate",
        tool=tool,
        arguments=arguments,
        produced=text,
        delivered=text,
    )


def run_of(*calls: Made) -> Recorded:
    return Recorded(made=calls, decided_on=[], requests=1, chars_in=0, answer=None)


def test_a_text_that_names_a_quiet_culprit_before_its_list_does_excludes_the_run() -> None:
    key = key_of(QUIET)
    pid = key.pids[0]
    listed = made(1, "list_containers", f'{{"late_list":[{{"pid":{pid}}}]}}')
    told = made(2, "compute", f'{{"rows":[{{"pid":{pid},"count":4}}]}}')

    assert second_path(run_of(listed, told), key) is None
    found = second_path(run_of(replace(told, number=1), replace(listed, number=2)), key)
    assert found is not None
    assert found.reason == "second-path"
    assert {one.tool for one in found.where} == {"compute"}


def test_a_loud_culprit_and_a_healthy_recording_exclude_nothing() -> None:
    for name in ("resident loud", "healthy"):
        key = key_of(CLASSES[name])
        pid = key.pids[0] if key.pids else 1
        assert second_path(run_of(made(1, "compute", f'{{"pid":{pid}}}')), key) is None


def test_a_page_of_the_listing_is_the_first_path() -> None:
    key = key_of(QUIET)
    pointer = '\n[characters 0 to 1 of 9; go on with read_result(handle="r1", offset=1)]'
    first = made(1, "list_containers", "{" + pointer)
    page = made(2, "read_result", f'"pid":{key.pids[0]}', '{"handle":"r1","offset":1}')

    found = revealed(run_of(first, page), key)
    assert (found.path, found.tool, found.number) == ("first", "list_containers", 2)


def test_a_run_that_is_not_there_is_said(tmp_path: Path) -> None:
    with (
        Ledger(tmp_path / "ledger") as ledger,
        pytest.raises(LedgerError, match="no request of run 'nobody'"),
    ):
        recorded(ledger, "nobody")
