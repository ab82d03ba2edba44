"""`ullage ledger prune`: take out the oldest runs."""

import time
from datetime import UTC, datetime
from pathlib import Path

import click

from ullage.cli.ledger.place import argument, option_, place_of, to_change
from ullage.cli.options import Output, format_option
from ullage.cli.output import print_document
from ullage.cli.quantities import age_option, size_option
from ullage.ledger.prune import Gone, Limits, compact, prune, size, would_prune
from ullage.transcript.counted import many


@click.command("prune")
@argument
@option_
@click.option(
    "--older-than",
    metavar="AGE",
    callback=age_option,
    help="Take out runs whose last record is older, such as 30d.",
)
@click.option(
    "--max-size",
    metavar="SIZE",
    callback=size_option,
    help="Take out the oldest runs until the rest is no larger, such as 2GB.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@format_option
def command(
    path: Path | None,
    option: Path | None,
    older_than: float | None,
    max_size: int | None,
    dry_run: bool,
    output: Output,
) -> None:
    """Take out the oldest runs of LEDGER, whole, and what only they refer to.

    A run's age is that of its last record. With --max-size the newest run stays in any case. What
    went is a row of the ledger, so that stats can say it; verify passes afterwards, and the file
    is written anew without the room.

    \b
    Example:
      ullage ledger prune --older-than 30d --max-size 2GB --dry-run
      ullage ledger prune runs/a.ledger --max-size 500MB
    """
    if older_than is None and max_size is None:
        raise click.UsageError("say what may stay: --older-than AGE, --max-size SIZE, or both")
    place, now = place_of(path, option), time.time()
    oldest = None if older_than is None else now - older_than
    limits = Limits(oldest=oldest, bytes=max_size)
    with to_change(place) as ledger:
        before = size(ledger.session)
        if dry_run:
            gone, after = would_prune(ledger.session, limits)
        else:
            gone = prune(ledger.session, limits, now)
            if gone:
                compact(ledger.session)
            after = size(ledger.session)
    if output == "json":
        print_document(
            "ullage.prune/1",
            {
                "dry_run": dry_run,
                "runs": [members(one) for one in gone],
                "bytes_before": before,
                "bytes_after": after,
            },
        )
        return
    for one in gone:
        last = datetime.fromtimestamp(one.run.last, UTC).strftime("%Y-%m-%d %H:%M")
        click.echo(
            f"{one.run.tag}: {many(one.run.exchanges, 'exchange')}, "
            f"{many(one.run.results, 'tool result')}, last on {last} UTC ({one.why})"
        )
    words = "would go" if dry_run else "went"
    click.echo(f"{many(len(gone), 'run')} {words}; {before} bytes before, {after} after")
    if max_size is not None and after > max_size:
        click.echo(f"That is still more than {max_size} bytes: the newest run stays in any case.")


def members(one: Gone) -> dict[str, object]:
    """Return one run of `ullage.prune/1`."""
    return {
        "run": one.run.tag,
        "exchanges": one.run.exchanges,
        "tool_results": one.run.results,
        "last": one.run.last,
        "why": one.why,
    }
