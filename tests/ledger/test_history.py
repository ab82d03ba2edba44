"""Compactions, kept texts and their use in a ledger: written, moved, reduced and taken out."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ullage.errors import LedgerError
from ullage.ledger import schema
from ullage.ledger.entries import entries
from ullage.ledger.history import shortened
from ullage.ledger.history_records import CompactionRecord, KeptRecord, RecallRecord
from ullage.ledger.keep import KeepPolicy
from ullage.ledger.lines import from_line, to_line
from ullage.ledger.opening import open_to_write
from ullage.ledger.prune import Limits, prune
from ullage.ledger.records import ProducedRecord
from ullage.ledger.reduced import Reducer
from ullage.ledger.store import Ledger
from ullage.ledger.transfer import renamed, transfer_into

KEY = "sk-" + "proj-" + "Aq7Zk2Wx9Tn4Rb6Vm1Lp8Hd3"
EVENTS = [{"action": "elide", "rule": "superseded", "messages": [3, 5], "what": "2 results"}]
COMPACTION = CompactionRecord(
    run="monday",
    at=10.0,
    tier="T4",
    unit="tokens",
    budget=8000,
    before=9100,
    after=4700,
    tokens_before=9100,
    tokens_after=4700,
    events=json.dumps(EVENTS),
)
KEPT = KeptRecord(
    run="monday", at=11.0, tool="read", arguments='{"path":"a"}', text="a\nb\n", records=2
)


@pytest.fixture
def full(place: Path) -> Path:
    """A ledger with a compaction, a kept text and a use of it."""
    with Ledger(place, durability="sync") as ledger:
        ledger.record(COMPACTION)
        handle = ledger.keep(KEPT)
        ledger.record(
            RecallRecord(
                run="monday", at=12.0, handle=handle, part=None, records="0-19", chars=4, known=True
            )
        )
    return place


def exported(place: Path) -> list[str]:
    with Ledger.read(place) as ledger:
        return [to_line(one) for one in entries(ledger.session, ledger.scrubber)]


def moved(source: Path, place: Path, prefix: str = "") -> Path:
    with Ledger(place) as ledger:
        transfer = transfer_into(ledger.session, ledger.scrubber)
        for line in exported(source):
            transfer.add(renamed(from_line(msgspec.json.decode(line)), prefix))
    return place


def test_a_compaction_is_read_back_as_it_was_written(full: Path) -> None:
    with Ledger.read(full) as ledger:
        (one,) = ledger.compactions("monday")

    assert (one.tier, one.unit, one.budget, one.before, one.after) == (
        "T4",
        "tokens",
        8000,
        9100,
        4700,
    )
    assert list(one.events) == EVENTS


def test_compactions_of_another_run_are_not_given(full: Path) -> None:
    with Ledger.read(full) as ledger:
        assert list(ledger.compactions("tuesday")) == []
        assert len(list(ledger.compactions())) == 1


def test_a_kept_text_is_listed_without_its_text(full: Path) -> None:
    with Ledger.read(full) as ledger:
        (one,) = ledger.kept("monday")

    assert (one.tool, one.arguments, one.records, one.chars) == ("read", '{"path":"a"}', 2, 4)


def test_an_export_that_is_imported_exports_the_same_lines(full: Path, tmp_path: Path) -> None:
    copy = moved(full, tmp_path / "copy.ledger")

    assert exported(copy) == exported(full)
    with Ledger.read(copy) as ledger:
        assert ledger.verify().lines() == []


def test_what_is_moved_is_found_by_the_same_handle(full: Path, tmp_path: Path) -> None:
    copy = moved(full, tmp_path / "copy.ledger", prefix="old-")

    with Ledger.read(copy) as ledger:
        (one,) = ledger.kept("old-monday")
        kept = ledger.kept_text(one.handle)
    assert kept is not None
    assert (kept.run, kept.text) == ("old-monday", "a\nb\n")


@pytest.mark.parametrize("table", ["compaction", "kept", "recalled"])
def test_a_changed_row_is_noticed(full: Path, table: str) -> None:
    with Ledger(full) as ledger, ledger.session.writing() as db:
        db.execute(f"UPDATE {table} SET at = 99.0")

    with Ledger.read(full) as ledger:
        assert ledger.verify().lines() == [
            f"{table} 1 is not what was written: its values have changed"
        ]


def test_a_run_of_which_only_a_history_is_known_is_pruned(full: Path) -> None:
    with Ledger(full) as ledger:
        ledger.add_produced(
            ProducedRecord(run="new", tool="t", kind="tool", arguments="", text="x", at=99.0)
        )
        gone = prune(ledger.session, Limits(oldest=50.0), at=100.0)

        assert [one.run.tag for one in gone] == ["monday"]
        assert list(ledger.compactions()) == []
        assert list(ledger.kept()) == []
        assert ledger.verify().whole


def test_pruning_leaves_what_other_runs_keep(full: Path) -> None:
    with Ledger(full) as ledger:
        ledger.keep(KeptRecord(run="new", at=99.0, tool="t", arguments="", text="new", records=1))
        prune(ledger.session, Limits(oldest=50.0), at=100.0)

        (one,) = ledger.kept()
        assert ledger.verify().whole
        assert ledger.kept_text(one.handle) is not None


@pytest.mark.parametrize("level", ["hashes", "counts"])
def test_a_kept_text_goes_where_less_is_kept(full: Path, tmp_path: Path, level: Any) -> None:
    with Ledger.read(full) as source, Ledger(tmp_path / "less.ledger") as target:
        reducer = Reducer(KeepPolicy(default=level), source.session.key)
        transfer = transfer_into(target.session, target.scrubber)
        for entry in entries(source.session, source.scrubber):
            transfer.add(reducer.reduced(entry))

        (one,) = target.kept()
        assert (one.chars, one.whole) == (4, False)
        assert target.verify().whole


def test_secrets_are_taken_out_of_all_of_it(place: Path) -> None:
    with Ledger(place, durability="sync") as ledger:
        handle = ledger.keep(
            KeptRecord(
                run="r", at=1.0, tool="t", arguments=f'{{"key":"{KEY}"}}', text=KEY, records=1
            )
        )
        ledger.record(
            RecallRecord(run="r", at=1.0, handle=KEY, part=KEY, records=KEY, chars=0, known=False)
        )

        assert KEY not in "\n".join(
            to_line(one) for one in entries(ledger.session, ledger.scrubber)
        )
        assert ledger.kept_text(handle) is not None


def test_what_a_model_wrote_as_a_handle_is_kept_short(place: Path) -> None:
    with Ledger(place, durability="sync") as ledger:
        ledger.record(
            RecallRecord(
                run="r", at=1.0, handle="x " * 5000, part=None, records=None, chars=0, known=False
            )
        )

        (line,) = (to_line(one) for one in entries(ledger.session, ledger.scrubber))
        assert len(line) < 500


def test_a_ledger_of_the_schema_before_is_brought_up_to_date(place: Path) -> None:
    steps = list(schema.MIGRATIONS)
    before = steps.index(schema._history)
    with closing(sqlite3.connect(place)) as db:
        for step in steps[:before]:
            step(db)
        db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {before}")
        db.commit()

    with pytest.raises(LedgerError, match=f"has ledger schema {before}"):
        Ledger.read(place)
    open_to_write(place, 1.0, durable=False).close()
    with Ledger.read(place) as ledger:
        assert list(ledger.compactions()) == []


def test_how_often_runs_were_shortened_is_told_in_one_look(full: Path) -> None:
    with Ledger(full, durability="sync") as ledger:
        ledger.record(replace(COMPACTION, at=20.0, tier="T1", tokens_after=100))
        ledger.record(replace(COMPACTION, run="other", at=30.0, tier="T3"))

        found = shortened(ledger.session, ["monday"])

    assert (found.compactions, found.tier, found.tokens_after) == (2, "T1", 100)
    assert found.rules == ("superseded",)
    assert (found.recall.offered, found.recall.used) == (1, 1)


def test_runs_that_were_not_shortened_have_no_tier(full: Path) -> None:
    with Ledger.read(full) as ledger:
        assert shortened(ledger.session, ["tuesday"]).to_dict() == {
            "compactions": 0,
            "tier": None,
            "tokens_before": 0,
            "tokens_after": 0,
            "rules": [],
            "recall": {"offered": 0, "used": 0, "pages": 0, "unknown": 0, "rate": None},
        }
