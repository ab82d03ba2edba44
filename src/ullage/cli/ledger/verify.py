"""`ullage ledger verify`: whether a ledger is what was written."""

from collections import Counter
from pathlib import Path

import click

from ullage.cli.ledger.place import argument, option_, place_of
from ullage.cli.options import Output, format_option
from ullage.cli.output import print_document
from ullage.cli.progress import progress, stopped_by_hand
from ullage.errors import LedgerError
from ullage.ledger.store import Ledger
from ullage.ledger.verify import how_many


@click.command("verify")
@argument
@option_
@format_option
def command(path: Path | None, option: Path | None, output: Output) -> None:
    """Hash everything in LEDGER again, and say what is damaged and which records use it.

    \b
    Example:
      ullage ledger verify runs/a.ledger
    It changes nothing. Exit code 0: the ledger is whole. 3: it is damaged, one line for each fault
    on stderr.
    """
    place = place_of(path, option)
    with Ledger.read(place) as ledger:
        total = how_many(ledger.session)
        done = Counter[str]()
        with (
            stopped_by_hand(lambda: f"{done['records']} of {total} records were read again"),
            progress("Verifying", total, unit="records") as step,
        ):

            def read() -> None:
                done["records"] += 1
                step()

            found = ledger.verify(read)
    if output == "json":
        print_document("ullage.verify/1", found.to_dict())
    elif found.whole:
        click.echo(f"{place} is whole: {found.blobs} blobs, {found.records} records")
    lines = found.lines()
    for line in lines:
        click.echo(f"{place}: {line}", err=True)
    if not found.whole:
        raise LedgerError(
            f"{place} is damaged ({len(lines)} found): keep a copy, and record into a new ledger"
        )
