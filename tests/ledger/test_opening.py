import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from blake3 import blake3

from ullage.errors import LedgerError
from ullage.ledger import blobs, schema
from ullage.ledger.connection import Session
from ullage.ledger.records import ProducedRecord
from ullage.ledger.store import Ledger

Produced = Callable[..., ProducedRecord]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_newer_schema_is_refused(place: Path) -> None:
    Ledger(place).close()
    with closing(sqlite3.connect(place)) as db:
        db.execute("PRAGMA user_version = 99")

    for opening in (Ledger, Ledger.read):
        with pytest.raises(LedgerError) as caught:
            opening(place)
        assert str(caught.value) == (
            f"{place} has ledger schema 99, but this version reads up to {schema.SCHEMA}: "
            "upgrade ullage to open it"
        )


def test_the_sqlite_file_of_another_program_is_refused_and_left_alone(place: Path) -> None:
    with closing(sqlite3.connect(place)) as db:
        db.execute("CREATE TABLE note (text)")
    place.chmod(0o644)
    before = place.read_bytes()

    for opening in (Ledger, Ledger.read):
        with pytest.raises(LedgerError, match="the SQLite file of another program, not a ledger"):
            opening(place)
    assert place.read_bytes() == before
    assert mode(place) == 0o644


def test_a_file_that_is_no_database_is_refused_and_left_alone(place: Path) -> None:
    place.write_text("just words, and more of them than a header has\n" * 100, encoding="utf-8")
    before = place.read_bytes()

    for opening in (Ledger, Ledger.read):
        with pytest.raises(LedgerError, match="it is not a ledger, name another file"):
            opening(place)
    assert place.read_bytes() == before


def test_a_directory_is_refused(tmp_path: Path) -> None:
    for opening in (Ledger, Ledger.read):
        with pytest.raises(LedgerError, match="is a directory, not a ledger: name a file in it"):
            opening(tmp_path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(LedgerError) as caught:
        Ledger(tmp_path / "no" / "a.ledger")

    assert str(caught.value) == (
        f"cannot create {tmp_path}/no/a.ledger: the folder {tmp_path}/no does not exist: "
        "create it, or name another place"
    )


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(LedgerError, match="name a place that you can write to"):
        Ledger(tmp_path / "file" / "a.ledger")


def test_reading_never_creates(place: Path) -> None:
    with pytest.raises(LedgerError, match=r"cannot open .*No such file"):
        Ledger.read(place)

    assert list(place.parent.iterdir()) == []


def test_an_empty_file_becomes_a_ledger_when_it_is_opened_for_writing(
    place: Path, produced: Produced
) -> None:
    place.touch(mode=0o644)

    with pytest.raises(LedgerError, match="is an empty file"):
        Ledger.read(place)
    with Ledger(place) as ledger:
        ledger.add_produced(produced())
        assert ledger.verify().whole
        assert mode(place) == 0o600


def test_the_ledger_and_its_side_files_are_for_the_owner_only(
    place: Path, produced: Produced
) -> None:
    with Ledger(place) as ledger:
        ledger.add_produced(produced())
        files = sorted(place.parent.iterdir())
        modes = {file.name: mode(file) for file in files}

    assert modes == {"a.ledger": 0o600, "a.ledger-shm": 0o600, "a.ledger-wal": 0o600}


def test_a_ledger_that_others_may_read_is_made_private(place: Path) -> None:
    Ledger(place).close()
    place.chmod(0o664)

    Ledger(place).close()

    assert mode(place) == 0o600


def test_reading_leaves_no_files_behind(place: Path, produced: Produced) -> None:
    with Ledger(place) as ledger:
        ledger.add_produced(produced())

    with Ledger.read(place) as ledger:
        assert len(list(ledger.results())) == 1
    assert list(place.parent.iterdir()) == [place]


def test_a_reader_sees_what_is_written_after_it_has_opened(place: Path, produced: Produced) -> None:
    with Ledger(place) as ledger, Ledger.read(place) as reader:
        assert list(reader.results()) == []
        ledger.add_produced(produced())

        assert len(list(reader.results())) == 1


def test_a_path_with_signs_of_a_url_is_taken_as_it_is(tmp_path: Path) -> None:
    place = tmp_path / "50% of? a#b.ledger"
    Ledger(place).close()

    assert [file.name for file in tmp_path.iterdir()] == ["50% of? a#b.ledger"]


def test_a_write_that_fails_leaves_nothing(place: Path) -> None:
    Ledger(place).close()
    session = Session(place, write=True)

    def write_half() -> None:
        with session.writing() as db:
            db.execute("INSERT INTO fault (run, what, at, seal) VALUES ('r', 'w', 1, x'00')")
            db.execute("INSERT INTO fault (run) VALUES ('r')")

    with pytest.raises(LedgerError, match=r"cannot write to .*NOT NULL"):
        write_half()
    with session.reading() as db:
        assert db.execute("SELECT count(*) FROM fault").fetchone() == (0,)
    session.close()


def test_a_ledger_of_the_first_schema_is_brought_up_to_date(
    place: Path, produced: Produced
) -> None:
    with closing(sqlite3.connect(place)) as db:
        schema.MIGRATIONS[0](db)
        db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        db.execute("PRAGMA user_version = 1")
        db.commit()
    with Ledger(place) as ledger:
        ledger.add_produced(produced(text="password=" + "q7Zk2Wx9" * 2))

        assert "[secret:" in next(ledger.results()).text
        assert ledger.verify().whole


def make_second_schema(place: Path) -> None:
    """A ledger with one result, as the second schema was written."""
    with closing(sqlite3.connect(place)) as db:
        for step in schema.MIGRATIONS[:2]:
            step(db)
        db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        db.execute("PRAGMA user_version = 2")
        (key,) = db.execute("SELECT key FROM ledger").fetchone()
        content = b"rows"
        cursor = db.execute(
            "INSERT INTO blob (digest, length, form, data) VALUES (?, ?, 'zstd', ?)",
            (blobs.address(content), len(content), blobs.compress(content)),
        )
        row = {
            "arguments": cursor.lastrowid,
            "arguments_bytes": 4,
            "arguments_hash": b"h",
            "at": 1.0,
            "key": None,
            "kind": "tool",
            "run": "r",
            "text": cursor.lastrowid,
            "text_bytes": 4,
            "text_chars": 4,
            "text_hash": b"h",
            "tool": "t",
        }
        values = list(row.values())  # in the order of their names, as they were sealed
        seal = blake3(msgspec.msgpack.encode(["result", *values]), key=key).digest(length=16)
        names = ", ".join(row)
        marks = ", ".join("?" for _ in row)
        db.execute(
            f"INSERT INTO result ({names}, seal) VALUES ({marks}, ?)",
            (*values, seal),
        )
        db.commit()


def test_the_records_of_the_second_schema_are_whole_after_it_is_brought_up_to_date(
    place: Path,
) -> None:
    make_second_schema(place)

    with pytest.raises(LedgerError, match=f"has ledger schema 2, {schema.SCHEMA} is needed"):
        Ledger.read(place)
    with Ledger(place) as ledger:
        assert ledger.verify().lines() == []
        (result,) = ledger.results()
        assert (result.text, result.keep, result.agent) == ("rows", "full", None)


def test_a_value_put_into_an_added_column_is_noticed(place: Path) -> None:
    make_second_schema(place)
    with Ledger(place) as ledger:
        with ledger.session.writing() as db:
            db.execute("UPDATE result SET agent = 'somebody else'")

        assert ledger.verify().lines() == [
            "result 1 is not what was written: its values have changed"
        ]


@pytest.mark.parametrize("share", [0.001, 0.02, 0.5, 0.9])
def test_a_ledger_that_was_cut_short_is_refused_with_what_is_missing(
    share: float, place: Path, produced: Produced
) -> None:
    with Ledger(place) as ledger:
        for number in range(50):
            ledger.add_produced(produced(text=f"{number} " * 2000))
    whole = place.read_bytes()
    left = whole[: int(len(whole) * share)]
    place.write_bytes(left)

    for opening in (Ledger, Ledger.read):
        with pytest.raises(
            LedgerError, match=r"was cut short, \d+ bytes are missing: copy it again"
        ):
            opening(place)
    assert place.read_bytes() == left
