"""`ullage ledger`: keep a ledger healthy."""

import os
from pathlib import Path

import click

from ullage.checks.suggest import suggestions
from ullage.cli.options import Output, format_option
from ullage.cli.output import print_document, print_exactly, say
from ullage.cutter.page import page
from ullage.errors import LedgerError
from ullage.ledger.store import Ledger

SECRET = "secret:"
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


@click.group("ledger")
def command() -> None:
    """Keep a ledger healthy.

    \b
    Example:
      ullage ledger stats                  what ./ullage.ledger holds
      ullage ledger verify runs/a.ledger   read everything in it again
    """


@command.command("verify")
@argument
@option_
@format_option
def verify(path: Path | None, option: Path | None, output: Output) -> None:
    """Hash everything in LEDGER again, and say what is damaged and which records use it.

    \b
    Example:
      ullage ledger verify runs/a.ledger
    It changes nothing. Exit code 0: the ledger is whole. 3: it is damaged, one line for each fault
    on stderr.
    """
    place = place_of(path, option)
    with Ledger.read(place) as ledger:
        found = ledger.verify()
    if output == "json":
        print_document("ullage.verify/1", found.to_dict())
    elif found.whole:
        click.echo(f"{place} is whole: {found.blobs} blobs, {found.records} records")
    lines = found.lines()
    for line in lines:
        click.echo(f"{place}: {line}", err=True)
    if not found.whole:
        raise LedgerError(
            f"{place} is damaged ({len(lines)} found): keep a copy, and record into a new ledger"
        )


@command.command("stats")
@argument
@option_
@format_option
def stats(path: Path | None, option: Path | None, output: Output) -> None:
    """Say how much LEDGER holds, and how many records could not be kept.

    \b
    Example:
      ullage ledger stats --format json
    """
    with Ledger.read(place_of(path, option)) as ledger:
        found = ledger.stats()
    if output == "json":
        print_document("ullage.stats/1", found.to_dict())
        return
    rows = {
        "exchanges": found.exchanges,
        "tool results": found.tool_results,
        "blobs": found.blobs,
        "bytes on disk": found.bytes,
        "not recorded": found.not_recorded,
    }
    for name, count in rows.items():
        click.echo(f"{name:<14}{count:>12}")


@command.command("get")
@click.argument("handle", type=click.IntRange(min=1))
@argument
@option_
@click.option("--part", metavar="PATH", help="One part of it, by its path: '$.late_list'.")
@click.option("--records", metavar="A-B", help="Records A to B, from 0, of a list or of lines.")
def get(
    handle: int, path: Path | None, option: Path | None, part: str | None, records: str | None
) -> None:
    """Print a whole result again, or some records of it: the rest of what a cut left out.

    HANDLE is the number in a cut's notice. The text is as the ledger keeps it: without secrets.

    \b
    Example:
      ullage ledger get 12
      ullage ledger get 12 --part '$.late_list' --records 38-60
    """
    with Ledger.read(place_of(path, option)) as ledger:
        found = ledger.result(handle)
    try:
        text = page(found.text, part, read_range(records))
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    print_exactly(text)
    if SECRET in found.text:
        say("ullage ledger: secrets in this result were taken out before it was kept")


def read_range(words: str | None) -> tuple[int, int] | None:
    """Read `A-B`, or one number; raise ValueError for anything else."""
    if words is None:
        return None
    first, _, last = words.partition("-")
    if not first.isdigit() or not (last or first).isdigit():
        raise ValueError(f"--records {words!r}: write two numbers such as 38-60")
    return int(first), int(last or first)


@command.command("suggest")
@argument
@option_
@click.option("--tool", metavar="NAME", help="One tool only.")
def suggest(path: Path | None, option: Path | None, tool: str | None) -> None:
    """Draft settings for each tool from its recorded results, to paste into pyproject.toml.

    \b
    Example:
      ullage ledger suggest >> pyproject.toml
      ullage cut rows.json --tool fetch
    """
    place = place_of(path, option)
    with Ledger.read(place) as ledger:
        drafts = [one for one in suggestions(ledger.results()) if tool in (None, one.tool)]
    if not drafts:
        raise LedgerError(f"{place} has no results{f' of {tool!r}' if tool else ''} to learn from")
    click.echo("\n".join(one.to_toml() for one in drafts), nl=False)


def place_of(path: Path | None, option: Path | None) -> Path:
    """Return the ledger that the user named, or the default one."""
    if path is not None and option is not None:
        raise click.UsageError("name the ledger once: as an argument, or with --ledger")
    return path or option or Path(os.environ.get("ULLAGE_LEDGER") or "ullage.ledger")
