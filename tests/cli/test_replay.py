"""`ullage replay` as a user runs it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.policies.recordings import Row, in_ledger, in_lines, rows


def ullage(*words: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "ullage", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_the_document_names_its_schema_and_has_the_members_of_the_contract(tmp_path: Path) -> None:
    in_lines(tmp_path / "results.jsonl", rows(2, 2))
    done = ullage("replay", "results.jsonl", "--format", "json", folder=tmp_path)

    found = json.loads(done.stdout)
    assert next(iter(found)) == "schema"
    assert found["schema"] == "ullage.replay/1"
    for policy, name in zip(found["policies"], ("prefix:6000", "records:6000"), strict=True):
        assert policy["name"] == name
        assert policy["budget"] == {"limit": 6000, "unit": "chars"}
        assert {"results", "over_budget", "broken", "lost_records"} <= policy.keys()
        assert {"by_field", "by_part", "by_position"} == policy["arrival"].keys()
    assert done.stderr == ""
    assert sorted(one.name for one in tmp_path.iterdir()) == ["results.jsonl"]


def test_words_for_people_say_what_is_broken_and_what_arrives(tmp_path: Path) -> None:
    in_ledger(tmp_path / "ullage.ledger", rows(2, 2))
    done = ullage("replay", "ullage.ledger", "--no-tokens", folder=tmp_path)

    assert done.returncode == 0, done.stderr
    assert "12 results as the tool produced it, 0 only as it was delivered" in done.stdout
    assert "4 of 4 JSON" in done.stdout  # of those that were cut; 8 are JSON
    assert "$.late_list" in done.stdout
    assert "tokens" not in done.stdout


def test_results_that_are_known_only_as_delivered_are_named_so(tmp_path: Path) -> None:
    in_lines(tmp_path / "given.jsonl", rows(1, 1), known="delivered")
    done = ullage("replay", "given.jsonl", folder=tmp_path)

    assert "0 results as the tool produced it, 3 only as it was delivered" in done.stdout
    assert "What was lost before is not in these figures" in done.stdout


def test_a_file_takes_the_document(tmp_path: Path) -> None:
    in_lines(tmp_path / "results.jsonl", rows(1, 1))
    done = ullage(
        *("replay", "results.jsonl", "--format", "json", "--output", "out.json"), folder=tmp_path
    )

    assert done.stdout == ""
    assert json.loads((tmp_path / "out.json").read_text())["schema"] == "ullage.replay/1"


def test_parquet_has_a_row_a_measure_and_says_how_many(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    in_lines(tmp_path / "results.jsonl", rows(2, 1))
    done = ullage(
        *("replay", "results.jsonl", "--format", "parquet", "--output", "out.parquet"),
        folder=tmp_path,
    )

    table = pq.read_table(tmp_path / "out.parquet")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"ullage replay: {table.num_rows} rows in out.parquet\n"
    assert table.schema.metadata[b"ullage.sources"] == b'["results.jsonl"]'
    assert set(table.column("policy").to_pylist()) == {"prefix:6000", "records:6000"}
    assert sorted(one.name for one in tmp_path.iterdir()) == ["out.parquet", "results.jsonl"]


def test_parquet_without_a_file_to_write_is_refused_before_any_work(tmp_path: Path) -> None:
    in_lines(tmp_path / "results.jsonl", rows(1, 1))
    done = ullage("replay", "results.jsonl", "--format", "parquet", folder=tmp_path)

    assert done.returncode == 2
    assert "--format parquet needs --output FILE" in done.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["results.jsonl"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("replay",), 2, "Missing argument"),
        (("replay", "none.ledger"), 2, "does not exist"),
        (("replay", "results.jsonl", "--policy", "prefix"), 2, "needs NAME:BUDGET"),
        (("replay", "empty"), 3, "no results are in there"),
        (("replay", "broken.jsonl"), 3, "no recorded result"),
    ],
)
def test_what_is_wrong_is_said_with_its_exit_code(
    words: tuple[str, ...], code: int, said: str, tmp_path: Path
) -> None:
    in_lines(tmp_path / "results.jsonl", iter([Row("s", "t", "{}")]))
    (tmp_path / "empty").mkdir()
    line = json.dumps({"session": "s", "tool": "t", "produced": "{}"})
    (tmp_path / "broken.jsonl").write_text(f"{line}\n{{\n")
    done = ullage(*words, folder=tmp_path)

    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path: Path) -> None:
    in_lines(tmp_path / "results.jsonl", (Row(f"s{n // 50}", "t", "{}") for n in range(60_000)))
    words = [sys.executable, "-m", "ullage", "replay", "results.jsonl", "--format", "json"]
    child = subprocess.Popen(
        words, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    work = tmp_path / "ullage-replay.work"
    until = time.monotonic() + 60
    while not list(work.glob("shard-*.json")) and time.monotonic() < until:
        time.sleep(0.02)
    os.killpg(child.pid, signal.SIGINT)
    _, said = child.communicate(timeout=60)

    assert child.returncode == 130
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    assert list(work.glob("shard-*.json"))


@pytest.mark.parametrize(
    "line",
    [
        '{"session": "a", "tool": "t\\ud83d", "produced": "[1]"}',
        '{"session": 7, "tool": "t", "produced": "[1]"}',
        '{"session": "a", "tool": "t", "produced": [1]}',
    ],
)
def test_a_first_line_that_is_almost_a_result_is_no_file_without_results(
    line: str, tmp_path: Path
) -> None:
    (tmp_path / "results.jsonl").write_text(line + "\n", encoding="utf-8")
    done = ullage("replay", "results.jsonl", folder=tmp_path)

    assert done.returncode == 3
    assert "results.jsonl" in done.stderr
    assert "no recorded result: " in done.stderr


def test_a_reader_that_has_seen_enough_leaves_nothing_behind(tmp_path: Path) -> None:
    in_lines(tmp_path / "results.jsonl", rows(2, 2))
    command = [sys.executable, "-m", "ullage", "replay", "results.jsonl", "--no-tokens"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE) as going:
        assert going.stdout is not None
        going.stdout.close()
        going.wait(120)

    assert [one.name for one in tmp_path.iterdir()] == ["results.jsonl"]


@pytest.mark.skipif(sys.platform == "win32", reason="reads the processes of a POSIX machine")
@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_a_replay_that_is_killed(by: signal.Signals, tmp_path: Path) -> None:
    in_lines(tmp_path / "results.jsonl", rows(40, 30))
    command = [sys.executable, "-m", "ullage", "replay", "results.jsonl", "--workers", "2"]
    with subprocess.Popen([*command, "--work", str(tmp_path / "work")], cwd=tmp_path) as going:
        until(lambda: len(below(going.pid)) >= 2)
        workers = below(going.pid)
        going.send_signal(by)
        going.wait(60)
    until(lambda: not any(map(is_there, workers)))


def until(happens: Callable[[], bool]) -> None:
    for _ in range(600):
        if happens():
            return
        time.sleep(0.1)
    raise AssertionError("it did not happen within a minute")


def below(parent: int) -> list[int]:
    """Return the children of a process."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True)
    found = [line.split() for line in listed.stdout.splitlines()]
    return [int(pid) for pid, of in found if int(of) == parent]


def is_there(pid: int) -> bool:
    """Whether a process runs: one that waits to be reaped does not."""
    listed = ["ps", "-o", "stat=", "-p", str(pid)]
    state = subprocess.run(listed, capture_output=True, text=True, check=False).stdout.strip()
    return bool(state) and not state.startswith("Z")
