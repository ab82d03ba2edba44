"""Every table of a ledger is known to all that handle whole ledgers."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ullage.ledger import entries, lines, prune, rows, verify
from ullage.ledger.store import Ledger

# The key, what rows refer to, and what processes tell each other: none of it is a record.
NO_RECORDS = {"ledger", "blob", "secret", "settled", "sqlite_sequence"}


@pytest.fixture
def columns(place: Path) -> dict[str, set[str]]:
    """The columns of every table of records."""
    Ledger(place).close()
    with closing(sqlite3.connect(place)) as db:
        names = [
            row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return {
            name: {row[1] for row in db.execute(f"PRAGMA table_info({name})")}
            for name in set(names) - NO_RECORDS
        }


def test_export_verify_and_the_writing_of_rows_know_every_table(
    columns: dict[str, set[str]],
) -> None:
    for known in (entries.CONTENTS, entries._SELECT, lines.COLUMNS, verify._ROWS, rows._INSERT):
        assert set(known) == set(columns)


def test_pruning_takes_a_run_out_of_every_table(columns: dict[str, set[str]]) -> None:
    deleted = {found[1] for one in prune._DELETE if (found := re.match(r"DELETE FROM (\w+)", one))}

    # What was pruned is told for ever.
    assert deleted == set(columns) - {"pruned"} | {"secret"}


def test_an_export_has_every_column_but_the_hashes(columns: dict[str, set[str]]) -> None:
    for table, names in columns.items():
        hashes = {name for name in names if name.endswith("_hash")}
        assert set(lines.COLUMNS[table]) == names - hashes - {"seal"}
