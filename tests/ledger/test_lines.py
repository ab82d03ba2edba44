"""Export and import: lines that lose nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ullage.errors import LoadError
from ullage.ledger.entries import entries
from ullage.ledger.lines import COLUMNS, Content, Document, Words, from_line, to_line
from ullage.ledger.records import ExchangeRecord, ProducedRecord, StepRecord
from ullage.ledger.store import Ledger
from ullage.ledger.transfer import renamed, transfer_into

Exchange = Callable[..., ExchangeRecord]
Produced = Callable[..., ProducedRecord]
Step = Callable[..., StepRecord]
EXAMPLES = {str: "a", float: 1.0, Words: {"a": "b"}, Content: "text", Document: {"a": 1}}
KEY = "sk-" + "proj-" + "Aq7Zk2Wx9Tn4Rb6Vm1Lp8Hd3"


def exported(place: Path) -> list[str]:
    with Ledger.read(place) as ledger:
        return [to_line(one) for one in entries(ledger.session, ledger.scrubber)]


def imported(lines: list[str], place: Path, prefix: str = "") -> Path:
    with Ledger(place) as ledger:
        transfer = transfer_into(ledger.session, ledger.scrubber)
        for line in lines:
            transfer.add(renamed(from_line(msgspec.json.decode(line)), prefix))
    return place


@pytest.fixture
def full(place: Path, exchange: Exchange, produced: Produced, step: Step) -> Path:
    """A ledger with a record of each kind."""
    with Ledger(place) as ledger:
        ledger.add_exchange(exchange(agent="planner", path=f"/v1/chat/completions?key={KEY}"))
        ledger.add_exchange(exchange(request_body=b"\xff\x00raw", status=None, first_byte=None))
        number = ledger.add_produced(produced(agent="planner", call_id="call_1"))
        ledger.hand_on(number, "[]")
        lone = ledger.add_produced(produced(run="r2", text="a lone \ud83d surrogate", key=None))
        ledger.hand_on(lone, f"key {KEY}")
        ledger.add_step(step())
        ledger.add_fault("r2", "the disk was full", 5.0)
    return place


def test_an_export_that_is_imported_exports_the_same_lines(full: Path, tmp_path: Path) -> None:
    lines = exported(full)

    copy = imported(lines, tmp_path / "copy.ledger")

    assert exported(copy) == lines
    with Ledger.read(copy) as ledger:
        assert ledger.verify().lines() == []


def test_an_imported_ledger_reads_as_the_one_it_came_from(full: Path, tmp_path: Path) -> None:
    copy = imported(exported(full), tmp_path / "copy.ledger")

    with Ledger.read(full) as before, Ledger.read(copy) as after:
        assert list(after.exchanges()) == list(before.exchanges())
        assert list(after.results()) == list(before.results())
        assert list(after.steps()) == list(before.steps())
        assert after.runs() == before.runs()


def test_numbers_with_gaps_are_kept_in_an_empty_ledger(full: Path, tmp_path: Path) -> None:
    lines = [line for line in exported(full) if '"number":1,' not in line]

    assert exported(imported(lines, tmp_path / "copy.ledger")) == lines


def test_into_a_ledger_that_holds_something_records_go_behind_it(
    full: Path, tmp_path: Path
) -> None:
    lines = exported(full)
    copy = imported(lines, tmp_path / "copy.ledger")

    imported(lines, copy, prefix="again-")

    with Ledger.read(copy) as ledger:
        assert set(ledger.runs()) == {"r1", "r2", "again-r1", "again-r2"}
        first, second = list(ledger.results("r2")), list(ledger.results("again-r2"))
        assert [one.handed_on for one in second] == [one.handed_on for one in first]
        assert ledger.verify().whole


def test_what_is_not_utf8_is_written_in_base64_and_read_back(full: Path) -> None:
    lines = [msgspec.json.decode(line) for line in exported(full)]

    (raw,) = [one for one in lines if one["record"] == "exchange" and one["number"] == 2]
    assert raw["request_body"] == {"base64": "/wByYXc="}
    assert raw["request_bytes"] == 5


def test_a_line_of_a_newer_version_is_named() -> None:
    with pytest.raises(LoadError, match="unknown record 'dream': it was written by a newer"):
        from_line({"record": "dream"})


@pytest.mark.parametrize(
    ("name", "value"), [("at", "monday"), ("text", 3), ("keep", "half"), ("run", None)]
)
def test_a_member_of_the_wrong_kind_is_named(full: Path, name: str, value: Any) -> None:
    line = next(line for line in exported(full) if '"record":"result"' in line)
    members = {**msgspec.json.decode(line), name: value}

    with pytest.raises(LoadError, match=f"result: {name}: "):
        from_line(members)


def test_a_hand_over_without_its_result_is_named(full: Path, tmp_path: Path) -> None:
    lines = [line for line in exported(full) if '"record":"handed_on"' in line]

    with pytest.raises(LoadError, match="about result 1, which does not come before it"):
        imported(lines, tmp_path / "copy.ledger")


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("text", {"base64": "!"}),
        ("text", {"base": ""}),
        ("text_hash", "no hex"),
        ("number", 2**63),
    ],
)
def test_what_cannot_be_stored_is_a_fault_of_the_line(
    full: Path, member: str, value: object
) -> None:
    line = next(line for line in exported(full) if '"record":"result"' in line)

    with pytest.raises(LoadError, match=r"result: (text|number): "):
        from_line({**msgspec.json.decode(line), member: value})


def test_a_record_that_comes_twice_is_named(full: Path, tmp_path: Path) -> None:
    lines = exported(full)

    with pytest.raises(LoadError, match="exchange 1 comes twice"):
        imported([*lines, lines[0]], tmp_path / "copy.ledger")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)


@given(
    table=st.sampled_from(sorted(COLUMNS)),
    changes=st.lists(st.tuples(st.integers(0, 30), JSON), min_size=1, max_size=3),
)
def test_any_line_is_read_or_refused(table: str, changes: list[tuple[int, object]]) -> None:
    members = {
        "record": table,
        **{name: EXAMPLES.get(kind, 1) for name, kind in COLUMNS[table].items()},
    }
    for at, value in changes:
        members[list(members)[at % len(members)]] = value

    try:
        entry = from_line(members)
    except LoadError:
        return
    assert from_line(msgspec.json.decode(to_line(entry))).row == entry.row


TEXTS = st.text(st.characters(exclude_categories=()), max_size=60)


@settings(max_examples=30)
@given(bodies=st.lists(st.tuples(st.binary(max_size=60), TEXTS), max_size=5), tag=TEXTS)
def test_whatever_is_recorded_is_exported_and_imported_without_loss(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[tuple[bytes, str]], tag: str
) -> None:
    folder = tmp_path_factory.mktemp("lines")
    with Ledger(folder / "a.ledger") as ledger:
        for body, text in bodies:
            ledger.add_exchange(
                ExchangeRecord(
                    run=tag,
                    method="POST",
                    path=text,
                    upstream="http://a.test",
                    request_headers=[("Content-Type", text), ("X-Other", text)],
                    request_body=body,
                    status=200,
                    response_headers=[],
                    response_body=text.encode("utf-8", "surrogatepass"),
                    started=1.0,
                    first_byte=None,
                    ended=2.0,
                )
            )
            ledger.add_produced(
                ProducedRecord(run=tag, tool=text, kind="tool", arguments=text, text=text, at=1.0)
            )
    lines = exported(folder / "a.ledger")

    assert exported(imported(lines, folder / "b.ledger")) == lines
