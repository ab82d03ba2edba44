"""A replay on a Dask cluster: a scheduler and workers, started by their own commands."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.policies.recordings import in_lines, rows

from ullage import UllageError, replay
from ullage.cli.cluster import on_cluster
from ullage.cli.main import main

pytest.importorskip("distributed")
BIN = Path(sys.executable).parent
pytestmark = pytest.mark.slow
PATIENCE = 60


def started(folder: Path, *words: str) -> "subprocess.Popen[bytes]":
    """Start a command whose words go to a file of its own."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with (folder / f"{words[0]}-{time.monotonic_ns()}.log").open("wb") as log:
        return subprocess.Popen(
            [str(BIN / "dask"), *words], cwd=folder, stdout=log, stderr=log, env=environment
        )


def worker(folder: Path, address: str) -> "subprocess.Popen[bytes]":
    """Start a worker of one thread, without a nanny that would start it anew."""
    words = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder)]
    return started(folder, "worker", address, *words)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A scheduler, ended with its workers."""
    scheduler = started(
        tmp_path, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"
    )
    try:
        yield known(tmp_path)
    finally:
        scheduler.terminate()
        scheduler.wait(PATIENCE)


def known(folder: Path) -> str:
    """Wait for the address that a scheduler prints."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for log in folder.glob("scheduler-*.log"):
            found = re.search(r"Scheduler at:\s+(tcp://\S+)", log.read_text(errors="replace"))
            if found:
                return found[1]
        time.sleep(0.1)
    raise AssertionError("the scheduler has not started")


def wait_for(address: str, workers: int) -> None:
    """Wait until so many workers are there."""
    from distributed import Client

    with Client(address) as client:
        client.wait_for_workers(workers, timeout=PATIENCE)


def test_a_worker_that_is_killed_in_the_middle_changes_nothing(
    address: str, tmp_path: Path
) -> None:
    path = in_lines(tmp_path / "results.jsonl", rows(4, 8))
    both = [worker(tmp_path, address) for _ in range(2)]
    wait_for(address, 2)

    def kill_one(done: int, _all: int) -> None:
        if done == 4:
            both[0].send_signal(signal.SIGKILL)

    try:
        with on_cluster(address) as executor:
            found = replay(path, shard=4, executor=executor, progress=kill_one)
        assert both[0].wait(PATIENCE) == -signal.SIGKILL
    finally:
        for one in both:
            one.kill()
            one.wait(PATIENCE)

    assert json.dumps(found.to_dict()) == json.dumps(replay(path, workers=1).to_dict())


def test_a_cluster_without_a_worker_is_said(address: str) -> None:
    with pytest.raises(UllageError, match="has no worker"), on_cluster(address):
        pass


def test_an_address_without_a_scheduler_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ullage.cli.cluster.PATIENCE", "1s")
    monkeypatch.chdir(tmp_path)
    path = in_lines(tmp_path / "results.jsonl", rows(1, 1))

    with pytest.raises(SystemExit) as ended:
        main(["replay", str(path), "--cluster", "tcp://127.0.0.1:9"])

    assert ended.value.code == 3
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:9'" in capsys.readouterr().err
