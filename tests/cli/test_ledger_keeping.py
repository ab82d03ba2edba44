"""`ullage ledger prune`, `outcome` and `merge`."""

import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from ullage.cli.ledger import command
from ullage.cli.quantities import age_of, size_of
from ullage.errors import LedgerError
from ullage.ledger import schema
from ullage.ledger.measurements import outcomes
from ullage.ledger.records import ProducedRecord
from ullage.ledger.store import Ledger

Make = Callable[..., Path]
DAY = 86_400.0
KEY = "sk-" + "proj-" + "Aq7Zk2Wx9Tn4Rb6Vm1Lp8Hd3"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [str(one) for one in arguments])


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write a ledger with a result for each run, some days old."""

    def write(name: str, **days_old: float) -> Path:
        place = tmp_path / name
        with Ledger(place) as ledger:
            for tag, days in days_old.items():
                ledger.add_produced(
                    ProducedRecord(
                        run=tag,
                        tool="t",
                        kind="tool",
                        arguments="{}",
                        text=f"rows of {tag} in {name}",
                        at=time.time() - days * DAY,
                    )
                )
        return place

    return write


def texts(place: Path) -> list[tuple[str, str]]:
    with Ledger.read(place) as ledger:
        assert ledger.verify().lines() == []
        return [(one.run, one.text) for one in ledger.results()]


def test_prune_says_what_went_and_the_ledger_is_whole(make: Make) -> None:
    place = make("a.ledger", old=40, new=1)

    lines = run("prune", place, "--older-than", "30d").stdout.splitlines()

    assert lines[0].startswith("old: 0 exchanges, 1 tool result, last on 2")
    assert lines[0].endswith(" UTC (age)")
    assert lines[1].startswith("1 run went; ")
    assert [tag for tag, _ in texts(place)] == ["new"]


def test_a_size_that_the_newest_run_alone_is_over_is_said(make: Make) -> None:
    said = run("prune", make("a.ledger", new=1), "--max-size", "1KB").stdout

    assert "still more than 1000 bytes: the newest run stays" in said


def test_a_dry_run_changes_nothing(make: Make) -> None:
    place = make("a.ledger", old=40, new=1)
    before = place.read_bytes()

    done = json.loads(
        run("prune", place, "--max-size", "1B", "--dry-run", "--format", "json").stdout
    )

    assert [(one["run"], one["why"]) for one in done["runs"]] == [("old", "size")]
    assert (done["schema"], done["dry_run"]) == ("ullage.prune/1", True)
    assert place.read_bytes() == before


def test_prune_without_a_limit_is_wrong_usage(make: Make) -> None:
    done = run("prune", make("a.ledger", old=40))

    assert done.exit_code == 2
    assert "say what may stay" in done.stderr


def test_prune_makes_no_ledger(tmp_path: Path) -> None:
    done = run("prune", tmp_path / "none.ledger", "--older-than", "1d")

    assert isinstance(done.exception, LedgerError)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words", [("prune", "--older-than", "1d"), ("measure",), ("outcome", "r", "1", "--ledger")]
)
def test_what_changes_a_ledger_refuses_an_empty_file(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    place = tmp_path / "empty.ledger"
    place.touch()

    done = run(*words, place)

    assert "is an empty file: no ledger was made in it yet: record into it" in str(done.exception)
    assert place.read_bytes() == b""


def test_what_changes_a_ledger_brings_an_older_one_forward(tmp_path: Path) -> None:
    place = tmp_path / "old.ledger"
    with closing(sqlite3.connect(place)) as db:
        for step in schema.MIGRATIONS[:2]:
            step(db)
        db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        db.execute("PRAGMA user_version = 2")
        db.commit()

    assert "`ullage ledger measure" in str(run("stats", place).exception)
    assert run("measure", place).exit_code == 0
    assert run("stats", place).exit_code == 0


@pytest.mark.parametrize(
    ("text", "size"), [("2GB", 2 * 10**9), ("1.5 kb", 1500), ("10", 10), ("7b", 7)]
)
def test_a_size_is_a_number_with_a_unit(text: str, size: int) -> None:
    assert size_of(text) == size


@pytest.mark.parametrize(("text", "age"), [("30d", 30 * DAY), ("90m", 5400), ("1W", 7 * DAY)])
def test_an_age_is_a_number_with_a_unit(text: str, age: float) -> None:
    assert age_of(text) == age


@pytest.mark.parametrize("text", ["", "d", "5y", "-3d", "3"])
def test_an_age_without_a_unit_is_refused(text: str, make: Make) -> None:
    done = run("prune", make("a.ledger", old=40), "--older-than", text)

    assert done.exit_code == click.UsageError.exit_code
    assert "is no age: write a number with m, h, d or w" in done.stderr


def test_an_outcome_is_kept_with_its_note_and_without_secrets(make: Make) -> None:
    place = make("a.ledger", monday=1)

    run("outcome", "monday", "0", "--ledger", place)
    run("outcome", "monday", "0.75", "--ledger", place, "--note", f"with {KEY}")

    with Ledger.read(place) as ledger:
        found = outcomes(ledger.session)["monday"]
    assert found.score == 0.75
    assert found.note is not None
    assert found.note.startswith("with [secret:")


def test_an_outcome_of_an_unknown_run_names_the_known_ones(make: Make) -> None:
    place = make("a.ledger", **{f"r{n}": 9 - n for n in range(7)})

    done = run("outcome", "r", "1", "--ledger", place)

    assert str(done.exception) == (f"{place} has no run 'r': it has r6, r5, r4, r3, r2 and 2 more")


@pytest.mark.parametrize("score", ["nan", "inf", "good"])
def test_a_score_that_is_no_figure_is_wrong_usage(score: str, make: Make) -> None:
    assert run("outcome", "r", score, "--ledger", make("a.ledger", r=1)).exit_code == 2


def test_merge_writes_everything_into_one_ledger(make: Make, tmp_path: Path) -> None:
    first, second = make("a.ledger", monday=2), make("b.ledger", tuesday=1)
    with Ledger(first) as ledger:
        ledger.hand_on(1, "rows")

    done = run("merge", first, second, "--into", tmp_path / "all.ledger")

    assert "0 exchanges and 2 tool results of 2 ledgers are in" in done.stderr
    assert texts(tmp_path / "all.ledger") == [
        ("monday", "rows of monday in a.ledger"),
        ("tuesday", "rows of tuesday in b.ledger"),
    ]
    with Ledger.read(tmp_path / "all.ledger") as ledger:
        assert [one.handed_on for one in ledger.results()] == ["rows", None]


def test_equal_tags_are_refused_before_anything_is_written(make: Make, tmp_path: Path) -> None:
    first, second = make("a.ledger", monday=2), make("b.ledger", monday=1)

    done = run("merge", first, second, "--into", tmp_path / "all.ledger")

    assert isinstance(done.exception, LedgerError)
    assert f"run 'monday' is in {first} and in {second}: merge with --by-file" in str(
        done.exception
    )
    assert not (tmp_path / "all.ledger").exists()


def test_equal_tags_are_kept_apart_by_the_names_of_their_files(make: Make, tmp_path: Path) -> None:
    files = [make("a.ledger", monday=2), make("b.ledger", monday=1)]

    run("merge", *files, "--into", tmp_path / "all.ledger", "--by-file")

    assert [tag for tag, _ in texts(tmp_path / "all.ledger")] == ["a.monday", "b.monday"]


def test_a_ledger_is_not_merged_into_itself(make: Make) -> None:
    place = make("a.ledger", monday=2)

    assert run("merge", place, "--into", place).exit_code == 2
    assert run("merge", place, place, "--into", place.with_name("b")).exit_code == 2
