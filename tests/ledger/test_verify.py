import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from blake3 import blake3

from ullage.errors import LedgerError
from ullage.ledger.records import ExchangeRecord, ProducedRecord, StepRecord
from ullage.ledger.store import Ledger
from ullage.ledger.verify import Verification

Exchange = Callable[..., ExchangeRecord]
Produced = Callable[..., ProducedRecord]
Step = Callable[..., StepRecord]

TEXT = "one result of a tool"
NAME = blake3(TEXT.encode()).hexdigest()


@pytest.fixture
def filled(place: Path, exchange: Exchange, produced: Produced, step: Step) -> Path:
    with Ledger(place) as ledger:
        ledger.add_exchange(exchange())
        number = ledger.add_produced(produced(text=TEXT))
        ledger.hand_on(number, TEXT)
        ledger.add_step(step())
        ledger.add_fault("r1", "no room", 1.0)
    return place


def change(place: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(place)) as db:
        db.execute(statement, values)
        db.commit()


def verified(place: Path) -> Verification:
    with Ledger.read(place) as ledger:
        return ledger.verify()


def test_a_ledger_as_written_is_whole(filled: Path) -> None:
    found = verified(filled)

    assert found.whole
    assert found.to_dict() == {
        "blobs": 5,
        "records": 5,
        "damaged": [],
        "problems": [],
    }


def test_a_flipped_byte_in_the_file_names_the_blob_and_its_users(filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as db:
        (data,) = db.execute(
            "SELECT data FROM blob WHERE digest = ?", (bytes.fromhex(NAME),)
        ).fetchone()
    content = bytearray(filled.read_bytes())
    content[content.index(data) + len(data) // 2] ^= 0x01
    filled.write_bytes(content)

    found = verified(filled)

    assert [(d.blob, d.used_by) for d in found.damaged] == [
        (NAME, ("result 1 text", "handed on 1 text"))
    ]
    assert found.lines()[0].startswith(f"blob {NAME} ")
    assert found.lines()[0].endswith("; used by result 1 text, handed on 1 text")


def test_a_flipped_bit_anywhere_in_a_blob_is_found(filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as db:
        (data,) = db.execute(
            "SELECT data FROM blob WHERE digest = ?", (bytes.fromhex(NAME),)
        ).fetchone()
    for at in range(len(data)):
        for bit in (0, 3, 7):
            damaged = bytearray(data)
            damaged[at] ^= 1 << bit
            change(
                filled,
                "UPDATE blob SET data = ? WHERE digest = ?",
                bytes(damaged),
                bytes.fromhex(NAME),
            )
            found = verified(filled)
            # A frame has bits that say nothing about its content.
            with Ledger.read(filled) as ledger:
                if found.whole:
                    assert [result.text for result in ledger.results()] == [TEXT]
                else:
                    assert [d.blob for d in found.damaged] == [NAME]


def test_reading_a_damaged_blob_points_to_verify(filled: Path) -> None:
    change(filled, "UPDATE blob SET data = x'00' WHERE digest = ?", bytes.fromhex(NAME))

    with (
        Ledger.read(filled) as ledger,
        pytest.raises(LedgerError, match=r"is damaged: .*`ullage ledger verify` says where"),
    ):
        list(ledger.results())


def test_a_missing_blob_names_the_reference(filled: Path) -> None:
    change(filled, "DELETE FROM blob WHERE digest = ?", bytes.fromhex(NAME))

    assert verified(filled).problems == (
        "result 1: its text refers to blob 4, which is missing",
        "handed on 1: its text refers to blob 4, which is missing",
    )


@pytest.mark.parametrize(
    ("statement", "record"),
    [
        ("UPDATE exchange SET status = 500", "exchange 1"),
        ("UPDATE exchange SET path = '/v1/other'", "exchange 1"),
        ("UPDATE result SET tool = CAST(x'ff' AS TEXT)", "result 1"),
        ("UPDATE result SET text_chars = 3", "result 1"),
        ("UPDATE handed_on SET text_bytes = 1", "handed on 1"),
        ("UPDATE step SET handed_out = 3", "step 1"),
        ("UPDATE fault SET what = 'nothing'", "fault 1"),
    ],
)
def test_a_changed_value_of_a_record_is_found(filled: Path, statement: str, record: str) -> None:
    change(filled, statement)

    assert verified(filled).problems == (
        f"{record} is not what was written: its values have changed",
    )


def test_damage_to_the_structure_is_found(filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'result'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    content = bytearray(filled.read_bytes())
    content[(page - 1) * size : (page - 1) * size + 100] = b"\xff" * 100
    filled.write_bytes(content)

    found = verified(filled)

    assert [line for line in found.problems if line.startswith("the file's structure")]
    assert [line for line in found.problems if line.startswith("the table result cannot be read")]
    assert (found.blobs, found.records) == (5, 4)


def test_a_ledger_that_has_lost_its_key_is_damaged(filled: Path) -> None:
    change(filled, "DELETE FROM ledger")

    with pytest.raises(LedgerError, match="has lost its key"):
        Ledger.read(filled)
