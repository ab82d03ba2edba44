"""Real MCP servers and a real client: with the tap and without it, the same conversation."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from ullage.ledger.records import StoredResult
from ullage.ledger.store import Ledger

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
BIN = Path(sys.executable).parent
ROWS = [sys.executable, str(HERE.parents[2] / "examples" / "coding_cli" / "rows_server.py")]
CALLS: list[tuple[str, dict[str, object]]] = [
    ("listing", {"count": 255}),
    ("structured", {"count": 3}),
    ("parts", {}),
    ("picture", {}),
    ("fails", {}),
    ("no-such-tool", {}),
]


def talk(
    calls: Sequence[tuple[str, dict[str, object]]],
    command: Sequence[str],
    *,
    env: dict[str, str] | None = None,
    cwd: Path | None = None,
) -> Any:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ULLAGE_")}
    done = subprocess.run(
        [sys.executable, str(HERE / "talk.py"), json.dumps(calls), *command],
        capture_output=True,
        text=True,
        timeout=90,
        env={**clean, **(env or {})},
        cwd=cwd,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def tee(folder: Path) -> list[str]:
    folder.mkdir()
    return [sys.executable, str(HERE / "tee.py"), str(folder)]


def tap(ledger: Path, *options: str) -> list[str]:
    return [str(BIN / "ullage"), "tap", "--ledger", str(ledger), *options, "--"]


def recorded(ledger: Path, run: str | None = None) -> list[StoredResult]:
    with Ledger.read(ledger) as opened:
        return list(opened.results(run))


def kept(folder: Path) -> tuple[bytes, bytes]:
    return (folder / "to-server").read_bytes(), (folder / "to-client").read_bytes()


def repository(folder: Path) -> Path:
    """A small repository whose commits are the same at any time."""
    folder.mkdir()
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    for who in ("AUTHOR", "COMMITTER"):
        env |= {
            f"GIT_{who}_NAME": "n",
            f"GIT_{who}_EMAIL": "e@x.test",
            f"GIT_{who}_DATE": "2026-01-02T03:04:05Z",
        }
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=folder, check=True, env=env)
    for number in range(30):
        (folder / "rows.txt").write_text("\n".join(f"row {n}" for n in range(number * 9)))
        subprocess.run(["git", "add", "."], cwd=folder, check=True, env=env)
        words = ["git", "commit", "-q", "-m", f"commit {number}"]
        subprocess.run(words, cwd=folder, check=True, env=env)
    return folder


@pytest.mark.parametrize("server", ["rows", "git"])
def test_the_conversation_is_the_same_byte_for_byte(server: str, tmp_path: Path) -> None:
    if server == "rows":
        command, calls = ROWS, CALLS
    else:
        where = {"repo_path": str(repository(tmp_path / "repo"))}
        command = [str(BIN / "mcp-server-git"), "--repository", where["repo_path"]]
        calls = [
            ("git_log", {**where, "max_count": 30}),
            ("git_show", {**where, "revision": "HEAD"}),
            ("git_status", dict(where)),
        ]
    alone, _ = talk(calls, [*tee(tmp_path / "alone"), *command])

    ledger = tmp_path / "a.ledger"
    tapped, said = talk(
        calls, [*tee(tmp_path / "outside"), *tap(ledger), *tee(tmp_path / "inside"), *command]
    )

    assert tapped == alone
    assert kept(tmp_path / "outside") == kept(tmp_path / "inside") == kept(tmp_path / "alone")
    assert "ullage tap:" not in said
    assert [one.tool for one in recorded(ledger)] == [name for name, _ in calls]


def test_every_result_is_recorded_as_the_model_will_see_it(tmp_path: Path) -> None:
    ledger = tmp_path / "a.ledger"
    given, _ = talk(CALLS, [*tap(ledger, "--run", "r1", "--name", "rows"), *ROWS])

    results = recorded(ledger, "r1")
    assert [one.tool for one in results] == [f"mcp__rows__{name}" for name, _ in CALLS]
    assert [json.loads(one.arguments) for one in results] == [one for _, one in CALLS]
    texts = [one.text for one in results]
    assert texts[0] == given[1]["content"][0]["text"]
    assert texts[2:] == [
        "first\nsecond",
        "[image: image/png, 300 bytes]",
        "Error executing tool fails: no such order: 17",
        given[6]["content"][0]["text"],
    ]


def test_a_result_of_ten_megabytes_arrives_and_is_recorded(tmp_path: Path) -> None:
    ledger = tmp_path / "a.ledger"
    given, _ = talk([("listing", {"count": 330_000})], [*tap(ledger), *ROWS])

    (one,) = recorded(ledger)
    assert one.chars > 10_000_000
    assert one.text == given[1]["content"][0]["text"]


def test_a_server_started_with_a_bare_environment_joins_the_run_above_it(tmp_path: Path) -> None:
    # The real client starts servers with a handful of variables only.
    ledger = tmp_path / "joined.ledger"
    env = {"ULLAGE_LEDGER": "joined.ledger", "ULLAGE_RUN": "above"}

    talk([("parts", {})], [str(BIN / "ullage"), "tap", "--", *ROWS], env=env, cwd=tmp_path)

    assert [one.text for one in recorded(ledger, "above")] == ["first\nsecond"]


def test_a_ledger_that_cannot_be_opened_is_said_and_disturbs_nothing(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    foreign.write_text("no ledger, and longer than the head of a database" * 9, encoding="utf-8")
    calls: list[tuple[str, dict[str, object]]] = [("parts", {}), ("parts", {})]

    alone, _ = talk(calls, ROWS)
    tapped, said = talk(calls, [*tap(foreign), *ROWS])

    assert tapped == alone
    assert said.count("a result was not recorded: LedgerError") == 1
    assert "a result was not recorded: 2 in all" in said


@contextmanager
def started(command: Sequence[str], **options: Any) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(command, text=True, **options)
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=30)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def until_it_listens(port: int) -> None:
    for _ in range(300):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.1)
    pytest.fail(f"nothing listens on {port}")


@pytest.mark.parametrize("replies", ["json", "events"])
def test_results_over_http_are_recorded_by_the_proxy(replies: str, tmp_path: Path) -> None:
    port, ledger = free_port(), tmp_path / "a.ledger"
    calls = CALLS[:3]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    words = ["--upstream", f"http://127.0.0.1:{port}", "--ledger", str(ledger)]
    with started([*ROWS, str(port), replies], **quiet):
        until_it_listens(port)
        with started([str(BIN / "ullage"), "proxy", *words], stderr=subprocess.PIPE) as proxy:
            assert proxy.stderr is not None
            url = proxy.stderr.readline().split()[-1]
            given = []
            for base in (f"http://127.0.0.1:{port}", f"{url}/run/r1"):
                done = subprocess.run(
                    [sys.executable, str(HERE / "talk_http.py"), json.dumps(calls), f"{base}/mcp"],
                    capture_output=True,
                    text=True,
                    timeout=60,
                )
                assert done.returncode == 0, done.stderr
                given.append(json.loads(done.stdout))

    assert given[0] == given[1]
    assert [one.tool for one in recorded(ledger, "r1")] == [name for name, _ in calls]
    assert recorded(ledger, "r1")[0].text == given[0][0]["content"][0]["text"]
