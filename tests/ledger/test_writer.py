"""Records written in the background: all of them, in order, or counted."""

import multiprocessing
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, get_args

import pytest

from ullage.errors import LedgerError
from ullage.ledger.journal import MARK
from ullage.ledger.records import (
    Durability,
    ExchangeRecord,
    HandedOnRecord,
    LateRecord,
    ProducedRecord,
    StepRecord,
)
from ullage.ledger.store import Ledger

Exchange = Callable[..., ExchangeRecord]
Produced = Callable[..., ProducedRecord]
Step = Callable[..., StepRecord]


def texts(place: Path) -> list[str]:
    with Ledger.read(place) as ledger:
        return [result.text for result in ledger.results()]


@contextmanager
def locked(place: Path) -> Iterator[None]:
    """Hold the file as another process would."""
    with closing(sqlite3.connect(place, isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        yield


def test_what_was_handed_over_is_seen_by_whoever_reads_in_this_process(
    place: Path, produced: Produced
) -> None:
    with Ledger(place) as ledger:
        ledger.record(produced(text="one"))
        assert texts(place) == ["one"]
        ledger.record(produced(text="two"))
        assert [result.text for result in ledger.results()] == ["one", "two"]


def test_every_kind_of_record_can_be_handed_over(
    place: Path, produced: Produced, exchange: Exchange, step: Step
) -> None:
    with Ledger(place) as ledger:
        ticket = ledger.record(produced())
        ledger.record(HandedOnRecord(run="r1", result=ticket, text="shorter"))
        ledger.record(exchange())
        ledger.record(step())
        (result,) = ledger.results()

        assert (result.number, result.handed_on) == (ticket.number, "shorter")
        assert (len(list(ledger.exchanges())), len(list(ledger.steps()))) == (1, 1)


@pytest.mark.parametrize("durability", get_args(Durability))
def test_half_a_character_in_a_tag_or_a_header_loses_no_record(
    place: Path, exchange: Exchange, durability: Durability
) -> None:
    half = "\ud83d"
    with Ledger(place, durability=durability) as ledger:
        ledger.record(exchange(run=half, request_headers=[("User-Agent", half), (half, "x")]))
        (stored,) = ledger.exchanges()

        assert (stored.run, stored.request_headers["user-agent"]) == ("\\ud83d", "\\ud83d")
        assert (ledger.lost, ledger.verify().whole) == (0, True)


def test_a_ticket_tells_the_number_once_it_is_written(place: Path, produced: Produced) -> None:
    heard: list[int | None] = []
    with Ledger(place) as ledger:
        ticket = ledger.record(produced())
        ticket.when_done(lambda done: heard.append(done.number))
        assert ticket.wait(20)
        ticket.when_done(lambda done: heard.append(done.number))

        assert (ticket.number, ticket.error) == (1, None)
    assert heard == [1, 1]


@pytest.mark.parametrize("durability", ["sync", "durable"])
def test_the_other_modes_have_committed_when_the_call_returns(
    place: Path, produced: Produced, durability: Durability
) -> None:
    with Ledger(place, durability=durability) as ledger:
        ticket = ledger.record(produced())
        with closing(sqlite3.connect(place)) as db:
            assert db.execute("SELECT number FROM result").fetchall() == [(ticket.number,)]
    assert ticket.done


def test_only_durable_waits_for_the_disk_itself(place: Path) -> None:
    levels = []
    for durability in get_args(Durability):
        with (
            Ledger(place, durability=durability) as ledger,
            ledger._session.reading() as db,
        ):
            levels.append(db.execute("PRAGMA synchronous").fetchone()[0])

    assert levels == [1, 1, 2]  # NORMAL, NORMAL, FULL


def test_closing_writes_what_is_under_way_and_leaves_one_file(
    place: Path, produced: Produced
) -> None:
    with Ledger(place) as ledger:
        for number in range(700):
            ledger.hand_over(produced(text=str(number)), patience=60)

    assert [file.name for file in place.parent.iterdir()] == [place.name]
    assert texts(place) == [str(number) for number in range(700)]
    with closing(sqlite3.connect(place)) as db:
        assert db.execute("SELECT count(*) FROM settled").fetchone() == (0,)


ENDINGS = {
    "the end of the program": "",
    "an error": "raise RuntimeError('over')",
    "an interrupt": "import os, signal; os.kill(os.getpid(), signal.SIGINT); import time; "
    "time.sleep(30)",
    "exit inside a function": "import sys; sys.exit(3)",
    "a record at the very end": "import atexit, ullage.ledger.ending as e\n"
    "atexit._run_exitfuncs(); ledger.record(make(200))",
}
PROGRAM = """
import sys
from ullage.ledger.records import ProducedRecord
from ullage.ledger.store import Ledger

def make(number):
    return ProducedRecord(
        run="r", tool="t", kind="tool", arguments="{}", text=str(number), at=1.0
    )

ledger = Ledger(sys.argv[1])
for number in range(200):
    ledger.record(make(number))
"""


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_program_that_ends_without_closing_loses_nothing(place: Path, ending: str) -> None:
    subprocess.run(
        [sys.executable, "-c", PROGRAM + ENDINGS[ending], str(place)],
        capture_output=True,
        check=False,
        timeout=60,
    )

    count = 201 if "very end" in ending else 200
    assert texts(place) == [str(number) for number in range(count)]
    with Ledger(place) as ledger:
        assert ledger.lost_before == ()
        assert ledger.faults() == 0
    assert [file.name for file in place.parent.iterdir()] == [place.name]


def record_in_a_child(path: str, count: int) -> None:
    ledger = Ledger(path)
    for number in range(count):
        ledger.record(
            ProducedRecord(run="r", tool="t", kind="tool", arguments="{}", text=str(number), at=1.0)
        )


@pytest.mark.parametrize("way", [one for one in multiprocessing.get_all_start_methods()])
def test_a_child_of_multiprocessing_loses_nothing_though_it_skips_atexit(
    place: Path, way: str
) -> None:
    Ledger(place).close()
    context: Any = multiprocessing.get_context(way)
    child = context.Process(target=record_in_a_child, args=(place, 90))
    child.start()
    child.join(60)

    assert child.exitcode == 0
    assert texts(place) == [str(number) for number in range(90)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_in_the_middle_writes_each_record_once(place: Path, produced: Produced) -> None:
    with Ledger(place) as ledger:
        before = [ledger.record(produced(text=f"before {number}")) for number in range(50)]
        child = os.fork()
        if child == 0:  # pragma: no cover - counted in the parent only
            status = 1
            try:
                for number in range(50):
                    ledger.record(produced(text=f"child {number}"))
                ledger.record(HandedOnRecord(run="r1", result=before[0], text="by the child"))
                ledger.close()
                status = 0
            finally:
                os._exit(status)
        for number in range(50):
            ledger.record(produced(text=f"parent {number}"))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        found = list(ledger.results())

        expected = [
            f"{who} {number}" for who in ("before", "child", "parent") for number in range(50)
        ]
        assert sorted(one.text for one in found) == sorted(expected)
        assert found[0].handed_on == "by the child"
        assert ledger.verify().whole


def test_threads_that_hand_over_at_once_lose_nothing(place: Path, produced: Produced) -> None:
    with Ledger(place) as ledger:

        def write(name: int) -> None:
            for number in range(60):
                assert ledger.hand_over(produced(run=f"t{name}", text=str(number)), patience=60)

        threads = [threading.Thread(target=write, args=(name,)) for name in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        for name in range(6):
            assert [one.text for one in ledger.results(f"t{name}")] == [*map(str, range(60))]
        assert ledger.lost == 0


def test_a_record_that_cannot_be_prepared_takes_no_other_with_it(
    place: Path, produced: Produced
) -> None:
    def broken() -> ProducedRecord:
        raise RuntimeError("closed")

    said: list[str] = []
    with Ledger(place, report=said.append) as ledger:
        ledger.record(produced(text="one"))
        failed = ledger.record(LateRecord(run="r1", make=broken, size=0))
        handed = ledger.record(HandedOnRecord(run="r1", result=failed, text="of nothing"))
        ledger.record(produced(text="two"))

        assert [one.text for one in ledger.results()] == ["one", "two"]
        assert "RuntimeError: closed" in str(failed.error)
        assert "was not recorded itself" in str(handed.error)
    with Ledger.read(place) as again:
        assert (again.faults(), again.faults("r1"), again.stats().not_recorded) == (2, 2, 2)
        assert again.verify().whole
    assert len(said) == 2


def test_a_ledger_that_another_process_holds_is_waited_for_and_nothing_is_lost(
    place: Path, produced: Produced
) -> None:
    with Ledger(place) as ledger:
        ledger.add_produced(produced(text="first"))
        with locked(place):
            for number in range(20):
                ledger.record(produced(text=str(number)))
            assert not ledger.flush(0.3)
            assert ledger.depth == 20
        assert ledger.flush(20)

        assert len(list(ledger.results())) == 21
        assert ledger.lost == 0


def test_what_finds_no_room_is_dropped_and_counted_and_said_once(
    place: Path, produced: Produced
) -> None:
    said: list[str] = []
    with Ledger(place, report=said.append) as ledger:
        ledger.add_produced(produced())
        with locked(place):
            tickets = [ledger.hand_over(produced(), patience=0.001) for _ in range(300)]
            assert ledger.depth == 256
            assert [ticket.done for ticket in tickets].count(True) == 44
            assert ledger.lost == 44
        assert ledger.flush(20)
        ledger.record(produced())
        assert ledger.flush(20)

        assert len(list(ledger.results())) == 258
        assert ledger.faults("r1") == 44
    assert len(said) == 3  # the first, at ten, and the last count
    assert "more than 256 records wait" in said[0]
    assert said[-1].endswith("(44 times so far)")


def test_large_records_find_room_one_at_a_time(place: Path, exchange: Exchange) -> None:
    large = exchange(request_body=b"x" * (65 << 20))
    with Ledger(place) as ledger:
        ledger.add_exchange(exchange())
        with locked(place):
            ledger.hand_over(large)
            assert not ledger.has_room(large)
            assert ledger.hand_over(large, patience=0).error is not None
        assert ledger.flush(60)

        assert [len(one.request_body) for one in ledger.exchanges()][1:] == [65 << 20]


def test_what_is_still_locked_at_the_end_is_counted_at_the_next_start(
    place: Path, produced: Produced
) -> None:
    ledger = Ledger(place)
    ledger.add_produced(produced())
    with locked(place):
        tickets = [ledger.record(produced()) for _ in range(5)]
        ledger._writer.close(0.2)
        ledger._session.close()
        assert all(ticket.error for ticket in tickets)
        assert [file.name for file in place.parent.iterdir() if MARK in file.name]
    with Ledger(place) as again:
        (loss,) = again.lost_before
        assert loss.startswith("run r1: 5 records that process ")
        assert again.faults("r1") == 5
        assert again.verify().whole
    with Ledger(place) as once_more:
        assert once_more.lost_before == ()


def test_a_sync_record_on_a_locked_ledger_fails_within_its_patience_and_is_counted(
    place: Path, produced: Produced
) -> None:
    with Ledger(place, durability="sync", patience=0.2) as ledger:
        ledger.add_produced(produced())
        held = r"has held it for 0\.2 s, stop that one"
        with locked(place), pytest.raises(LedgerError, match=held):
            ledger.record(produced())
        ledger.record(produced())
    with Ledger.read(place) as again:
        assert (len(list(again.results())), again.faults("r1")) == (2, 1)


def test_a_journal_of_a_living_process_is_left_alone(place: Path, produced: Produced) -> None:
    with Ledger(place) as ledger:
        ledger.record(produced())
        ledger.flush()
        (journal,) = (file for file in place.parent.iterdir() if MARK in file.name)

        with Ledger(place) as other:
            assert other.lost_before == ()
        assert journal.exists()
        assert journal.stat().st_mode & 0o077 == 0


def test_more_runs_than_a_journal_has_places_for_are_still_counted(
    place: Path, produced: Produced
) -> None:
    ledger = Ledger(place)
    ledger.add_produced(produced())
    with locked(place):
        for number in range(256):
            ledger.record(produced(run=f"run {number} " + "long " * (number % 2 * 90)))
        ledger._writer.close(0.1)
        ledger._session.close()
    with Ledger(place) as again:
        assert again.faults() == 256
        assert again.faults("run 0 ") == 1
        assert again.faults("run 254 ") == 1
        assert again.faults("(other runs)") == 128
