"""Which ledger a command is about."""

import os
from pathlib import Path

import click

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


def place_of(path: Path | None, option: Path | None) -> Path:
    """Return the ledger that the user named, or the default one."""
    if path is not None and option is not None:
        raise click.UsageError("name the ledger once: as an argument, or with --ledger")
    return path or option or Path(os.environ.get("ULLAGE_LEDGER") or "ullage.ledger")


def to_change(place: Path) -> Ledger:
    """Open a ledger that is there already for writing; an older one is brought forward."""
    if not place.exists() or place.stat().st_size == 0:
        Ledger.read(place).close()  # says what is wrong
    return Ledger(place)
