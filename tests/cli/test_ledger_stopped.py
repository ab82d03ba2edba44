"""Long work on a ledger that is ended by hand: what was done stays, and is said."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ullage import Ledger
from ullage.ledger.records import ProducedRecord

if sys.platform == "win32":
    pytest.skip("SIGINT cannot be sent to one process there", allow_module_level=True)

INTERRUPTED = 130


def begin(*words: str | Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "ullage", "ledger", *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,  # else a line that is read takes more out of the pipe, which nobody sees again
    )


def held(place: Path) -> int:
    if not place.exists():
        return 0
    with Ledger.read(place) as ledger:
        return ledger.stats().tool_results


def test_an_import_that_is_stopped_keeps_what_it_had_and_says_how_much(tmp_path: Path) -> None:
    place = tmp_path / "a.ledger"
    process = begin("import", "-", "--ledger", place)
    assert process.stdin is not None
    for number in range(3):
        process.stdin.write(json.dumps({"order": number}).encode() + b"\n")
    process.stdin.flush()
    end = time.monotonic() + 60
    while held(place) < 3 and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=60)

    assert process.returncode == INTERRUPTED
    assert words.decode().strip() == f"ullage: stopped by Ctrl-C: 3 records imported into {place}"
    assert held(place) == 3


def test_an_export_that_is_stopped_has_written_whole_lines(tmp_path: Path) -> None:
    place = tmp_path / "a.ledger"
    with Ledger(place) as ledger:
        for number in range(400):
            ledger.add_produced(
                ProducedRecord(
                    run="r",
                    tool="t",
                    kind="tool",
                    arguments="{}",
                    text=f"{number} " * 300,
                    at=1.0,
                )
            )
    process = begin("export", place)
    assert process.stdout is not None
    first = process.stdout.readline()  # then the pipe fills, and the export waits for us
    process.send_signal(signal.SIGINT)
    rest, words = process.communicate(timeout=60)
    lines = (first + rest).splitlines(keepends=True)

    assert process.returncode == INTERRUPTED
    assert b"of 400 lines were written" in words
    assert 0 < len(lines) < 400
    assert all(line.endswith(b"\n") and json.loads(line) for line in lines)
