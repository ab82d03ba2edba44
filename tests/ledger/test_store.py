import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.ledger.blobs import DamagedBlobError, address, compress, unpack
from ullage.ledger.records import ExchangeRecord, ProducedRecord, StepRecord
from ullage.ledger.store import Ledger

Exchange = Callable[..., ExchangeRecord]
Produced = Callable[..., ProducedRecord]
Step = Callable[..., StepRecord]

WIRE = """run method path upstream request_body status response_body started first_byte ended error
cohort"""


def rows(place: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(place)) as db:
        return db.execute(statement).fetchall()


def test_an_exchange_comes_back_as_it_went_in(place: Path, exchange: Exchange) -> None:
    record = exchange()
    with Ledger(place) as ledger:
        number = ledger.add_exchange(record)

    with Ledger.read(place) as ledger:
        (stored,) = ledger.exchanges()

    assert stored.number == number
    assert stored.request_headers == {
        "content-type": "application/json",
        "x-team": "[redacted header]",
    }
    for name in WIRE.split():
        assert getattr(stored, name) == getattr(record, name), name


def test_an_exchange_without_a_reply_keeps_its_error(place: Path, exchange: Exchange) -> None:
    with Ledger(place) as ledger:
        ledger.add_exchange(
            exchange(status=None, first_byte=None, response_body=b"", error="connection refused")
        )
        (stored,) = ledger.exchanges()

    assert (stored.status, stored.first_byte, stored.response_body) == (None, None, b"")
    assert stored.error == "connection refused"


def test_bytes_that_are_no_text_come_back_unchanged(place: Path, exchange: Exchange) -> None:
    body = bytes(range(256)) * 3
    with Ledger(place) as ledger:
        ledger.add_exchange(exchange(request_body=body))
        (stored,) = ledger.exchanges()

    assert stored.request_body == body


def test_a_result_comes_back_as_it_went_in(place: Path, produced: Produced) -> None:
    record = produced()
    with Ledger(place) as ledger:
        number = ledger.add_produced(record)
        (stored,) = ledger.results()

    assert (stored.number, stored.handed_on, stored.chars) == (number, None, len(record.text))
    for name in ("run", "tool", "kind", "arguments", "text", "at", "key"):
        assert getattr(stored, name) == getattr(record, name), name


def test_a_lone_surrogate_in_a_result_comes_back(place: Path, produced: Produced) -> None:
    with Ledger(place) as ledger:
        ledger.add_produced(produced(text="half \ud83d of a pair", tool="odd\ud83d"))
        (stored,) = ledger.results()

    assert stored.text == "half \ud83d of a pair"
    assert stored.tool == "odd\\ud83d"


def test_what_was_handed_on_stands_beside_the_result(place: Path, produced: Produced) -> None:
    with Ledger(place) as ledger:
        first = ledger.add_produced(produced())
        ledger.add_produced(produced(text="another"))
        ledger.hand_on(first, "shorter")

        assert [result.handed_on for result in ledger.results()] == ["shorter", None]


def test_the_text_handed_on_last_counts(place: Path, produced: Produced) -> None:
    with Ledger(place) as ledger:
        number = ledger.add_produced(produced())
        ledger.hand_on(number, "first")
        ledger.hand_on(number, "last")
        (stored,) = ledger.results()

    assert stored.handed_on == "last"


def test_handing_on_a_result_that_is_not_there_is_wrong_use(place: Path) -> None:
    with Ledger(place) as ledger, pytest.raises(ValueError, match="has no result 7"):
        ledger.hand_on(7, "text")


def test_a_step_comes_back_as_it_went_in(place: Path, step: Step) -> None:
    with Ledger(place) as ledger:
        ledger.add_step(step())
        (stored,) = ledger.steps()

    assert stored.dropped == ("ORD-2", "ORD-3")
    assert (stored.name, stored.taken_in, stored.handed_out) == ("de-duplicate", 3, 1)
    assert (stored.reason, stored.at) == ("seen before", 1700000002.0)


def test_records_come_back_in_the_order_of_writing_beyond_one_page(
    place: Path, produced: Produced
) -> None:
    texts = [f"text {number}" for number in range(50)]
    with Ledger(place) as ledger:
        for text in texts:
            ledger.add_produced(produced(text=text))

        assert [result.text for result in ledger.results()] == texts


def test_a_run_is_read_alone(place: Path, produced: Produced, exchange: Exchange) -> None:
    with Ledger(place) as ledger:
        ledger.add_produced(produced(run="late", at=20.0))
        ledger.add_produced(produced(run="early", at=10.0))
        ledger.add_exchange(exchange(run="early"))
        ledger.add_fault("early", "the disk was full", 11.0)

        assert ledger.runs() == ["early", "late"]
        assert [result.run for result in ledger.results("late")] == ["late"]
        assert list(ledger.exchanges("late")) == []
        assert (ledger.faults(), ledger.faults("early"), ledger.faults("late")) == (1, 1, 0)


def test_a_reader_goes_on_behind_what_it_has_read(place: Path, exchange: Exchange) -> None:
    with Ledger(place) as ledger:
        numbers = [ledger.add_exchange(exchange()) for _ in range(20)]

        assert [one.number for one in ledger.exchanges(after=numbers[2])] == numbers[3:]
        assert list(ledger.exchanges(after=numbers[-1])) == []


def test_equal_contents_are_stored_once(
    place: Path, produced: Produced, exchange: Exchange
) -> None:
    text = "the same result " * 100
    with Ledger(place) as ledger:
        number = ledger.add_produced(produced(text=text, arguments=text))
        ledger.hand_on(number, text)
        ledger.add_exchange(exchange(request_body=text.encode(), response_body=text.encode()))

        assert ledger.stats().blobs == 1


def test_the_originals_length_and_equality_are_kept(place: Path, produced: Produced) -> None:
    secret = "sk-" + "a1B2" * 8
    other = "sk-" + "b1C2" * 8
    with Ledger(place) as ledger:
        for text in (f"é {secret}", f"é {secret}", f"é {other}"):
            ledger.add_produced(produced(text=text))

    found = rows(place, "SELECT text_bytes, text_chars, text_hash FROM result")
    assert [row[:2] for row in found] == [(38, 37)] * 3
    assert found[0][2] == found[1][2] != found[2][2]


def test_the_hash_of_an_original_differs_between_ledgers(
    tmp_path: Path, produced: Produced
) -> None:
    hashes = []
    for name in ("a.ledger", "b.ledger"):
        with Ledger(tmp_path / name) as ledger:
            ledger.add_produced(produced())
        hashes += rows(tmp_path / name, "SELECT text_hash FROM result")

    assert hashes[0] != hashes[1]


def test_stats_count_what_is_there(place: Path, produced: Produced, exchange: Exchange) -> None:
    with Ledger(place) as ledger:
        ledger.add_produced(produced())
        ledger.add_exchange(exchange())
        ledger.add_fault("r1", "no room", 1.0)
        stats = ledger.stats()
        log = place.with_name(place.name + "-wal")
        size = place.stat().st_size + log.stat().st_size

    assert stats.to_dict() == {
        "exchanges": 1,
        "tool_results": 1,
        "blobs": 4,
        "bytes": size,
        "not_recorded": 1,
    }


def test_threads_that_write_one_ledger_lose_nothing(place: Path, produced: Produced) -> None:
    with Ledger(place) as ledger:

        def write(name: int) -> None:
            for number in range(20):
                ledger.add_produced(produced(run=f"t{name}", text=f"{name} {number}"))

        threads = [threading.Thread(target=write, args=(name,)) for name in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        for name in range(4):
            texts = [result.text for result in ledger.results(f"t{name}")]
            assert texts == [f"{name} {number}" for number in range(20)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_and_its_parent_both_go_on_writing(place: Path, produced: Produced) -> None:
    with Ledger(place) as ledger:
        ledger.add_produced(produced(text="before"))
        child = os.fork()
        if child == 0:  # pragma: no cover - counted in the parent only
            status = 1
            try:
                for number in range(20):
                    ledger.add_produced(produced(text=f"child {number}"))
                status = 0
            finally:
                os._exit(status)
        for number in range(20):
            ledger.add_produced(produced(text=f"parent {number}"))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

        assert len(list(ledger.results())) == 41
        assert ledger.verify().whole


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_parent_that_closes_first_takes_nothing_from_its_child(
    place: Path, produced: Produced
) -> None:
    closed, go_on = os.pipe()
    ledger = Ledger(place)
    ledger.add_produced(produced(text="before"))
    child = os.fork()
    if child == 0:  # pragma: no cover - counted in the parent only
        status = 1
        try:
            ledger.add_produced(produced(text="child, parent open"))
            os.read(closed, 1)
            ledger.add_produced(produced(text="child, parent closed"))
            status = 0
        finally:
            os._exit(status)
    ledger.close()
    os.write(go_on, b"x")
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

    with Ledger.read(place) as again:
        texts = [result.text for result in again.results()]
    assert texts == ["before", "child, parent open", "child, parent closed"]


def test_a_closed_ledger_is_not_written(place: Path, produced: Produced) -> None:
    ledger = Ledger(place)
    ledger.close()
    ledger.close()

    with pytest.raises(ValueError, match=r"a\.ledger is closed: open it again"):
        ledger.add_produced(produced())


def test_a_ledger_opened_for_reading_is_not_written(place: Path, produced: Produced) -> None:
    Ledger(place).close()

    with (
        Ledger.read(place) as ledger,
        pytest.raises(ValueError, match="was opened for reading"),
    ):
        ledger.add_produced(produced())


@given(content=st.binary(max_size=2000))
def test_a_compressed_content_is_unpacked_to_itself(content: bytes) -> None:
    packed = compress(content)

    assert unpack(packed, form="zstd", length=len(content), digest=address(content)) == content


def test_a_frame_that_claims_more_than_was_stored_is_damaged() -> None:
    content = b"x" * 10_000_000

    with pytest.raises(DamagedBlobError, match="holds 11 bytes where 10 were stored"):
        unpack(compress(content), form="zstd", length=10, digest=address(content))
