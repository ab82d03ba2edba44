"""`ullage tap`: whole commands."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ullage.ledger.store import Ledger
from ullage.tap.environment import settings_of_ancestors

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list"}}
ANSWER = {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "rows"}]}}
ANSWERS = f"read line; echo '{json.dumps(ANSWER)}'"


def tap(
    folder: Path, *words: str, said: bytes = b"", **env: str
) -> "subprocess.CompletedProcess[bytes]":
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ULLAGE_")}
    return subprocess.run(
        [sys.executable, "-m", "ullage", "tap", *words],
        cwd=folder,
        env={**clean, **env},
        input=said,
        capture_output=True,
        timeout=60,
    )


def texts(ledger: Path, run: str) -> list[tuple[str, str]]:
    with Ledger.read(ledger) as opened:
        return [(one.tool, one.text) for one in opened.results(run)]


def test_a_result_is_recorded_and_only_the_server_is_heard(tmp_path: Path) -> None:
    words = ["--ledger", "a.ledger", "--run", "r1", "--name", "s", "--", "sh", "-c"]
    said = json.dumps(CALL).encode() + b"\n"

    done = tap(tmp_path, *words, f"echo log >&2; {ANSWERS}", said=said)

    assert (done.returncode, done.stderr) == (0, b"log\n")
    assert json.loads(done.stdout) == ANSWER
    assert texts(tmp_path / "a.ledger", "r1") == [("mcp__s__list", "rows")]


def test_bytes_that_are_no_messages_at_all_pass_unchanged(tmp_path: Path) -> None:
    data = random.Random(5).randbytes(3_000_000)

    done = tap(tmp_path, "--", "sh", "-c", "cat; cat /bin/sh", said=data)

    assert done.stdout == data + Path("/bin/sh").read_bytes()
    assert list(tmp_path.iterdir()) == []


def test_the_environment_says_where(tmp_path: Path) -> None:
    env = {"ULLAGE_LEDGER": str(tmp_path / "e.ledger"), "ULLAGE_RUN": "r2"}

    tap(tmp_path, "--", "sh", "-c", ANSWERS, said=json.dumps(CALL).encode() + b"\n", **env)

    assert texts(tmp_path / "e.ledger", "r2") == [("list", "rows")]


def test_a_server_that_is_never_called_leaves_no_file(tmp_path: Path) -> None:
    tap(tmp_path, "--", "true")

    assert list(tmp_path.iterdir()) == []


def test_a_fake_secret_in_a_result_passes_and_is_not_kept(tmp_path: Path) -> None:
    secret = "sk-" + "ant-" + "w4" * 20
    answer = json.dumps(ANSWER).replace("rows", f"the key is {secret}")

    done = tap(
        tmp_path,
        *("--ledger", "a.ledger", "--", "sh", "-c", f"read line; echo '{answer}'"),
        said=json.dumps(CALL).encode() + b"\n",
    )

    assert secret.encode() in done.stdout
    files = [path.read_bytes() for path in tmp_path.glob("a.ledger*")]
    assert files
    assert not any(secret.encode() in content for content in files)
    ((_, text),) = texts(tmp_path / "a.ledger", "default")
    assert secret not in text


@pytest.mark.parametrize("code", [0, 1, 7, 255])
def test_the_exit_code_is_the_servers(tmp_path: Path, code: int) -> None:
    assert tap(tmp_path, "--", "sh", "-c", f"exit {code}").returncode == code


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGABRT])
def test_a_server_that_a_signal_ended_looks_so_from_outside(
    tmp_path: Path, number: signal.Signals
) -> None:
    done = tap(tmp_path, "--", "sh", "-c", f"kill -{int(number)} $$")

    assert done.returncode == -number


def test_a_server_that_cannot_be_started_is_said_in_one_line(tmp_path: Path) -> None:
    done = tap(tmp_path, "--", "no-such-server")

    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr == (
        b"ullage: tap: cannot start 'no-such-server': No such file or directory; check the command "
        b"after --\n"
    )


def test_no_command_is_wrong_usage(tmp_path: Path) -> None:
    assert tap(tmp_path, "--").returncode == 2


def test_nobody_who_reads_stderr_is_no_reason_to_stop(tmp_path: Path) -> None:
    line = json.dumps(CALL).encode() + b"\n"
    words = [
        sys.executable,
        "-m",
        "ullage",
        "tap",
        "--ledger",
        "no/such/folder/x",
        "--",
        "sh",
        "-c",
    ]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*words, ANSWERS],
        input=line,
        stdout=subprocess.PIPE,
        stderr=write,
        cwd=tmp_path,
        timeout=60,
    )
    os.close(write)

    assert done.returncode == 0
    assert json.loads(done.stdout) == ANSWER


def process(folder: Path, number: int, parent: int, **env: str) -> None:
    place = folder / str(number)
    place.mkdir()
    (place / "environ").write_bytes(b"\0".join(f"{k}={v}".encode() for k, v in env.items()))
    (place / "stat").write_text(f"{number} (a name) with (brackets)) S {parent} 1 1 0\n")
    (place / "cwd").symlink_to("/there")


def test_the_nearest_process_above_that_records_says_where(tmp_path: Path) -> None:
    process(tmp_path, os.getppid(), 77, PATH="x")
    process(tmp_path, 77, 78, ULLAGE_LEDGER="a.ledger", ULLAGE_RUN="near")
    process(tmp_path, 78, 0, ULLAGE_LEDGER="/b.ledger", ULLAGE_RUN="far")

    found = settings_of_ancestors(tmp_path)

    assert found is not None
    assert (str(found.ledger), found.run) == ("/there/a.ledger", "near")


def test_where_no_process_above_records_nothing_is_found(tmp_path: Path) -> None:
    process(tmp_path, os.getppid(), 0, PATH="x")

    assert settings_of_ancestors(tmp_path) is None
    assert settings_of_ancestors(tmp_path / "no-such-folder") is None
