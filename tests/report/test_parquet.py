"""Ledgers and replays as Parquet, read back by another program's reader."""

import base64
import json
import sqlite3
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.policies.recordings import in_ledger, in_lines, rows

from ullage import Ledger, replay
from ullage.errors import LoadError
from ullage.ledger.entries import CONTENTS, Entry, entries
from ullage.ledger.lines import COLUMNS, to_line
from ullage.report.ledger_parquet import row_of, schema_of, write_tables
from ullage.report.parquet_file import GROUP_ROWS, Writer, written_whole
from ullage.report.replay_parquet import write_parquet
from ullage.report.replay_rows import Row, rows_of


def ullage(
    *words: str, folder: Path, code: str = "-m ullage"
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *code.split(" ", 1), *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return in_ledger(tmp_path_factory.mktemp("parquet") / "agent.ledger", rows(2, 2))


def read(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return found


def test_a_file_for_each_table_has_what_the_lines_have(ledger: Path, tmp_path: Path) -> None:
    done = ullage(
        "ledger", "export", str(ledger), "--format", "parquet", "--output", "out", folder=tmp_path
    )
    assert done.returncode == 0, done.stderr
    with Ledger.read(ledger) as opened:
        lines = [json.loads(to_line(one)) for one in entries(opened.session, opened.scrubber)]

    assert {one.name for one in (tmp_path / "out").iterdir()} == {f"{n}.parquet" for n in CONTENTS}
    written = read(tmp_path / "out" / "result.parquet")
    assert len(written) == len(lines) > 0
    for row, line in zip(written, lines, strict=True):
        assert row["at"] == datetime.fromtimestamp(line["at"], UTC)
        assert {name: row[name] for name in COLUMNS["result"] if name != "at"} == {
            name: line[name] for name in COLUMNS["result"] if name != "at"
        }


def test_a_table_without_rows_has_its_columns(ledger: Path, tmp_path: Path) -> None:
    with Ledger.read(ledger) as opened:
        write_tables(entries(opened.session, opened.scrubber), tmp_path)
    empty = pq.read_table(tmp_path / "finding.parquet")

    assert empty.num_rows == 0
    assert set(COLUMNS["finding"]) < set(empty.column_names)


def test_a_file_says_what_wrote_it(ledger: Path, tmp_path: Path) -> None:
    with Ledger.read(ledger) as opened:
        write_tables(entries(opened.session, opened.scrubber), tmp_path)
    about = pq.read_schema(tmp_path / "result.parquet").metadata

    assert about[b"ullage.schema"] == b"ullage.export/1 result"
    assert about[b"ullage.version"]


@given(
    st.text(st.characters(exclude_categories=["Cs"]))
    | st.sampled_from(["\0", "🙂" * 9, "", "é\n"]),
    st.binary(),
)
def test_every_text_and_every_byte_comes_back(
    tmp_path_factory: pytest.TempPathFactory, name: str, content: bytes
) -> None:
    row = {one: None for one in COLUMNS["result"]} | {"number": 1, "tool": name, "at": 0.5}
    row |= {"text": content, "arguments": name.encode()}
    folder = tmp_path_factory.mktemp("any")
    write_tables([Entry(table="result", row=row)], folder)
    (found,) = read(folder / "result.parquet")

    assert (found["tool"], found["arguments"]) == (name, name)
    text, coded = found["text"], found["text_base64"]
    assert (text.encode() if coded is None else base64.b64decode(coded)) == content
    assert (text is None) is (coded is not None)


def test_no_table_has_a_column_that_is_not_written() -> None:
    for table in CONTENTS:
        row: dict[str, object] = {name: b"" for name in COLUMNS[table]}
        assert row_of(Entry(table=table, row=row)).keys() >= COLUMNS[table].keys()
        assert schema_of(table).keys() >= COLUMNS[table].keys()


def test_an_export_that_fails_leaves_no_file(tmp_path: Path) -> None:
    def failing() -> Iterator[Entry]:
        yield Entry(table="fault", row={"number": 1, "run": "a", "what": "w", "at": 1.0})
        raise sqlite3.DatabaseError("damaged")

    with pytest.raises(sqlite3.DatabaseError):
        write_tables(failing(), tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_an_export_that_fails_leaves_the_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "one.parquet"
    for value, stops in ((1, False), (2, True)):
        try:
            with written_whole([path]) as (part,):
                writer = Writer(part, {"n": "whole"}, "test/1")
                writer.add({"n": value})
                writer.close()
                if stops:
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            pass

    assert read(path) == [{"n": 1}]
    assert [one.name for one in tmp_path.iterdir()] == ["one.parquet"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file", encoding="utf-8")

    with pytest.raises(LoadError, match="taken"):
        write_tables([], tmp_path / "taken")


def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    """Two groups of rows take no more than one and a bit."""

    def peak(groups: int) -> int:
        writer = Writer(tmp_path / "many.parquet", {"text": "text"}, "test/1")
        tracemalloc.start()
        for number in range(groups * GROUP_ROWS):
            writer.add({"text": f"row {number} " * 10})
        writer.close()
        _, found = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return found

    one = peak(1)
    assert peak(4) < 1.5 * one
    assert pq.ParquetFile(tmp_path / "many.parquet").num_row_groups == 4


def test_a_replay_has_the_rows_of_its_csv(tmp_path: Path) -> None:
    path = in_lines(tmp_path / "results.jsonl", rows(2, 2))
    found = replay(path, policies=["prefix:6000", "records:6000"], workers=1, tokens=False)
    write_parquet(found, tmp_path / "replay.parquet")

    assert [Row(**row) for row in read(tmp_path / "replay.parquet")] == list(rows_of(found))


def test_a_replay_as_parquet_asks_for_a_file_before_the_work(tmp_path: Path) -> None:
    in_lines(tmp_path / "results.jsonl", rows(1, 1))
    done = ullage("replay", "results.jsonl", "--format", "parquet", folder=tmp_path)

    assert done.returncode == 2
    assert "needs --output FILE" in done.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["results.jsonl"]


@pytest.mark.parametrize(
    "words",
    [
        ("replay", "results.jsonl", "--format", "parquet", "--output", "r.parquet"),
        ("ledger", "export", "agent.ledger", "--format", "parquet", "--output", "out"),
    ],
)
def test_without_pyarrow_it_says_what_to_install(words: tuple[str, ...], tmp_path: Path) -> None:
    in_lines(tmp_path / "results.jsonl", rows(1, 1))
    in_ledger(tmp_path / "agent.ledger", rows(1, 1))
    hidden = "import sys; sys.modules['pyarrow'] = None; from ullage.cli.main import main; main()"
    done = ullage(*words, folder=tmp_path, code=f"-c {hidden}")

    assert done.returncode == 3
    assert "pip install 'ullage[parquet]'" in done.stderr


def test_the_folder_belongs_to_parquet_alone(ledger: Path, tmp_path: Path) -> None:
    done = ullage("ledger", "export", str(ledger), "--output", "out", folder=tmp_path)

    assert done.returncode == 2
    assert "--format parquet and --output FOLDER belong together" in done.stderr
