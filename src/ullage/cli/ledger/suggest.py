"""`ullage ledger suggest`: settings for each tool, drafted from its results."""

from collections.abc import Iterator
from pathlib import Path

import click

from ullage.checks.suggest import suggestions
from ullage.cli.ledger.place import argument, option_, place_of
from ullage.errors import LedgerError
from ullage.ledger.records import StoredResult
from ullage.ledger.store import Ledger


@click.command("suggest")
@argument
@option_
@click.option("--tool", metavar="NAME", help="One tool only.")
def command(path: Path | None, option: Path | None, tool: str | None) -> None:
    """Draft settings for each tool from its recorded results, to paste into pyproject.toml.

    \b
    Example:
      ullage ledger suggest >> pyproject.toml
      ullage cut rows.json --tool fetch
    """
    place = place_of(path, option)
    with Ledger.read(place) as ledger:
        drafts = [one for one in suggestions(with_texts(ledger)) if tool in (None, one.tool)]
        reduced = not drafts and any(tool in (None, one.tool) for one in ledger.results())
    if reduced:
        raise LedgerError(
            f"{place} keeps no texts of its results{f' of {tool!r}' if tool else ''} (--keep), and "
            "settings are learned from texts: record a run with --keep full"
        )
    if not drafts:
        raise LedgerError(f"{place} has no results{f' of {tool!r}' if tool else ''} to learn from")
    click.echo("\n".join(one.to_toml() for one in drafts), nl=False)


def with_texts(ledger: Ledger) -> Iterator[StoredResult]:
    """Give the results whose texts are kept: there is nothing to learn from the others."""
    return (one for one in ledger.results() if one.keep == "full")
