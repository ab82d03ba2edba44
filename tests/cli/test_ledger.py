import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ullage.cli.ledger import command
from ullage.cli.main import main
from ullage.errors import LedgerError
from ullage.ledger.history_records import KeptRecord, RecallRecord
from ullage.ledger.records import ProducedRecord
from ullage.ledger.store import Ledger


@pytest.fixture
def place(tmp_path: Path) -> Path:
    place = tmp_path / "a.ledger"
    with Ledger(place) as ledger:
        ledger.add_produced(
            ProducedRecord(run="r", tool="t", kind="tool", arguments="{}", text="rows", at=1.0)
        )
    return place


def damage(place: Path) -> None:
    with closing(sqlite3.connect(place)) as db:
        db.execute("UPDATE blob SET data = x'00' WHERE id = 2")
        db.commit()


def run(*arguments: str | Path, **variables: str) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments], env=variables)


def test_verify_says_that_a_ledger_is_whole(place: Path) -> None:
    found = run("verify", place)

    assert (found.exit_code, found.stderr) == (0, "")
    assert found.stdout == f"{place} is whole: 2 blobs, 1 records\n"


def test_verify_prints_one_line_a_fault_and_fails(place: Path) -> None:
    damage(place)

    found = run("verify", place)

    assert found.stdout == ""
    (line,) = found.stderr.splitlines()
    assert line.startswith(f"{place}: blob ")
    assert line.endswith("; used by result 1 text")
    assert isinstance(found.exception, LedgerError)
    assert str(found.exception).startswith(f"{place} is damaged (1 found): ")


def test_verify_of_a_damaged_ledger_exits_with_3(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(place)

    with pytest.raises(SystemExit) as caught:
        main(["ledger", "verify", str(place)])

    assert caught.value.code == 3
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"ullage: {place} is damaged")


def test_verify_as_json_names_the_blob_and_its_users(place: Path) -> None:
    damage(place)

    found = json.loads(run("verify", place, "--format", "json").stdout)

    assert list(found) == ["schema", "blobs", "records", "damaged", "problems"]
    assert found["schema"] == "ullage.verify/1"
    assert [entry["used_by"] for entry in found["damaged"]] == [["result 1 text"]]


def test_stats_as_json_has_exactly_its_members(place: Path) -> None:
    assert json.loads(run("stats", place, "--format", "json").stdout) == {
        "schema": "ullage.stats/1",
        "exchanges": 0,
        "tool_results": 1,
        "blobs": 2,
        "bytes": place.stat().st_size,
        "not_recorded": 0,
        "pruned": {"runs": 0, "exchanges": 0, "tool_results": 0},
        "runs": [
            {
                "run": "r",
                "last": 1.0,
                "exchanges": 0,
                "tool_results": 1,
                "measured": 0,
                "seen": 0,
                "records": {"produced": 0, "delivered": 0},
                "rate": None,
                "score": None,
                "note": None,
                "compactions": 0,
                "recall": {"offered": 0, "used": 0, "pages": 0, "unknown": 0, "rate": None},
            }
        ],
    }


def test_stats_say_how_many_handles_were_used(place: Path) -> None:
    with Ledger(place, durability="sync") as ledger:
        kept = KeptRecord(run="r", at=2.0, tool="t", arguments="", text="lines", records=1)
        handle = ledger.keep(kept)
        ledger.keep(replace(kept, text="other lines"))
        ledger.record(
            RecallRecord(
                run="r", at=3.0, handle=handle, part=None, records=None, chars=5, known=True
            )
        )

    (one,) = json.loads(run("stats", place, "--format", "json").stdout)["runs"]
    assert one["recall"] == {"offered": 2, "used": 1, "pages": 1, "unknown": 0, "rate": 0.5}
    assert "1 of 2" in run("stats", place).stdout


def test_stats_as_text_names_every_figure(place: Path) -> None:
    lines = run("stats", place).stdout.splitlines()[:5]

    assert [line.rsplit(maxsplit=1)[0].strip() for line in lines] == [
        "exchanges",
        "tool results",
        "blobs",
        "bytes on disk",
        "not recorded",
    ]
    assert lines[1].split()[-1] == "1"


def test_the_ledger_is_the_argument_else_the_option_else_the_variable_else_the_usual_name(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ULLAGE_LEDGER", raising=False)

    assert run("stats", place, ULLAGE_LEDGER="missing").exit_code == 0
    assert run("stats", "--ledger", place, ULLAGE_LEDGER="missing").exit_code == 0
    assert run("stats", ULLAGE_LEDGER=str(place)).exit_code == 0
    monkeypatch.chdir(place.parent)
    assert "cannot open ullage.ledger" in str(run("stats").exception)
    place.rename(place.parent / "ullage.ledger")
    assert run("stats").exit_code == 0


def test_naming_the_ledger_twice_is_wrong_usage(place: Path) -> None:
    found = run("stats", place, "--ledger", place)

    assert found.exit_code == 2
    assert "name the ledger once" in found.stderr


def test_help_shows_an_example_of_each_command() -> None:
    for name in ("verify", "stats"):
        assert f"ullage ledger {name}" in run(name, "--help").stdout
