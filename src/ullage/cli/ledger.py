"""`ullage ledger`: keep a ledger healthy."""

import os
from pathlib import Path

import click

from ullage.cli.options import Output, format_option
from ullage.cli.output import print_document
from ullage.errors import LedgerError
from ullage.ledger.store import Ledger

argument = click.argument(
    "path", metavar="[LEDGER]", required=False, type=click.Path(path_type=Path)
)
option_ = click.option(
    "--ledger",
    "option",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The ledger; else ULLAGE_LEDGER, else ./ullage.ledger.",
)


@click.group("ledger")
def command() -> None:
    """Keep a ledger healthy.

    \b
    Example:
      ullage ledger stats                  what ./ullage.ledger holds
      ullage ledger verify runs/a.ledger   read everything in it again
    """


@command.command("verify")
@argument
@option_
@format_option
def verify(path: Path | None, option: Path | None, output: Output) -> None:
    """Hash everything in LEDGER again, and say what is damaged and which records use it.

    \b
    Example:
      ullage ledger verify runs/a.ledger
    It changes nothing. Exit code 0: the ledger is whole. 3: it is damaged, one line for each fault
    on stderr.
    """
    place = place_of(path, option)
    with Ledger.read(place) as ledger:
        found = ledger.verify()
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


@command.command("stats")
@argument
@option_
@format_option
def stats(path: Path | None, option: Path | None, output: Output) -> None:
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


def place_of(path: Path | None, option: Path | None) -> Path:
    """Return the ledger that the user named, or the default one."""
    if path is not None and option is not None:
        raise click.UsageError("name the ledger once: as an argument, or with --ledger")
    return path or option or Path(os.environ.get("ULLAGE_LEDGER") or "ullage.ledger")
