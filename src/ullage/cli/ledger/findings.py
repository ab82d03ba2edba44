"""`ullage ledger findings`: what workers wrote down, how they ended, and what reached whom."""

from pathlib import Path

import click

from ullage.cli.ledger.place import argument, option_, place_of
from ullage.cli.options import Output, format_option
from ullage.cli.output import print_document, say, tables
from ullage.history.handed import Handed, handed
from ullage.ledger.store import Ledger
from ullage.report.handed import print_handed


@click.command("findings")
@argument
@option_
@click.option("--run", metavar="TAG", help="One run only; else all of them.")
@format_option
def command(path: Path | None, option: Path | None, run: str | None, output: Output) -> None:
    """Print the evidence findings in LEDGER: who recorded them, and whether they were handed on.

    A worker without an end mark is running or was killed; its findings are there all the same.
    Carried are the findings in the block that `Handoff.carry` made for a stage, arrived those that
    stand in this stage's first request. Finding yield is what arrived by computations, n/a where
    no computation was counted.

    \b
    Example:
      ullage ledger findings runs/a.ledger
      ullage ledger findings --run monday --format json
    """
    place = place_of(path, option)
    with Ledger.read(place) as ledger:
        known = ledger.runs()
        if run is not None and run not in known:
            raise click.BadParameter(f"{place} has no run {run!r}", param_hint="--run")
        found: list[Handed] = [
            one for tag in (known if run is None else [run]) if (one := handed(ledger, tag))
        ]
    if output == "json":
        print_document("ullage.findings/1", {"runs": [one.to_dict() for one in found]})
        return
    if not found:
        say(f"{place} has no findings")
        return
    print_handed(tables(), found)
