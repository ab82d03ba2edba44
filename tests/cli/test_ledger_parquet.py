"""`ullage ledger export --format parquet`: a folder of tables, whole or not there."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ullage import Ledger
from ullage.cli.ledger import command
from ullage.ledger.records import ExchangeRecord, ProducedRecord
from ullage.report.parquet import SIZE

pq = pytest.importorskip("pyarrow.parquet")

PRODUCED = ProducedRecord(run="r", tool="t", kind="tool", arguments="{}", text="rows", at=1.5)
INTERRUPTED = 130


@pytest.fixture
def place(tmp_path: Path) -> Path:
    place = tmp_path / "a.ledger"
    with Ledger(place) as ledger:
        ledger.add_produced(PRODUCED)
        ledger.add_produced(replace(PRODUCED, run="s", text="others"))
    return place


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    """A ledger whose requests take seconds to be counted, in the last table that is written."""
    place = tmp_path / "slow.ledger"
    words = " ".join(f"word-{n}" for n in range(120_000))
    with Ledger(place) as ledger:
        for number in range(8):
            ledger.add_exchange(request(f"{number} {words}"))
    return place


def request(text: str) -> ExchangeRecord:
    return ExchangeRecord(
        run="r",
        method="POST",
        path="/v1/chat/completions",
        upstream="http://127.0.0.1:9",
        request_headers=[],
        request_body=f'{{"model":"gpt-4o","messages":[{{"role":"user","content":"{text}"}}]}}'.encode(),
        status=200,
        response_headers=[],
        response_body=b"{}",
        started=1.0,
        first_byte=None,
        ended=2.0,
    )


def run(*arguments: str | Path) -> Result:
    words = ["export", "--format", "parquet", *map(str, arguments)]
    return CliRunner().invoke(command, words)


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(folder / f"{table}.parquet").to_pylist()
    return found


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_a_folder_of_tables_is_written_without_texts(place: Path, tmp_path: Path) -> None:
    found = run(place, "--output", tmp_path / "tables")

    assert (found.exit_code, found.stdout) == (0, "")
    first, unmeasured = found.stderr.splitlines()
    assert first == f"ullage ledger: 4 rows in 19 tables are in {tmp_path / 'tables'}"
    assert unmeasured.startswith("ullage ledger: 2 results not measured yet")
    assert [one["tool"] for one in rows(tmp_path / "tables", "result")] == ["t", "t"]
    assert "text" not in rows(tmp_path / "tables", "result")[0]
    assert names(tmp_path) == ["a.ledger", "tables"]


def test_texts_are_there_where_they_are_asked_for(place: Path, tmp_path: Path) -> None:
    run(place, "--output", tmp_path / "tables", "--content", "--run", "s")

    assert [one["text"] for one in rows(tmp_path / "tables", "result")] == ["others"]
    about = pq.read_schema(tmp_path / "tables" / "result.parquet").metadata
    assert about[b"ullage.ledger_schema"].isdigit()
    assert (about[b"ullage.content"], about[b"ullage.run"]) == (b"true", b"s")


def test_one_ledger_gives_the_same_files_twice(place: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run(place, "--output", tmp_path / name, "--content")
    one, two = (
        {file.name: file.read_bytes() for file in (tmp_path / name).iterdir()}
        for name in ("one", "two")
    )

    assert one == two


def test_much_text_is_written_in_groups_and_all_of_it(place: Path, tmp_path: Path) -> None:
    texts = [f"{number} " * (SIZE // 12) for number in range(10, 18)]
    with Ledger(place) as ledger:
        for text in texts:
            ledger.add_produced(replace(PRODUCED, text=text))
    run(place, "--output", tmp_path / "tables", "--content")

    file = pq.ParquetFile(tmp_path / "tables" / "result.parquet")
    assert file.num_row_groups == 2
    assert [one["text"] for one in file.read().to_pylist()] == ["rows", "others", *texts]


def test_an_earlier_export_is_replaced(place: Path, tmp_path: Path) -> None:
    run(place, "--output", tmp_path / "tables", "--run", "s")
    run(place, "--output", tmp_path / "tables")

    assert len(rows(tmp_path / "tables", "result")) == 2
    assert names(tmp_path) == ["a.ledger", "tables"]


@pytest.mark.parametrize("there", ["empty", "link"])
def test_an_empty_folder_and_a_link_to_one_take_the_tables(
    there: str, place: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to("empty")

    assert run(place, "--output", tmp_path / there).exit_code == 0
    assert len(names(tmp_path / "empty")) == 19
    assert (tmp_path / "link").is_symlink()


def test_a_folder_with_anything_else_is_refused_and_stays(place: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "notes.txt").write_text("keep me")
    found = run(place, "--output", folder)

    assert found.exit_code == 2
    assert '"notes.txt" is one of 1' in found.stderr
    assert names(folder) == ["notes.txt"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--format", "parquet"), "--format parquet needs --output FOLDER"),
        (("--format", "json", "--output", "x"), "--output belongs to --format parquet"),
        (("--format", "json", "--content"), "--content belongs to --format otlp and parquet"),
        (("--format", "parquet", "--output", "x", "--to", "y"), "--to belongs to --format otlp"),
        (("--format", "parquet", "--output", "no/x"), "there is no folder"),
        (("--format", "parquet", "--output", "a.ledger"), "'a.ledger' is a file"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    words: tuple[str, ...], said: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place.parent)
    found = CliRunner().invoke(command, ["export", "a.ledger", *words])

    assert found.exit_code == 2
    assert said in found.stderr


def stopped(place: Path, folder: Path, stop: Callable[["subprocess.Popen[str]"], None]) -> str:
    """Export, stop it while its last table is being written, and return what it said."""
    words = ["export", str(place), "--format", "parquet", "--output", str(folder)]
    process = subprocess.Popen(
        [sys.executable, "-m", "ullage", "ledger", *words],
        stderr=subprocess.PIPE,
        text=True,
    )
    end = time.monotonic() + 60
    while not list(folder.parent.glob(f".{folder.name}.*.part/tables/request.parquet")):
        assert time.monotonic() < end
        assert process.poll() is None
        time.sleep(0.005)
    stop(process)
    _, said = process.communicate(timeout=60)
    assert process.returncode in (INTERRUPTED, -signal.SIGKILL)
    return said


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent to one process there")
@pytest.mark.parametrize("before", [False, True])
def test_an_export_that_is_stopped_leaves_what_was_there(
    before: bool, slow: Path, place: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "tables"
    if before:
        run(place, "--output", folder)
    said = stopped(slow, folder, lambda process: process.send_signal(signal.SIGINT))

    assert said.strip() == f"ullage: stopped by Ctrl-C: {folder} is as it was before"
    assert names(tmp_path) == ["a.ledger", "slow.ledger", *(["tables"] if before else [])]
    assert not before or len(rows(folder, "result")) == 2


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a process is not killed there")
def test_a_killed_export_leaves_nothing_that_looks_whole(
    slow: Path, place: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "tables"
    stopped(slow, folder, lambda process: process.kill())

    assert not folder.exists()
    (left,) = tmp_path.glob(".tables.*.part")
    assert left.stat().st_mode & 0o077 == 0

    run(place, "--output", folder)
    assert len(rows(folder, "result")) == 2
