"""Tables as Parquet files: what is written is what was given, or it is said."""

import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.errors import UllageError
from ullage.report.columns import Column, Kind, Row, Table
from ullage.report.parquet import ROWS, SIZE, batches, write_table

pq = pytest.importorskip("pyarrow.parquet")

KINDS: tuple[Kind, ...] = ("text", "whole", "number", "truth", "time", "bytes")
TABLE = Table(
    name="made",
    about="a row of each kind",
    columns=tuple(Column(name=kind, kind=kind, about=f"a {kind}") for kind in KINDS),
)
VALUES: dict[Kind, st.SearchStrategy[object]] = {
    "text": st.text(st.characters(exclude_categories=["Cs"])) | st.just("😀\0" * 5_000),
    "whole": st.integers(-(2**63), 2**63 - 1),
    "number": st.floats(allow_nan=False),
    "truth": st.booleans(),
    "time": st.floats(0, 4e9),
    "bytes": st.binary(),
}
EMPTY: Row = dict.fromkeys(KINDS)


def read(place: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(place).to_pylist()
    return found


def as_read(row: Row) -> Row:
    at = row["time"]
    if not isinstance(at, float):
        return row
    micro = round(at * 1_000_000)
    moment = datetime.fromtimestamp(micro // 1_000_000, UTC)
    return {**row, "time": moment.replace(microsecond=micro % 1_000_000)}


@given(
    rows=st.lists(
        st.fixed_dictionaries({kind: st.none() | values for kind, values in VALUES.items()})
    )
)
def test_rows_are_read_back_as_they_were_written(
    rows: list[Row], tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("made") / "a.parquet"

    assert write_table(place, TABLE, rows) == len(rows)

    assert read(place) == [as_read(row) for row in rows]


def test_the_schema_is_declared_and_the_same_without_rows(tmp_path: Path) -> None:
    write_table(tmp_path / "none.parquet", TABLE, [])
    write_table(tmp_path / "null.parquet", TABLE, [EMPTY, EMPTY])
    none, null = (pq.read_schema(tmp_path / f"{name}.parquet") for name in ("none", "null"))

    assert none.equals(null, check_metadata=True)
    assert [str(one.type) for one in none] == [
        "string",
        "int64",
        "double",
        "bool",
        "timestamp[us, tz=UTC]",
        "binary",
    ]
    assert none.field("text").metadata[b"about"] == b"a text"


def test_a_file_names_its_schema_its_table_and_the_version(tmp_path: Path) -> None:
    write_table(tmp_path / "a.parquet", TABLE, [], {"run": "monday"})
    found = pq.read_schema(tmp_path / "a.parquet").metadata

    assert {b"ullage.schema": b"ullage.tables/1", b"ullage.table": b"made"}.items() <= found.items()
    assert found[b"ullage.version"]
    assert found[b"ullage.run"] == b"monday"


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("text", "half \ud83d of one", "made: a value of text"),
        ("whole", 2**63, "made: a value of whole"),
        ("truth", "yes", "made: a value of truth"),
        ("time", 1e300, r"time is 1e\+300, no time"),
        ("time", float("inf"), "time is inf, no time"),
    ],
)
def test_a_value_that_a_column_cannot_hold_is_said(
    column: str, value: object, said: str, tmp_path: Path
) -> None:
    with pytest.raises(UllageError, match=said):
        write_table(tmp_path / "a.parquet", TABLE, [{**EMPTY, column: value}])


def test_a_group_is_written_at_so_many_rows_or_so_much_text() -> None:
    def rows(number: int, size: int) -> Iterator[Row]:
        return ({**EMPTY, "text": "x" * size} for _ in range(number))

    many = [len(one["text"]) for one in batches(TABLE, rows(2 * ROWS + 1, 1))]
    large = [len(one["text"]) for one in batches(TABLE, rows(5, SIZE // 2))]

    assert (many, large) == ([ROWS, ROWS, 1], [2, 2, 1])


PEAK = """
import resource, sys
from pathlib import Path
from ullage.report.columns import Column, Table
from ullage.report.parquet import write_table
table = Table(name="t", about="", columns=(Column(name="text", kind="text", about=""),))
rows = ({"text": f"{n:09} " * 10_000} for n in range(int(sys.argv[2])))
write_table(Path(sys.argv[1]), table, rows)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no peak of memory to ask for")
def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    def peak(texts: int) -> int:
        done = subprocess.run(
            [sys.executable, "-c", PEAK, str(tmp_path / "a.parquet"), str(texts)],
            capture_output=True,
            text=True,
            check=True,
        )
        return int(done.stdout)

    few, many = peak(400), peak(4_000)  # 40 MB and 400 MB of text

    assert many - few < 60


def test_a_missing_library_is_named_with_how_to_install_it() -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from ullage.cli.main import main\n"
        "main(['replay', sys.executable, '--format', 'parquet', '--output', 'x.parquet'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 3
    assert "Parquet needs pyarrow: pip install 'ullage[parquet]'" in done.stderr
