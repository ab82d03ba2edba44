"""Processes killed at any moment: what is lost is known.

`ULLAGE_KILLS=200` asks for that many moments in each mode in place of a few.
"""

import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ullage.ledger.store import Ledger
from ullage.ledger.writer import MOST_RECORDS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

KILLS = int(os.environ.get("ULLAGE_KILLS", "4"))
WRITER = """
import sys, time
from ullage.ledger.records import HandedOnRecord, ProducedRecord
from ullage.ledger.store import Ledger

path, durability, pause = sys.argv[1], sys.argv[2], float(sys.argv[3])
ledger = Ledger(path, durability=durability)
for number in range(1_000_000):
    made = ledger.record(ProducedRecord(
        run=f"run-{number % 3}", tool="t", kind="tool", arguments="{}", at=float(number),
        text=f"{number} " + "row " * (number % 50 * 100),
    ))
    print("p", number, flush=True)
    ledger.record(HandedOnRecord(run=f"run-{number % 3}", result=made, text=f"{number} of it"))
    print("h", number, flush=True)
    time.sleep(pause)
"""


def killed_writer(place: Path, durability: str, pause: float, moment: float) -> tuple[int, int]:
    """Let a process record until it is killed; how many of each kind had returned by then."""
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(place), durability, str(pause)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout is not None
    first = writer.stdout.readline()
    time.sleep(moment)
    writer.kill()
    lines = [first, *writer.stdout.read().split("\n")]
    writer.stdout.close()
    writer.wait()
    whole = [line for line in lines if re.fullmatch(r"[ph] \d+\n?", line)]
    return sum(line[0] == "p" for line in whole), sum(line[0] == "h" for line in whole)


def stored(ledger: Ledger) -> tuple[list[int], int]:
    results = sorted(ledger.results(), key=lambda one: one.at)
    numbers = [int(one.text.split(" ", 1)[0]) for one in results]
    return numbers, sum(one.handed_on is not None for one in results)


def moments(durability: str) -> list[tuple[float, float]]:
    """Times between a record and the next, and from the first to the kill, new ones each time."""
    rng = random.Random(os.urandom(8))
    return [(rng.choice([0.0, 0.001, 0.01]), rng.uniform(0, 0.3)) for _ in range(KILLS)]


@pytest.mark.parametrize("durability", ["sync", "durable"])
def test_a_killed_process_has_lost_nothing_that_it_had_committed(
    tmp_path: Path, durability: str
) -> None:
    for turn, (pause, moment) in enumerate(moments(durability)):
        place = tmp_path / f"{turn}.ledger"
        produced, handed = killed_writer(place, durability, pause, moment)

        with Ledger(place) as ledger:
            numbers, of_them = stored(ledger)
            assert ledger.verify().whole
            assert (ledger.lost_before, ledger.faults()) == ((), 0)
        assert numbers == list(range(len(numbers)))
        # The one under way may have been committed and not yet acknowledged.
        assert len(numbers) - produced in {0, 1}
        assert of_them - handed in {0, 1}


def test_a_killed_process_has_lost_no_more_than_it_may_and_the_next_start_says_how_much(
    tmp_path: Path,
) -> None:
    most = 0
    for turn, (pause, moment) in enumerate(moments("async")):
        place = tmp_path / f"{turn}.ledger"
        produced, handed = killed_writer(place, "async", pause, moment)

        with Ledger(place) as ledger:
            numbers, of_them = stored(ledger)
            assert ledger.verify().whole
            said = sum(int(re.findall(r": (\d+) records", line)[0]) for line in ledger.lost_before)
            assert ledger.faults() == said
        with Ledger(place) as again:
            assert again.lost_before == ()
            assert again.faults() == said
        assert numbers == list(range(len(numbers)))
        # One may have been counted, and the process killed before its call returned.
        assert len(numbers) + of_them + said - (produced + handed) in {0, 1}
        assert said <= MOST_RECORDS
        assert [
            file.name for file in place.parent.iterdir() if file.name.startswith(place.name)
        ] == [place.name]
        most = max(most, said)
    print(f"{KILLS} moments, at most {most} records lost")
