"""Taking out the oldest runs."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ullage.ledger.measurements import pruned
from ullage.ledger.prune import Limits, compact, prune, runs, size, would_prune
from ullage.ledger.records import ExchangeRecord, ProducedRecord, StepRecord
from ullage.ledger.store import Ledger

Exchange = Callable[..., ExchangeRecord]
Produced = Callable[..., ProducedRecord]
Step = Callable[..., StepRecord]

PRODUCED = ProducedRecord(run="r", tool="t", kind="tool", arguments="{}", text="", at=1.0)
DAYS = ("monday", "tuesday", "wednesday")


@pytest.fixture
def filled(place: Path, exchange: Exchange, produced: Produced, step: Step) -> Path:
    """Three runs at 100, 200 and 300 seconds; each has a text of its own and a common one."""
    with Ledger(place) as ledger:
        for at, day in zip((100.0, 200.0, 300.0), DAYS, strict=True):
            own = os.urandom(30_000).hex()
            number = ledger.add_produced(produced(run=day, text=own, at=at))
            ledger.hand_on(number, own[:10])
            ledger.add_produced(produced(run=day, text="shared by all", at=at))
            ledger.add_exchange(
                exchange(run=day, request_body=own.encode(), started=at - 1, ended=at)
            )
            ledger.add_step(step(run=day, at=at))
            ledger.add_fault(day, "something", at)
    return place


def tags(ledger: Ledger) -> list[str]:
    return [one.tag for one in runs(ledger.session)]


def test_runs_older_than_a_time_go_whole_and_the_rest_is_whole(filled: Path) -> None:
    with Ledger(filled) as ledger:
        blobs = ledger.stats().blobs
        gone = prune(ledger.session, Limits(oldest=250.0), at=400.0)

        assert [(one.run.tag, one.why) for one in gone] == [("monday", "age"), ("tuesday", "age")]
        assert tags(ledger) == ["wednesday"]
        assert ledger.stats().blobs < blobs
        assert [one.text for one in ledger.results()][1] == "shared by all"
        assert ledger.verify().lines() == []


def test_the_newest_run_goes_too_when_it_is_too_old(filled: Path) -> None:
    with Ledger(filled) as ledger:
        prune(ledger.session, Limits(oldest=1000.0), at=2000.0)

        assert tags(ledger) == []
        assert ledger.stats().blobs == 0
        assert ledger.verify().lines() == []


def test_by_size_the_oldest_go_first_and_only_as_many_as_must(filled: Path) -> None:
    with Ledger(filled) as ledger:
        prune(ledger.session, Limits(bytes=size(ledger.session) - 1), at=400.0)

        assert tags(ledger) == ["tuesday", "wednesday"]


@given(
    sizes=st.lists(st.sampled_from([10, 3_000, 90_000]), min_size=2, max_size=6),
    share=st.floats(0, 1),
)
@settings(max_examples=15)
def test_by_size_no_run_goes_that_could_have_stayed(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], share: float
) -> None:
    place = tmp_path_factory.mktemp("prune") / "a.ledger"
    with Ledger(place) as ledger:
        for number, length in enumerate(sizes):
            record = replace(PRODUCED, run=f"r{number}", text=os.urandom(length).hex(), at=number)
            ledger.add_produced(record)
        limit = round(size(ledger.session) * share)
        gone = prune(ledger.session, Limits(bytes=limit), at=100.0)

        left = tags(ledger)
        assert [one.run.tag for one in gone] + left == [f"r{n}" for n in range(len(sizes))]
        assert len(left) == 1 or size(ledger.session) <= limit
        # Without the last one that went, it would not have fitted.
        if gone:
            assert size(ledger.session) + 2 * sizes[len(gone) - 1] + 12 * 4096 > limit


def test_by_size_the_newest_run_stays_however_large(filled: Path) -> None:
    with Ledger(filled) as ledger:
        prune(ledger.session, Limits(bytes=1), at=400.0)

        assert tags(ledger) == ["wednesday"]


def test_what_went_is_a_row_that_stays(filled: Path) -> None:
    with Ledger(filled) as ledger:
        prune(ledger.session, Limits(oldest=150.0), at=400.0)
        prune(ledger.session, Limits(oldest=250.0), at=500.0)

        rows = [(o.run, o.exchanges, o.results, o.last, o.at) for o in pruned(ledger.session)]
    assert rows == [("monday", 1, 2, 100.0, 400.0), ("tuesday", 1, 2, 200.0, 500.0)]


def test_the_room_is_given_back_and_no_text_of_the_run_is_left(
    place: Path, produced: Produced
) -> None:
    with Ledger(place) as ledger:
        ledger.add_produced(produced(run="old", tool="a_tool_of_old", text="x" * 50, at=1.0))
        ledger.add_produced(produced(run="old", text=os.urandom(100_000).hex(), at=1.0))
        ledger.add_produced(produced(run="new", at=300.0))
    before = place.stat().st_size

    with Ledger(place) as ledger:
        prune(ledger.session, Limits(oldest=200.0), at=400.0)
        compact(ledger.session)
    assert place.stat().st_size < before - 90_000
    assert b"a_tool_of_old" not in place.read_bytes()


@pytest.mark.parametrize("limits", [Limits(oldest=250.0), Limits(bytes=1), Limits()])
def test_what_would_go_is_what_goes(filled: Path, limits: Limits) -> None:
    with Ledger(filled) as ledger:
        would, left = would_prune(ledger.session, limits)

        assert tags(ledger) == list(DAYS)
        assert prune(ledger.session, limits, at=400.0) == would
        # The row that says what went takes a page of its own.
        assert abs(size(ledger.session) - left) <= 2 * 4096


def test_a_ledger_can_be_pruned_while_another_reads_it(filled: Path) -> None:
    with Ledger(filled) as ledger, Ledger.read(filled) as reader:
        results = reader.results()
        first = next(results)
        prune(ledger.session, Limits(oldest=250.0), at=400.0)
        compact(ledger.session)

        assert first.run == "monday"
        assert {one.run for one in reader.results()} == {"wednesday"}
