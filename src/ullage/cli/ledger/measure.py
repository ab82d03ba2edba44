"""`ullage ledger measure`: what arrived, written beside the results."""

import time
from pathlib import Path

import click

from ullage.checks.measure import measure
from ullage.checks.settle import write_down
from ullage.cli.ledger.place import argument, option_, place_of, to_change
from ullage.cli.output import say
from ullage.errors import LedgerError
from ullage.ledger.measurements import has_all_texts


@click.command("measure")
@argument
@option_
@click.option("--run", metavar="TAG", help="One run only; else all of them.")
def command(path: Path | None, option: Path | None, run: str | None) -> None:
    """Measure what arrived of the results in LEDGER, and write it beside them.

    `ullage run` does this by itself; after `ullage proxy` or an import, do it here. `stats` and
    `requests` show it, and so does the view `arrival` in any SQLite program: sizes, arrived parts,
    validity and boundary of every result. A run that is kept without texts was measured before.

    \b
    Example:
      ullage ledger measure runs/a.ledger
      sqlite3 runs/a.ledger "SELECT tool, produced_chars, delivered_chars FROM arrival"
    """
    place = place_of(path, option)
    with to_change(place) as ledger:
        runs = ledger.runs()
        if run is not None and run not in runs:
            raise LedgerError(f"{place} has no run {run!r}: look at ullage ledger stats")
        wanted = runs if run is None else [run]
        todo = [tag for tag in wanted if has_all_texts(ledger.session, tag)]
        results = 0
        for tag in todo:
            found = measure(ledger, tag)
            write_down(ledger, found, time.time())
            results += len(found.results)
    say(f"ullage ledger: {results} results of {len(todo)} runs measured")
