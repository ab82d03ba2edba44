"""`ullage ledger findings`: who found what, how they ended, and what reached the deciding stage."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from openai import OpenAI

from ullage import Handoff, Ledger, record_run
from ullage.cli.main import ullage


def findings(*arguments: str) -> Result:
    return CliRunner().invoke(ullage, ["ledger", "findings", *arguments])


@pytest.fixture
def place(tmp_path: Path) -> Path:
    place = tmp_path / "run.ledger"
    with record_run(place, run="monday") as run:
        handoff = Handoff(run.ledger, run="monday")
        with handoff.worker("digger", stage="look") as worker:
            worker.computation()
            worker.computation()
            worker.record_finding("billing.py line 40 is slow", evidence="4.1 s", source="profile")
            worker.cut("30 steps")
        block = handoff.carry("decide")
        with OpenAI() as client:
            client.chat.completions.create(model="m", messages=[{"role": "user", "content": block}])
    return place


def test_workers_findings_and_what_arrived_are_printed(place: Path) -> None:
    done = findings(str(place))

    assert done.exit_code == 0
    assert "cut: 30 steps" in done.stdout
    assert "billing.py line 40 is slow" in done.stdout
    assert "(request 1): 1 recorded, 1 different, 1 carried, 1 arrived" in done.stdout
    assert "finding yield 0.50 (1 arrived / 2 computations)" in done.stdout


def test_the_document_has_the_same(place: Path) -> None:
    document = json.loads(findings(str(place), "--format", "json").stdout)

    (run,) = document["runs"]
    assert document["schema"] == "ullage.findings/1"
    assert (run["run"], run["findings"][0]["evidence"]) == ("monday", "4.1 s")
    assert run["workers"][0]["state"] == "cut"
    assert run["handoff"]["total"]["finding_yield"] == 0.5


def test_a_ledger_without_findings_says_so(tmp_path: Path) -> None:
    Ledger(tmp_path / "l").close()
    done = findings(str(tmp_path / "l"))

    assert (done.exit_code, done.stdout) == (0, "")
    assert "has no findings" in done.stderr


def test_a_run_that_is_not_there_is_refused(place: Path) -> None:
    done = findings(str(place), "--run", "sunday")

    assert done.exit_code == 2
    assert "has no run 'sunday'" in done.stderr


def test_findings_of_a_run_whose_texts_are_not_kept_are_counted(tmp_path: Path) -> None:
    from ullage.ledger.entries import entries
    from ullage.ledger.keep import KeepPolicy
    from ullage.ledger.reduced import Reducer
    from ullage.ledger.transfer import transfer_into

    with Handoff(tmp_path / "full") as handoff:
        handoff.record_finding("the customer's name is in orders.csv", evidence="line 9")
    kept = tmp_path / "kept"
    with Ledger.read(tmp_path / "full") as source, Ledger(kept) as target:
        transfer = transfer_into(target.session, target.scrubber)
        reducer = Reducer(KeepPolicy(default="counts"), target.session.key)
        for entry in entries(source.session, source.scrubber):
            transfer.add(reducer.reduced(entry))
        assert target.verify().whole

    assert "(36 characters, not kept)" in findings(str(kept)).stdout
    assert b"customer" not in kept.read_bytes()
