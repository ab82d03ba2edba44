"""The page on Parquet: its commands and queries print what it says, its columns are real."""

import io
import re
import runpy
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ullage.ledger.lines import COLUMNS
from ullage.report.columns import Table
from ullage.report.ledger_tables import filled_tables
from ullage.report.replay_parquet import TABLE
from ullage.report.replay_rows import MEASURES

duckdb = pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "parquet.md"
SQL = re.compile(r"```sql\n(?P<query>.*?)```\n\n```text\n.*?```", re.DOTALL)
MADE = re.compile(r"<!-- (?P<name>\w+) -->\n.*?<!-- end -->", re.DOTALL)


def listed(tables: Iterable[Table]) -> str:
    return "\n".join(
        f"**`{table.name}`**: {table.about}.\n\n| column | holds | what it is |\n|---|---|---|\n"
        + "".join(f"| `{one.name}` | {one.kind} | {one.about} |\n" for one in table.columns)
        for table in tables
    )


def in_short(tables: Iterable[Table]) -> str:
    rows = (
        f"| `{table.name}` | {table.about} | {', '.join(f'`{c.name}`' for c in table.columns)} |\n"
        for table in tables
    )
    return "| table | a row is | columns |\n|---|---|---|\n" + "".join(rows)


def with_columns(page: str) -> str:
    """Return the page with the columns that the tables have now."""
    tables = [one.table for one in filled_tables(content=False)]
    measures = "".join(f"| `{name}` | {about} |\n" for name, about in MEASURES.items())
    made = {
        "derived": listed(one for one in tables if one.name not in COLUMNS),
        "export": in_short(one for one in tables if one.name in COLUMNS),
        "replay": listed([TABLE]),
        "measures": f"| measure | what it counts |\n|---|---|\n{measures}",
    }
    return MADE.sub(
        lambda found: f"<!-- {found['name']} -->\n\n{made[found['name']]}\n<!-- end -->", page
    )


def asked(query: str) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        duckdb.sql(query).show(max_width=120, max_rows=100)
    return out.getvalue().strip("\n")


def carried_out(page: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the page with what its commands and its queries print now."""
    carry = runpy.run_path(str(DOCS / "carry_out.py"))
    with carry["workshop"](folder) as shell:
        page = carry["BLOCK"].sub(shell.block, page)
    monkeypatch.chdir(folder)
    return SQL.sub(
        lambda found: f"```sql\n{found['query']}```\n\n```text\n{asked(found['query'])}\n```", page
    )


def test_the_page_has_the_columns_of_every_table() -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert with_columns(page) == page


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the page is for a POSIX shell")
def test_the_commands_and_the_queries_of_the_page_print_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert carried_out(page, tmp_path, monkeypatch) == page
    assert len(SQL.findall(page)) == 5


if __name__ == "__main__":  # write what it prints now
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        printed = carried_out(PAGE.read_text(encoding="utf-8"), Path(name).resolve(), patch)
    PAGE.write_text(with_columns(printed), encoding="utf-8")
