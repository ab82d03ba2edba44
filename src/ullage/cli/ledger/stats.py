"""`ullage ledger stats`: what a ledger holds."""

from pathlib import Path

import click

from ullage.cli.ledger.place import argument, option_, place_of
from ullage.cli.options import Output, format_option
from ullage.cli.output import print_document
from ullage.ledger.store import Ledger


@click.command("stats")
@argument
@option_
@format_option
def command(path: Path | None, option: Path | None, output: Output) -> None:
    """Say how much LEDGER holds, and how many records could not be kept.

    \b
    Example:
      ullage ledger stats --format json
    """
    with Ledger.read(place_of(path, option)) as ledger:
        found = ledger.stats()
    if output == "json":
        print_document("ullage.stats/1", found.to_dict())
        return
    rows = {
        "exchanges": found.exchanges,
        "tool results": found.tool_results,
        "blobs": found.blobs,
        "bytes on disk": found.bytes,
        "not recorded": found.not_recorded,
    }
    for name, count in rows.items():
        click.echo(f"{name:<14}{count:>12}")
