"""A replay as Parquet: the rows of its CSV form, in columns that are declared."""

from pathlib import Path
from typing import get_type_hints

import pytest
from tests.policies.recordings import in_lines, rows

from ullage import replay
from ullage.report.columns import Kind
from ullage.report.replay_parquet import TABLE, write_replay
from ullage.report.replay_rows import Row, rows_of

pq = pytest.importorskip("pyarrow.parquet")

KINDS: dict[object, Kind] = {
    str: "text",
    str | None: "text",
    int: "whole",
    int | None: "whole",
    float | None: "number",
}


def test_the_columns_are_the_members_of_a_row_by_their_types() -> None:
    assert [(one.name, one.kind) for one in TABLE.columns] == [
        (name, KINDS[form]) for name, form in get_type_hints(Row).items()
    ]


@pytest.mark.parametrize("known", ["produced", "delivered"])
def test_a_replay_has_the_rows_of_its_csv(known: str, tmp_path: Path) -> None:
    path = in_lines(tmp_path / "results.jsonl", rows(2, 2), known=known)
    found = replay(path, policies=["prefix:6000", "records:6000"], workers=1, second_path=True)

    count = write_replay(found, tmp_path / "replay.parquet")

    read = pq.read_table(tmp_path / "replay.parquet").to_pylist()
    assert [Row(**row) for row in read] == list(rows_of(found))
    assert count == len(read) > 0
