"""Options that several commands share."""

import os
from pathlib import Path
from typing import Literal, get_args

import click

from ullage.ledger.records import Durability

Output = Literal["text", "json"]

format_option = click.option(
    "--format",
    "output",
    type=click.Choice(get_args(Output)),
    default="text",
    show_default=True,
    help="Words for people, or one JSON document.",
)

ledger_option = click.option(
    "--ledger",
    type=click.Path(dir_okay=False, path_type=Path),
    default="ullage.ledger",
    envvar="ULLAGE_LEDGER",
    show_default=True,
    show_envvar=True,
    help="The file that everything is recorded in.",
)

fail_on_option = click.option(
    "--fail-on",
    metavar="SEVERITY|CHECK",
    multiple=True,
    help="Exit 1 on a finding of this severity or above (note, warning, error) or of this check.",
)

durability_option = click.option(
    "--durability",
    type=click.Choice(get_args(Durability)),
    default="async",
    envvar="ULLAGE_DURABILITY",
    show_default=True,
    show_envvar=True,
    help="When a record is committed. async: in the background, within some 50 ms; what a killed"
    " process loses (256 records at most) is said at the next start. sync: before the end of its"
    " reply goes out; survives a killed process. durable: the same, and survives power loss.",
)


def check_output(output: Path | None) -> None:
    """Refuse, before anything is done, a file that could not be written in the end."""
    folder = output.absolute().parent if output else None
    if folder and not folder.is_dir():
        raise click.BadParameter(f"there is no folder {str(folder)!r}", param_hint="--output")
    if folder and output and not output.exists() and not os.access(folder, os.W_OK):
        raise click.BadParameter(f"cannot write in {str(folder)!r}", param_hint="--output")
