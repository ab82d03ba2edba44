"""`ullage ledger stats`: what a ledger holds."""

from pathlib import Path

import click

from ullage.cli.ledger.place import argument, option_, place_of
from ullage.cli.options import Output, format_option
from ullage.cli.output import print_document, tables
from ullage.ledger.measurements import pruned
from ullage.ledger.store import Ledger
from ullage.ledger.summary import summaries
from ullage.report.ledger import print_runs


@click.command("stats")
@argument
@option_
@format_option
def command(path: Path | None, option: Path | None, output: Output) -> None:
    """Say how much LEDGER holds, what arrived in each run, and how it came out.

    What arrived is known of runs that `ullage run` has measured; the score of a run is what
    `ullage ledger outcome` was told. Records that could not be kept, and runs that were taken out,
    are counted.

    \b
    Example:
      ullage ledger stats
      ullage ledger stats runs/a.ledger --format json
    """
    with Ledger.read(place_of(path, option)) as ledger:
        found = ledger.stats()
        runs = summaries(ledger.session)
        gone = pruned(ledger.session)
    if output == "json":
        members = {
            **found.to_dict(),
            "pruned": {
                "runs": len(gone),
                "exchanges": sum(one.exchanges for one in gone),
                "tool_results": sum(one.results for one in gone),
            },
            "runs": [one.to_dict() for one in runs],
        }
        print_document("ullage.stats/1", members)
        return
    rows = {
        "exchanges": found.exchanges,
        "tool results": found.tool_results,
        "blobs": found.blobs,
        "bytes on disk": found.bytes,
        "not recorded": found.not_recorded,
    }
    if gone:
        rows["runs taken out"] = len(gone)
    for name, count in rows.items():
        click.echo(f"{name:<14}{count:>12}")
    if runs:
        click.echo()
        print_runs(tables(), runs)
