"""`ullage ledger export`: everything in a ledger, as lines of JSON."""

import sys
from pathlib import Path
from typing import Literal

import click

from ullage.cli.ledger.place import argument, option_, place_of
from ullage.ledger.entries import entries
from ullage.ledger.lines import to_line
from ullage.ledger.store import Ledger


@click.command("export")
@argument
@option_
@click.option("--run", metavar="TAG", help="One run only; else all of them.")
@click.option(
    "--format",
    "output",
    type=click.Choice(["json"]),
    default="json",
    show_default=True,
    help="json: one JSON object a line.",
)
def command(
    path: Path | None, option: Path | None, run: str | None, output: Literal["json"]
) -> None:
    """Print everything that LEDGER holds, one JSON object a line.

    Texts are strings, decompressed and without secrets; bytes that are not UTF-8 are
    {"base64": "…"}. `ullage ledger import` reads the lines back.

    \b
    Example:
      ullage ledger export runs/a.ledger > a.jsonl
      ullage ledger export --run monday | jq -r 'select(.record == "result") | .text'
    """
    out = sys.stdout.buffer
    with Ledger.read(place_of(path, option)) as ledger:
        for entry in entries(ledger.session, ledger.scrubber, run):
            out.write(to_line(entry).encode("utf-8") + b"\n")
    out.flush()
