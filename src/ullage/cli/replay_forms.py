"""The forms of a replay, each written to a file or to stdout."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Literal, TextIO, get_args

import click

from ullage.cli.apart import apart, put_file
from ullage.cli.output import say, tables, written_to
from ullage.policies.replayed import SCHEMA, Replayed
from ullage.transcript.counted import many

Form = Literal["text", "json", "csv", "md", "html", "parquet"]
FORMS = get_args(Form)
TITLE = "What other policies would have delivered"


def write_text(file: TextIO, found: Replayed) -> None:
    """Write tables for people."""
    from ullage.report.replay import print_replay

    console = tables()
    console.file = file
    print_replay(console, found)


def write_json(file: TextIO, found: Replayed) -> None:
    """Write `ullage.replay/1`."""
    file.write(json.dumps({"schema": SCHEMA, **found.to_dict()}) + "\n")


def write_rows(file: TextIO, found: Replayed) -> None:
    """Write a row for each rate."""
    from ullage.report.replay_csv import write_csv

    write_csv(found, file)


def write_markdown(file: TextIO, found: Replayed) -> None:
    """Write Markdown."""
    from ullage.report.replay import markdown_replay

    file.write(markdown_replay(found))


def write_page(file: TextIO, found: Replayed) -> None:
    """Write a page with pictures."""
    from ullage.report.page.replay import replay_page

    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    file.write(replay_page(found, title=TITLE, made=f"Made by ullage {version('ullage')}, {now}."))


def write(found: Replayed, form: Form, path: Path | None) -> None:
    """Write a replay to a file, or to stdout. Raises LoadError."""
    if form == "parquet":
        write_parquet(found, needed(path))
        return
    with written_to(path) as file:
        WRITE[form](file, found)


def write_parquet(found: Replayed, path: Path) -> None:
    """Write a row for each rate, and say how many, and what is in none of them."""
    from ullage.report.replay_parquet import write_replay

    with apart(path) as beside:
        new = beside / "rows.parquet"
        count = write_replay(found, new)
        put_file(new, path)
    say(f"ullage replay: {many(count, 'row')} in {path}")
    for why, number in found.skipped.items():
        say(f"ullage replay: {many(number, 'result')} not replayed: {why}")


def needed(path: Path | None) -> Path:
    """Return the file that Parquet needs. Raises click.UsageError."""
    if path is None:
        raise click.UsageError("--format parquet needs --output FILE")
    return path


WRITE: Mapping[str, Callable[[TextIO, Replayed], None]] = {
    "text": write_text,
    "json": write_json,
    "csv": write_rows,
    "md": write_markdown,
    "html": write_page,
}
