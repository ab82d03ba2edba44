"""`ullage ledger`: keep a ledger healthy. One file a sub-command."""

import click

from ullage.cli.ledger import (
    export,
    findings,
    get,
    measure,
    merge,
    outcome,
    prune,
    requests,
    stats,
    suggest,
    take_in,
    verify,
)


@click.group("ledger", short_help="Keep a ledger healthy, and get out what it knows.")
def command() -> None:
    """Keep a ledger healthy, and get out of it what it knows.

    \b
    Example:
      ullage ledger stats                  what ./ullage.ledger holds
      ullage ledger verify runs/a.ledger   read everything in it again
      ullage ledger export > all.jsonl     everything in it, a JSON object a line
    """


for module in (
    export,
    findings,
    get,
    measure,
    merge,
    outcome,
    prune,
    requests,
    stats,
    suggest,
    take_in,
    verify,
):
    command.add_command(module.command)
