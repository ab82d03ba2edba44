"""Several processes, killed ones among them, write one ledger."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from ullage.ledger.store import Ledger

pytestmark = pytest.mark.slow

WRITER = """
import sys
from ullage.ledger.records import ProducedRecord
from ullage.ledger.store import Ledger

path, run, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Ledger(path) as ledger:
    for number in range(count):
        ledger.add_produced(ProducedRecord(
            run=run, tool="t", kind="tool", arguments="{}", at=float(number),
            text=f"{run} {number} " + "row " * (number % 50 * 100),
        ))
        print(number, flush=True)
"""


def start(place: Path, run: str, count: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(place), run, str(count)],
        stdout=subprocess.PIPE,
        text=True,
    )


def numbers(place: Path, run: str) -> list[int]:
    with Ledger.read(place) as ledger:
        return [int(result.text.split(" ", 2)[1]) for result in ledger.results(run)]


def test_processes_that_create_and_write_one_file_at_once_lose_nothing(place: Path) -> None:
    writers = {run: start(place, run, 150) for run in ("a", "b", "c")}
    for run, writer in writers.items():
        writer.communicate(timeout=100)
        assert writer.returncode == 0, run

    for run in writers:
        assert numbers(place, run) == list(range(150))
    with Ledger.read(place) as ledger:
        assert ledger.verify().whole
        assert ledger.faults() == 0
    assert [file.name for file in place.parent.iterdir()] == [place.name]


@pytest.mark.parametrize("wait", [0.0, 0.003, 0.01, 0.05])
def test_a_killed_writer_leaves_a_whole_ledger_with_all_it_acknowledged(
    place: Path, wait: float
) -> None:
    other = Ledger(place)
    for turn in range(6):
        run = f"turn-{turn}"
        writer = start(place, run, 100_000)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(wait + turn / 700)
        writer.kill()
        acknowledged = writer.stdout.read().split("\n")[:-1]
        writer.stdout.close()
        writer.wait()

        with Ledger.read(place) as ledger:
            assert ledger.verify().whole
        kept = numbers(place, run)
        assert kept == list(range(len(kept)))
        # The one that was being written may have been committed and not yet acknowledged.
        assert len(kept) - 1 - len(acknowledged) in {0, 1}
    other.close()


def test_a_writer_killed_while_it_starts_leaves_a_whole_ledger_or_none(tmp_path: Path) -> None:
    for turn in range(10):
        place = tmp_path / f"{turn}.ledger"
        writer = start(place, "r", 1)
        deadline = time.monotonic() + 20
        while not list(tmp_path.glob(f"*{turn}.ledger*")) and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(turn / 1000)
        writer.kill()
        writer.communicate()

        if place.exists():
            with Ledger.read(place) as ledger:
                assert ledger.verify().whole
        with Ledger(place) as ledger:
            assert ledger.verify().whole


def test_a_reader_beside_a_writing_process_sees_whole_records_only(place: Path) -> None:
    Ledger(place).close()
    writer = start(place, "a", 200)
    seen: list[int] = []
    with Ledger.read(place) as reader:
        while writer.poll() is None:
            found = [int(result.text.split(" ", 2)[1]) for result in reader.results("a")]
            assert found == list(range(len(found)))
            assert reader.verify().lines() == []
            seen.append(len(found))
        writer.communicate()

        assert writer.returncode == 0
        assert seen == sorted(seen)
        assert len(list(reader.results("a"))) == 200
    assert any(0 < count < 200 for count in seen)
