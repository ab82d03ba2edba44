"""A ledger as tables: every row of it, and what is made of its rows."""

import base64
import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ullage import Ledger
from ullage.checks.measure import measure
from ullage.checks.settle import write_down
from ullage.errors import LedgerError
from ullage.ledger.entries import CONTENTS, entries
from ullage.ledger.flat import flat_rows
from ullage.ledger.lines import (
    COLUMNS,
    DOCUMENTS,
    Document,
    Events,
    Whole,
    Words,
    from_line,
    to_line,
)
from ullage.ledger.measurements import Delivery, Figures, Outcome, add, add_outcome
from ullage.ledger.records import ExchangeRecord, Keep, ProducedRecord, StepRecord
from ullage.ledger.reduced import emptied
from ullage.ledger.transfer import Numbers, Transfer
from ullage.report.ledger_columns import TIMES
from ullage.report.ledger_tables import filled_tables
from ullage.report.parquet import write_table

pq = pytest.importorskip("pyarrow.parquet")

KEY = "sk-" + "proj-" + "Aq7Zk2Wx9Tn4Rb6Vm1Lp8Hd3"
EXAMPLES: dict[object, object] = {
    float: 1.25,
    float | None: 2.5,
    bool: True,
    Words: {"a": "b"},
    Document: {"a": 1},
    Events: [{"act": "cut"}],
}
OTHERS = ("worker", "finding", "lost", "pruned", "compaction", "kept", "recalled")
MEMBERS = {
    table: {
        name: None if form == (Keep | None) else 1 if form == Whole else EXAMPLES.get(form, "words")
        for name, form in COLUMNS[table].items()
    }
    for table in OTHERS
}
LISTS = json.dumps({"early": [{"id": n} for n in range(9)], "late": [{"id": n} for n in range(9)]})


def tables(place: Path, folder: Path, *, content: bool = True) -> dict[str, list[dict[str, Any]]]:
    """Write every table of a ledger, and read all of them back."""
    found = {}
    with Ledger.read(place) as ledger:
        for one in filled_tables(content=content):
            file = folder / f"{one.table.name}.parquet"
            write_table(file, one.table, one.rows(ledger, None))
            found[one.table.name] = pq.read_table(file).to_pylist()
    return found


def exported(place: Path) -> list[dict[str, Any]]:
    with Ledger.read(place) as ledger:
        return [json.loads(to_line(one)) for one in entries(ledger.session, ledger.scrubber)]


def as_line(table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row that was read back as the line of an export."""
    line: dict[str, Any] = {"schema": "ullage.export/1", "record": table}
    for name in COLUMNS[table]:
        value = row[name]
        if isinstance(value, datetime):
            value = pytest.approx(value.timestamp(), abs=1e-6)
        elif name in DOCUMENTS and value is not None:
            value = json.loads(value)
        elif row.get(f"{name}_binary") is not None:
            value = {"base64": base64.b64encode(row[f"{name}_binary"]).decode()}
        line[name] = value
    for one in CONTENTS[table]:
        if one.hash is not None and row[one.hash] is not None:
            line[one.hash] = row[one.hash]
    return line


def request(text: str, call: str) -> bytes:
    messages = [
        {"role": "user", "content": "go"},
        {"role": "tool", "tool_call_id": call, "content": text},
    ]
    return json.dumps({"model": "gpt-4o", "messages": messages}).encode()


def exchange(body: bytes, *, run: str = "r") -> ExchangeRecord:
    return ExchangeRecord(
        run=run,
        method="POST",
        path="/v1/chat/completions",
        upstream="http://127.0.0.1:9",
        request_headers=[("User-Agent", "made/1")],
        request_body=body,
        status=200,
        response_headers=[],
        response_body=b'{"choices":[],"usage":{"prompt_tokens":12}}',
        started=1_790_000_000.25,
        first_byte=None,
        ended=1_790_000_001.0,
    )


def result(text: str, *, run: str = "r", tool: str = "t", call: str = "c") -> ProducedRecord:
    return ProducedRecord(
        run=run, tool=tool, kind="tool", arguments="{}", text=text, at=1_790_000_000.0, call_id=call
    )


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A measured ledger with most kinds of records, one result cut behind its first list."""
    place = tmp_path / "a.ledger"
    with Ledger(place) as ledger:
        number = ledger.add_produced(result(LISTS))
        ledger.hand_on(number, f"key {KEY}")
        ledger.add_produced(result("a lone \ud83d surrogate, \0 and 😀", call="d"))
        ledger.add_exchange(exchange(request(LISTS[:100], "c")))
        ledger.add_exchange(exchange(b"\xff\x00raw", run="other"))
        step = StepRecord(
            run="r", name="s", taken_in=2, handed_out=1, dropped=["x"], reason="old", at=1.5
        )
        ledger.add_step(step)
        ledger.add_fault("r", "the disk was full", 5.0)
        write_down(ledger, measure(ledger, "r"), 7.0)
        transfer = Transfer(ledger.session, ledger.scrubber, Numbers(same=False))
        figures = Figures(run="r", exchange=1, document='{"read":{}}', at=6.0)
        add(ledger.session, [figures])
        for table in OTHERS:
            transfer.add(from_line({"record": table, **MEMBERS[table]}))
        add_outcome(ledger.session, ledger.scrubber, Outcome(run="r", score=0.5, note=KEY, at=8.0))
    return place


def test_the_tables_have_the_rows_of_the_export(full: Path, tmp_path: Path) -> None:
    found = tables(full, tmp_path)
    lines = [as_line(table, row) for table in COLUMNS for row in found[table]]

    assert lines == exported(full)
    assert {table for table in COLUMNS if found[table]} == set(COLUMNS)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(
        st.text(st.characters(), max_size=60)
        | st.sampled_from(["\0", "\ud800", "😀" * 40_000, "a,\r\n\x1b[1m", '{"a":NaN}']),
        max_size=4,
    ),
    tool=st.text(st.characters(), min_size=1, max_size=9),
)
def test_odd_texts_come_back_as_an_export_has_them(
    texts: list[str], tool: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("odd")
    with Ledger(folder / "a.ledger") as ledger:
        for number, text in enumerate(texts):
            ledger.add_produced(result(text, tool=tool, call=text or f"{number}"))

    found = tables(folder / "a.ledger", folder)

    assert [as_line("result", row) for row in found["result"]] == exported(folder / "a.ledger")


def test_secrets_are_in_no_file(full: Path, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    found = tables(full, folder)

    (handed,), (outcome,) = found["handed_on"], found["outcome"]
    assert handed["text"].startswith("key [secret:")
    assert outcome["note"].startswith("[secret:")
    assert KEY not in json.dumps(found, default=str)


def test_without_texts_nothing_of_them_is_there_and_all_else_is_the_same(
    full: Path, tmp_path: Path
) -> None:
    whole, short = tables(full, tmp_path), tables(full, tmp_path, content=False)

    for table, contents in CONTENTS.items():
        texts = {name for one in contents for name in (one.column, f"{one.column}_binary")}
        rest = [{k: v for k, v in row.items() if k not in texts} for row in whole[table]]
        assert short[table] == rest
    assert "early" not in json.dumps(short["result"], default=str)
    assert "text" not in short["result"][0]


@pytest.mark.parametrize("content", [True, False])
def test_hashes_are_there_where_they_are_all_that_was_kept(
    content: bool, full: Path, tmp_path: Path
) -> None:
    reduced = tmp_path / "reduced.ledger"
    with Ledger.read(full) as source, Ledger(reduced) as ledger:
        transfer = Transfer(ledger.session, ledger.scrubber, Numbers(same=False))
        for entry in entries(source.session, source.scrubber):
            transfer.add(emptied(entry, "hashes") if entry.table == "result" else entry)
    lines = [one for one in exported(reduced) if one["record"] == "result"]

    found = tables(reduced, tmp_path, content=content)["result"]

    assert [row["text_hash"] for row in found] == [one["text_hash"] for one in lines]
    assert all(len(row["text_hash"]) == 64 for row in found)
    assert all(row["text_hash"] is None for row in tables(full, tmp_path)["result"])


def test_arrival_has_a_row_for_every_result_and_nothing_for_what_was_not_measured(
    full: Path, tmp_path: Path
) -> None:
    with Ledger(full) as ledger:
        ledger.add_produced(result("later", run="unmeasured"))
    cut, other, later = tables(full, tmp_path)["arrival"]

    assert (cut["produced_chars"], cut["delivered_chars"]) == (len(LISTS), 100)
    assert (cut["valid"], cut["boundary"], cut["exchange"]) == (False, "budget", 1)
    assert other["place"] == "unknown"
    assert (later["run"], later["place"], later["records"]) == ("unmeasured", None, None)


def test_the_last_measurement_of_a_result_counts(full: Path, tmp_path: Path) -> None:
    with Ledger(full) as ledger:
        write_down(ledger, measure(ledger, "r"), 9.0)
    found = tables(full, tmp_path)

    assert len(found["delivery"]) == 2 * len(found["arrival"])
    assert sum(row["path"] == "$.early" for row in found["part"]) == 1


def test_parts_and_fields_add_up_to_what_arrived(full: Path, tmp_path: Path) -> None:
    found = tables(full, tmp_path)
    cut = found["arrival"][0]
    parts = [one for one in found["part"] if one["result"] == cut["number"]]

    assert [one["path"] for one in parts] == ["$.early", "$.late"]
    assert sum(one["produced"] for one in parts) == cut["records"] == 18
    assert sum(one["delivered"] for one in parts) == cut["records_arrived"]
    assert {(one["field"], one["produced"]) for one in found["field"]} == {("id", 9)}
    assert [one["delivered"] for one in found["field"]] == [one["delivered"] for one in parts]


def test_requests_have_their_tokens_and_the_window(full: Path, tmp_path: Path) -> None:
    first, raw = tables(full, tmp_path)["request"]

    assert (first["model"], first["window"], first["messages"]) == ("gpt-4o", 128_000, 2)
    assert json.loads(first["roles"]) == {"tool": 1, "user": 1}
    assert (first["input_tokens"], first["carried"]) == (12, 1)
    assert first["tokens_low"] <= first["tokens"] <= first["tokens_high"]
    assert (raw["tokens"], raw["window"]) == (None, None)


def test_an_empty_ledger_has_every_table_without_rows(tmp_path: Path) -> None:
    Ledger(tmp_path / "a.ledger").close()

    found = tables(tmp_path / "a.ledger", tmp_path)

    assert set(found) == {*COLUMNS, "arrival", "part", "field", "request"}
    assert not any(found.values())


def test_every_time_of_an_export_is_a_moment() -> None:
    timed = {
        column.name
        for one in filled_tables(content=False)
        for column in one.table.columns
        if column.kind == "time"
    }
    assert timed == TIMES


def test_an_account_that_cannot_be_read_is_said_with_what_to_do(tmp_path: Path) -> None:
    row = Delivery(
        run="r",
        result=1,
        exchange=None,
        certainty=None,
        delivered_chars=None,
        records=None,
        records_arrived=None,
        parts=None,
        parts_arrived=None,
        rate=None,
        valid=None,
        notice=None,
        boundary=None,
        place="unknown",
        arrival='{"of": "another version"}',
        at=1.0,
    )
    with Ledger(tmp_path / "a.ledger") as ledger:
        ledger.add_produced(result("text"))
        add(ledger.session, [row])

    with pytest.raises(LedgerError, match=r"result 1 cannot be read .*ullage ledger measure"):
        tables(tmp_path / "a.ledger", tmp_path)


def test_one_run_is_all_that_is_there_of_one_run(full: Path) -> None:
    with Ledger.read(full) as ledger:
        found = {
            one.table.name: list(one.rows(ledger, "other")) for one in filled_tables(content=True)
        }
        flat = list(flat_rows(ledger.session, ledger.scrubber, "result", "r", content=False))

    assert {name: len(rows) for name, rows in found.items() if rows} == {
        "exchange": 1,
        "request": 1,
    }
    assert len(flat) == 2
