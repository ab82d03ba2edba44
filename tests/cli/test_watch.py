"""`ullage watch`: one frame, and the live view in a terminal of its own."""

import json
import os
import re
import select
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from ullage import Ledger
from ullage.checks.live import Watching
from ullage.cli.watch import read
from ullage.ledger.records import ExchangeRecord

if sys.platform == "win32":
    pytest.skip("a terminal of its own needs a pseudo-terminal", allow_module_level=True)

import fcntl
import pty
import struct
import termios

WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from test_watch import record
from ullage import Ledger
from ullage.checks.live import Watching
from ullage.cli.watch import read
with Ledger(Path(sys.argv[1])) as ledger:
    for number in range(int(sys.argv[2])):
        ledger.add_exchange(record(run="busy"))
        if number == 20:
            print("going", flush=True)
"""
PATIENCE = 60.0


def record(run: str = "monday", **changes: Any) -> ExchangeRecord:
    now = time.time()
    body = {"model": "gpt-4o", "messages": [{"role": "user", "content": "hello"}]}
    reply = {
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"content": "a"}}],
        "usage": {"prompt_tokens": 64_000, "completion_tokens": 1},
    }
    fields = {
        "run": run,
        "method": "POST",
        "path": "/v1/chat/completions",
        "upstream": "http://127.0.0.1:9",
        "request_headers": [],
        "request_body": json.dumps(body).encode(),
        "status": 200,
        "response_headers": [("content-type", "application/json")],
        "response_body": json.dumps(reply).encode(),
        "started": now,
        "first_byte": now,
        "ended": now,
        **changes,
    }
    return ExchangeRecord(**fields)


def watch(*words: str | Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "ullage", "watch", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "a.ledger"


def write(place: Path, *records: ExchangeRecord) -> None:
    with Ledger(place) as ledger:
        for one in records:
            ledger.add_exchange(one)


def test_where_the_output_is_no_terminal_one_plain_frame_is_printed(place: Path) -> None:
    write(place, record(), record())
    done = watch(place)

    assert (done.returncode, done.stderr) == (0, "")
    assert f"{place} · run monday · " in done.stdout
    assert "2 requests · 2 in the last minute · 0 failed" in done.stdout
    assert "64000 of 128000" in done.stdout
    assert "\x1b" not in done.stdout


def test_one_frame_is_printed_while_another_process_writes(place: Path) -> None:
    code = WRITER.format(tests=str(Path(__file__).parent))
    writer = subprocess.Popen(
        [sys.executable, "-c", code, str(place), "300"], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "going\n"
    done = watch(place, "--once")
    writer.stdout.close()

    assert writer.wait(PATIENCE) == 0
    assert done.returncode == 0, done.stderr
    assert " requests · " in done.stdout
    with Ledger.read(place) as ledger:
        assert (ledger.stats().exchanges, ledger.faults()) == (300, 0)


def test_the_document_names_its_schema_first(place: Path) -> None:
    write(place, record())
    document = json.loads(watch(place, "--once", "--format", "json").stdout)

    assert next(iter(document.items())) == ("schema", "ullage.watch/1")
    assert document["requests"]["all"] == 1
    assert document["window"][0]["share"] == 0.5


def test_one_frame_is_whole_however_slow_the_machine_is(place: Path) -> None:
    write(place, *(record() for _ in range(5)))
    seconds = count()
    with Ledger.read(place) as ledger:
        watching = Watching(ledger, run=None, since="all", timer=lambda: 0.0)
        view = read(watching, time.time(), lambda: float(next(seconds)))

    assert (view.requests.all, view.reading) == (5, False)


def test_one_frame_of_a_ledger_that_is_not_there_is_an_error(place: Path) -> None:
    done = watch(place, "--once")

    assert done.returncode == 3
    assert f"cannot open {place}" in done.stderr


def test_one_frame_of_a_run_that_is_not_there_is_an_error(place: Path) -> None:
    write(place, record())
    done = watch(place, "--run", "tuesday")

    assert done.returncode == 3
    assert "has no run 'tuesday'" in done.stderr


def test_a_ledger_of_a_newer_schema_is_refused(place: Path) -> None:
    write(place, record())
    with sqlite3.connect(place) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    done = watch(place)

    assert done.returncode == 3
    assert "upgrade ullage" in done.stderr


@dataclass
class Terminal:
    """`ullage watch` in a terminal of its own, and all that it has drawn."""

    main: int
    side: int
    before: list[Any]
    process: "subprocess.Popen[bytes]"
    drawn: str = ""
    raw: bytes = field(default=b"")

    def read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.main], [], [], seconds)
        if not ready:
            return False
        self.raw += os.read(self.main, 65536)
        self.drawn = self.raw.decode("utf-8", "replace")
        return True

    def until(self, there: Callable[[str], bool]) -> str:
        end = time.monotonic() + PATIENCE
        while not there(self.drawn):
            assert time.monotonic() < end, self.drawn
            self.read(0.1)
        return self.drawn

    def press(self, keys: bytes) -> None:
        os.write(self.main, keys)

    def end(self) -> int:
        """Wait for the end, and return the exit code."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, self.drawn
            self.read(0.1)
        while self.read(0.1):
            pass
        return self.process.returncode

    def is_sane(self) -> bool:
        """Whether the terminal is as it was, with its own screen and its cursor."""
        alone = self.drawn.rfind("\x1b[?1049l") > self.drawn.rfind("\x1b[?1049h")
        cursor = self.drawn.rfind("\x1b[?25h") > self.drawn.rfind("\x1b[?25l")
        return termios.tcgetattr(self.side) == self.before and alone and cursor

    def left(self) -> str:
        """What is on the terminal's own screen, without colours."""
        return re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", self.drawn.rpartition("\x1b[?1049l")[2])


Start = Callable[..., Terminal]


@pytest.fixture
def start(place: Path) -> Iterator[Start]:
    begun: list[Terminal] = []

    def begin(*words: str, **environment: str) -> Terminal:
        main, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        before = termios.tcgetattr(side)
        process = subprocess.Popen(
            [sys.executable, "-m", "ullage", "watch", str(place), "--interval", "0.1", *words],
            stdin=side,
            stdout=side,
            stderr=side,
            start_new_session=True,
            # So that Ctrl-C of this terminal is a signal to it.
            preexec_fn=lambda: fcntl.ioctl(side, termios.TIOCSCTTY, 0),
            env={**os.environ, "TERM": "xterm-256color", **environment},
        )
        begun.append(Terminal(main=main, side=side, before=before, process=process))
        return begun[-1]

    yield begin
    for one in begun:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait(10)
        os.close(one.main)
        os.close(one.side)


def test_the_live_view_takes_in_what_is_new_and_ends_with_q(start: Start, place: Path) -> None:
    write(place, record())
    terminal = start()
    terminal.until(lambda drawn: "1 request · " in drawn)
    write(place, record())
    terminal.until(lambda drawn: "2 requests · " in drawn)
    terminal.press(b"q")

    assert terminal.end() == 0
    assert terminal.is_sane()
    assert "2 requests · " in terminal.left()
    assert "q ends" not in terminal.left()


def test_ctrl_c_ends_it_and_leaves_the_last_frame(start: Start, place: Path) -> None:
    write(place, record())
    terminal = start()
    terminal.until(lambda drawn: "1 request · " in drawn)
    terminal.press(b"\x03")

    assert terminal.end() == 0
    assert terminal.is_sane()
    assert "1 request · " in terminal.left()
    assert "Traceback" not in terminal.drawn


def test_a_signal_to_end_leaves_the_terminal_as_it_was(start: Start, place: Path) -> None:
    write(place, record())
    terminal = start()
    terminal.until(lambda drawn: "1 request · " in drawn)
    terminal.process.send_signal(signal.SIGTERM)

    assert terminal.end() == 0
    assert terminal.is_sane()


def test_a_ledger_that_is_not_there_yet_is_waited_for(start: Start, place: Path) -> None:
    terminal = start()
    terminal.until(lambda drawn: "Waiting for" in drawn)
    write(place, record())
    terminal.until(lambda drawn: "1 request · " in drawn)
    terminal.press(b"q")

    assert terminal.end() == 0


def test_a_ledger_that_is_removed_ends_it_with_an_error(start: Start, place: Path) -> None:
    write(place, record())
    terminal = start()
    terminal.until(lambda drawn: "1 request · " in drawn)
    for one in place.parent.iterdir():
        one.unlink()

    assert terminal.end() == 3
    assert terminal.is_sane()
    assert "is gone" in terminal.left()


def test_the_arrow_keys_choose_another_finding(start: Start, place: Path) -> None:
    reply = {"choices": [{"index": 0, "finish_reason": "length", "message": {"content": "a"}}]}
    cut = record(response_body=json.dumps(reply).encode())
    torn = record(response_body=b'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n')
    write(place, cut, torn)
    terminal = start(NO_COLOR="1")
    terminal.until(lambda drawn: "Newest findings" in drawn and "q ends" in drawn)
    first = re.findall(r"> \w+ ([\w-]+)", terminal.drawn)[-1]
    terminal.press(b"\x1b[B")
    terminal.until(lambda drawn: re.findall(r"> \w+ ([\w-]+)", drawn)[-1] != first)
    terminal.press(b"q")

    assert terminal.end() == 0


def test_without_colour_nothing_is_coloured(start: Start, place: Path) -> None:
    write(place, record(status=500))
    terminal = start("--once", NO_COLOR="1")

    assert terminal.end() == 0
    assert "1 failed" in terminal.drawn
    assert not re.search(r"\x1b\[[\d;]*3\dm", terminal.drawn)
