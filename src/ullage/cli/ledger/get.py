"""`ullage ledger get`: a whole result again, or some of its records."""

from pathlib import Path

import click

from ullage.cli.ledger.place import argument, option_, place_of
from ullage.cli.output import print_exactly, say
from ullage.cutter.page import page
from ullage.errors import LedgerError
from ullage.ledger.store import Ledger

SECRET = "secret:"


@click.command("get")
@click.argument("handle", type=click.IntRange(min=1))
@argument
@option_
@click.option("--part", metavar="PATH", help="One part of it, by its path: '$.late_list'.")
@click.option("--records", metavar="A-B", help="Records A to B, from 0, of a list or of lines.")
def command(
    handle: int, path: Path | None, option: Path | None, part: str | None, records: str | None
) -> None:
    """Print a whole result again, or some records of it: the rest of what a cut left out.

    HANDLE is the number in a cut's notice. The text is as the ledger keeps it: without secrets.

    \b
    Example:
      ullage ledger get 12
      ullage ledger get 12 --part '$.late_list' --records 38-60
    """
    with Ledger.read(place_of(path, option)) as ledger:
        found = ledger.result(handle)
    if found.keep != "full":
        raise LedgerError(
            f"result {handle} was recorded with --keep {found.keep}: its text is not in the ledger"
        )
    try:
        text = page(found.text, part, read_range(records))
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    print_exactly(text)
    if SECRET in found.text:
        say("ullage ledger: secrets in this result were taken out before it was kept")


def read_range(words: str | None) -> tuple[int, int] | None:
    """Read `A-B`, or one number; raise ValueError for anything else."""
    if words is None:
        return None
    first, _, last = words.partition("-")
    if not first.isdigit() or not (last or first).isdigit():
        raise ValueError(f"--records {words!r}: write two numbers such as 38-60")
    return int(first), int(last or first)
