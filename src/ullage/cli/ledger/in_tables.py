"""A ledger as a folder of Parquet files, one a table."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

import click

from ullage.cli.apart import apart, others_in, put_folder
from ullage.cli.options import check_output
from ullage.cli.output import say
from ullage.cli.progress import Step, item_by_item, progress, stopped_by_hand
from ullage.ledger import schema
from ullage.ledger.entries import how_many
from ullage.ledger.lines import COLUMNS
from ullage.ledger.store import Ledger
from ullage.report.columns import Row
from ullage.report.ledger_tables import ARRIVAL, filled_tables
from ullage.report.parquet import require, write_table
from ullage.transcript.counted import many

OWNER_ONLY = 0o700


def write_tables(ledger: Ledger, folder: Path, run: str | None, *, content: bool) -> None:
    """Write every table of a ledger into a folder: all of them, or none."""
    require()
    tables = filled_tables(content=content)
    check_folder(folder, [f"{one.table.name}.parquet" for one in tables])
    notes = notes_of(ledger, run, content=content)
    rows, unmeasured = Counter[str](), Counter[str]()
    recorded = set(COLUMNS)
    with (
        stopped_by_hand(lambda: f"{folder} is as it was before"),
        apart(folder) as beside,
        progress("Exporting", how_many(ledger.session, run), unit="records") as step,
        item_by_item() as whole,
    ):
        new = beside / "tables"
        new.mkdir(mode=OWNER_ONLY)
        for one in tables:
            name = one.table.name
            found = one.rows(ledger, run)
            if one.table is ARRIVAL:
                found = noting_unmeasured(found, unmeasured)
            # The tables behind those of the ledger are made of the same records: they count once.
            shown = told(found, name, int(name in recorded), step, whole)
            rows[name] = write_table(new / f"{name}.parquet", one.table, shown, notes)
        put_folder(new, folder)
    say(f"ullage ledger: {many(rows.total(), 'row')} in {len(tables)} tables are in {folder}")
    if unmeasured.total():
        say(
            f"ullage ledger: {many(unmeasured.total(), 'result')} not measured yet, of which the "
            "tables say nothing that arrived: `ullage ledger measure`, then export again"
        )


def check_folder(folder: Path, ours: Collection[str]) -> None:
    """Refuse, before anything is done, a place that holds anything but an earlier export."""
    check_output(folder)
    if folder.exists() and not folder.is_dir():
        raise click.BadParameter(
            f"{str(folder)!r} is a file: tables are written into a folder, one file each",
            param_hint="--output",
        )
    if others := others_in(folder, ours):
        raise click.BadParameter(
            f"{str(folder)!r} holds other files ({json.dumps(others[0])} is one of {len(others)}): "
            "an export is a folder of its own, so name one that is not there yet",
            param_hint="--output",
        )


def notes_of(ledger: Ledger, run: str | None, *, content: bool) -> dict[str, str]:
    """Return what every file says of the export in its metadata."""
    with ledger.session.reading() as db:
        notes = {"ledger_schema": str(schema.version(db)), "content": json.dumps(content)}
    return notes if run is None else {**notes, "run": run}


def noting_unmeasured(rows: Iterable[Row], unmeasured: Counter[str]) -> Iterator[Row]:
    """Yield the rows of `arrival`, and count the results that were not measured."""
    for row in rows:
        unmeasured["results"] += row["place"] is None
        yield row


def told(
    rows: Iterable[Row], name: str, each: int, step: Step, whole: Callable[[], None]
) -> Iterator[Row]:
    """Yield rows; say how far it has come, each row being so much of it, and stop between two."""
    for row in rows:
        yield row
        step(each, name)
        whole()
