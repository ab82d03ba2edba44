"""`ullage ledger export`: everything in a ledger, as lines of JSON, as Parquet or as spans."""

import os
import sys
from collections import Counter
from pathlib import Path
from typing import Literal, get_args

import click

from ullage.cli.ledger.place import argument, option_, place_of
from ullage.cli.otlp import send_ledger
from ullage.cli.output import say
from ullage.cli.progress import counted, item_by_item, progress, stopped_by_hand
from ullage.integrate.otlp_http import collector
from ullage.ledger.entries import entries, how_many
from ullage.ledger.lines import to_line
from ullage.ledger.store import Ledger
from ullage.transcript.counted import many

Format = Literal["json", "parquet", "otlp"]


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
    help="json: one JSON object a line. parquet: a file for each table in the folder --output "
    "(needs ullage[parquet]). otlp: sent to an OpenTelemetry collector as spans.",
)
@click.option(
    "--output",
    "folder",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="parquet: where the files go; they are there when all of them are whole.",
)
@click.option(
    "--to",
    metavar="URL",
    help="The collector, such as http://localhost:4318; else as the OTEL_EXPORTER_OTLP_ variables "
    "say.",
)
@click.option("--content", is_flag=True, help="otlp: send the texts of messages and results too.")
def command(
    path: Path | None,
    option: Path | None,
    run: str | None,
    output: Format,
    folder: Path | None,
    to: str | None,
    content: bool,
) -> None:
    """Print everything that LEDGER holds, one JSON object a line; or as Parquet, or as spans.

    Texts are strings, decompressed and without secrets; bytes that are not UTF-8 are
    {"base64": "…"}. `ullage ledger import` reads the lines back. Parquet has the same columns, a
    file for each table, for DuckDB and others: docs/parquet.md has queries. Spans have the names of
    OpenTelemetry's conventions for generative AI, and ullage.* for what those lack.

    \b
    Example:
      ullage ledger export runs/a.ledger > a.jsonl
      ullage ledger export runs/a.ledger --format parquet --output a-parquet
      ullage ledger export runs/a.ledger --format otlp --to http://localhost:4318
      ullage ledger export --run monday | jq -r 'select(.record == "result") | .text'
    """
    if output != "otlp" and (to is not None or content):
        raise click.UsageError("--to and --content belong to --format otlp")
    if (output == "parquet") is (folder is None):
        raise click.UsageError("--format parquet and --output FOLDER belong together")
    with Ledger.read(place_of(path, option)) as ledger:
        if output == "otlp":
            place = collector(os.environ, to)
            count = send_ledger(ledger, place, run, content=content)
            say(f"ullage ledger: {count} spans sent to {place.url}")
        elif folder is not None:
            write_parquet(ledger, run, folder)
        else:
            print_lines(ledger, run)


def write_parquet(ledger: Ledger, run: str | None, folder: Path) -> None:
    """Write the records of a ledger as Parquet."""
    from ullage.report.ledger_parquet import write_tables

    total = how_many(ledger.session, run)
    found = entries(ledger.session, ledger.scrubber, run)
    with stopped_by_hand(lambda: f"nothing was written to {folder}"):
        write_tables(counted(found, "Exporting", total=total, unit="records"), folder)
    say(f"ullage ledger: {many(total, 'record')} in {folder}")


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
