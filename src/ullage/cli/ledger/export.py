"""`ullage ledger export`: everything in a ledger, as lines of JSON, as spans or as tables."""

import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, get_args

import click

from ullage.cli.ledger.place import argument, option_, place_of
from ullage.cli.otlp import send_ledger
from ullage.cli.output import say
from ullage.cli.progress import item_by_item, progress, stopped_by_hand
from ullage.integrate.otlp_http import collector
from ullage.ledger.entries import entries, how_many
from ullage.ledger.lines import to_line
from ullage.ledger.store import Ledger

Format = Literal["json", "otlp", "parquet"]
OPTIONS: Mapping[Format, frozenset[str]] = {
    "json": frozenset(),
    "otlp": frozenset({"--to", "--content"}),
    "parquet": frozenset({"--output", "--content"}),
}
"""The options that only some formats have."""


@click.command("export")
@argument
@option_
@click.option("--run", metavar="TAG", help="One run only; else all of them.")
@click.option(
    "--format",
    "output",
    type=click.Choice(get_args(Format)),
    default="json",
    show_default=True,
    help="json: one JSON object a line. otlp: sent to an OpenTelemetry collector as spans. parquet:"
    " a folder of tables, one Parquet file each.",
)
@click.option(
    "--to",
    metavar="URL",
    help="The collector, such as http://localhost:4318; else as the OTEL_EXPORTER_OTLP_ variables "
    "say.",
)
@click.option(
    "--output",
    "folder",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="parquet: the folder that is written; one that an earlier export wrote is replaced.",
)
@click.option(
    "--content",
    is_flag=True,
    help="otlp, parquet: the texts of requests and results too, which are left out else.",
)
def command(
    path: Path | None,
    option: Path | None,
    run: str | None,
    output: Format,
    to: str | None,
    folder: Path | None,
    content: bool,
) -> None:
    """Print everything that LEDGER holds, one JSON object a line; or send it, or write tables.

    Texts are strings, decompressed and without secrets; bytes that are not UTF-8 are
    {"base64": "…"}. `ullage ledger import` reads the lines back. Spans have the names of
    OpenTelemetry's conventions for generative AI, and ullage.* for what those lack. Tables are
    Parquet files for DuckDB, pandas, Polars or Spark (pip install 'ullage[parquet]').

    \b
    Example:
      ullage ledger export runs/a.ledger > a.jsonl
      ullage ledger export runs/a.ledger --format otlp --to http://localhost:4318
      ullage ledger export runs/a.ledger --format parquet --output tables
      ullage ledger export --run monday | jq -r 'select(.record == "result") | .text'
    """
    given = {"--to": to is not None, "--output": folder is not None, "--content": content}
    check_options(output, [name for name, is_given in given.items() if is_given])
    with Ledger.read(place_of(path, option)) as ledger:
        if output == "otlp":
            place = collector(os.environ, to)
            count = send_ledger(ledger, place, run, content=content)
            say(f"ullage ledger: {count} spans sent to {place.url}")
        elif folder is not None:
            from ullage.cli.ledger.in_tables import write_tables

            write_tables(ledger, folder, run, content=content)
        else:
            print_lines(ledger, run)


def check_options(output: Format, given: Sequence[str]) -> None:
    """Refuse options of other formats, and tables without a place for them."""
    for name in given:
        if name not in OPTIONS[output]:
            having = [form for form, options in OPTIONS.items() if name in options]
            raise click.UsageError(f"{name} belongs to --format {' and '.join(having)}")
    if output == "parquet" and "--output" not in given:
        raise click.UsageError("--format parquet needs --output FOLDER: it writes a file a table")


def print_lines(ledger: Ledger, run: str | None) -> None:
    """Print the records of a ledger, one JSON object a line."""
    out = sys.stdout.buffer
    total, done = how_many(ledger.session, run), Counter[str]()
    # Lines that go to the terminal show by themselves how far it has come.
    show = progress("Exporting", total, unit="records", quiet=sys.stdout.isatty())
    with (
        stopped_by_hand(lambda: f"{done['lines']} of {total} lines were written"),
        show as step,
        item_by_item() as whole,
    ):
        try:
            for entry in entries(ledger.session, ledger.scrubber, run):
                out.write(to_line(entry).encode("utf-8") + b"\n")
                done["lines"] += 1
                step()
                whole()
        finally:
            out.flush()
