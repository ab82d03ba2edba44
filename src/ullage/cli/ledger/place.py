"""Which ledger a command is about."""

import os
from pathlib import Path

import click

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


def place_of(path: Path | None, option: Path | None) -> Path:
    """Return the ledger that the user named, or the default one."""
    if path is not None and option is not None:
        raise click.UsageError("name the ledger once: as an argument, or with --ledger")
    return path or option or Path(os.environ.get("ULLAGE_LEDGER") or "ullage.ledger")
