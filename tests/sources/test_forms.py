"""Which form a file has, and what its records are."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wire.bodies import CHAT_STREAM, GEMINI_LIST

from ullage.errors import LoadError
from ullage.ledger.store import Ledger
from ullage.sources.files import files_in, read_bytes, read_file
from ullage.sources.record import Damaged, Plain
from ullage.wire.exchange import Exchange

REQUEST = {"messages": [{"role": "user", "content": "list"}]}
LINES = "\n".join(json.dumps(one) for one in (REQUEST, {"seq": 1}, REQUEST)).encode()


@pytest.mark.parametrize(
    ("data", "form"),
    [
        (CHAT_STREAM, "stream"),
        (GEMINI_LIST, "body"),
        (json.dumps(REQUEST).encode(), "body"),
        (json.dumps(REQUEST, indent=1).encode(), "body"),
        (LINES, "lines"),
        (b'{"a": 1}\n{"b": "to', "lines"),
        (b'{"a": "to', "lines"),
        (b'\0\0\n{"a": 1}', "lines"),
    ],
)
def test_the_form_of_a_file_is_found_by_trying(data: bytes, form: str) -> None:
    assert read_bytes(data, "x").form == form


MARKDOWN = b'# Notes\n\nAsk for this:\n\n{"messages": []}\n\nand see what comes back.\n'
YAML = b'interactions:\n- request:\n    body: |-\n      {"model": "m"}\n    method: POST\n'
SOURCE = b"{\n  int a = 1;\n  return a;\n}\n"


@pytest.mark.parametrize("data", [b"hello", b"%PDF-1.7", b"\xff\xfe{", MARKDOWN, YAML, SOURCE])
def test_a_file_of_no_form_says_what_is_read(data: bytes) -> None:
    with pytest.raises(LoadError, match=r"notes\.txt: neither JSON.*--from FORM"):
        read_bytes(data, "notes.txt")


def test_a_named_form_is_not_looked_for() -> None:
    assert read_bytes(json.dumps(REQUEST).encode(), "x", "lines").form == "lines"

    with pytest.raises(LoadError, match="not one JSON document"):
        list(read_bytes(LINES, "x", "body").records)
    with pytest.raises(LoadError, match="events of no provider"):
        list(read_bytes(b"data: {}\n\n", "x", "stream").records)


def test_lines_give_exchanges_plain_records_and_damage() -> None:
    records = list(read_bytes(LINES + b'\n{"torn', "x").records)

    assert [type(one) for one in records] == [Exchange, Plain, Exchange, Damaged]
    assert [one.source.line for one in records if isinstance(one, Exchange)] == [1, 3]
    assert records[-1] == Damaged(line=4, why="ends early", chars=6, saved=0)


def test_a_document_may_be_a_list_of_them_or_a_stream() -> None:
    both = list(read_bytes(json.dumps([REQUEST, REQUEST]).encode(), "x").records)
    (stream,) = read_bytes(GEMINI_LIST, "x").records

    assert [type(one) for one in both] == [Exchange, Exchange]
    assert isinstance(stream, Exchange)
    assert stream.reply is not None
    assert stream.reply.message.text == "I will look."


def test_one_line_is_line_one_and_a_document_of_several_lines_has_none() -> None:
    for indent, line in ((None, 1), (1, None)):
        (found,) = read_bytes(json.dumps(REQUEST, indent=indent).encode(), "x").records
        assert isinstance(found, Exchange)
        assert found.source.line == line


def test_a_ledger_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    Ledger(tmp_path / "my.ledger").close()

    assert read_file(tmp_path / "my.ledger").form == "ledger"


def test_another_database_is_no_ledger(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "app.db")) as db:
        db.execute("CREATE TABLE message (id)")

    with pytest.raises(LoadError, match="neither JSON"):
        read_file(tmp_path / "app.db")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"nothing.*cannot be read"):
        read_file(tmp_path / "nothing")


def test_the_files_of_a_folder_come_in_one_order_without_hidden_ones(tmp_path: Path) -> None:
    for name in ("b.json", "a/c.json", ".git/x", "my.ledger-wal"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()

    assert [one.relative_to(tmp_path).as_posix() for one in files_in(tmp_path)] == [
        "a/c.json",
        "b.json",
    ]


@given(
    data=st.binary(max_size=60) | st.text('{}[]",:\n1a', max_size=40).map(str.encode),
    form=st.sampled_from([None, "stream", "body", "lines"]),
)
def test_no_bytes_raise_anything_else_than_that_they_cannot_be_read(
    data: bytes, form: str | None
) -> None:
    try:
        list(read_bytes(data, "x", form).records)
    except LoadError:
        return
