"""The processes of a load run: started, watched through /proc (Linux), and ended."""

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextmanager
def running(
    command: Sequence[str | Path], port: int, environment: Mapping[str, str] | None = None
) -> Iterator[int]:
    """Run a server until the block is left; give its process id once it accepts."""
    process = subprocess.Popen(
        [str(word) for word in command],
        cwd=HERE,
        env={**os.environ, **(environment or {})},  # noqa: TID251 - as a shell would
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_for(port, process)
        yield process.pid
    finally:
        process.terminate()
        try:
            process.communicate(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def wait_for(port: int, process: "subprocess.Popen[str]", seconds: float = 40) -> None:
    """Return when somebody listens; else say what the process said."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 0.5).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    process.kill()
    sys.exit(f"did not start: {process.args}\n{process.communicate()[1]}")


def cpu_seconds(pid: int) -> float:
    """Return the processor time that all threads of a process have used."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def megabytes(pid: int, name: str = "VmRSS") -> float:
    """Return the resident memory of a process, or (VmHWM) its peak."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").split("\n"):
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024 / 1e6
    raise ValueError(f"no {name} of process {pid}")


def get(port: int, path: str) -> str:
    """Return one page of a proxy."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    return connection.getresponse().read().decode()
