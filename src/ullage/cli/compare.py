"""`ullage scan --compare OLD NEW`: sessions before a change, and after it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from rich.console import Console

from ullage.checks.compare import compare
from ullage.checks.scan import Scan
from ullage.cli.main import COULD_NOT
from ullage.cli.output import say, written_to
from ullage.cli.printable import printable
from ullage.report.compare import comparison_members, print_comparison

SCHEMA = "ullage.compare/1"


def show_comparison(
    sides: tuple[Path, Path],
    scanned: Callable[[Path], Scan],
    form: str,
    to: Path | None,
) -> int:
    """Scan both sides, print what differs, and return the exit code."""
    if form not in ("text", "json"):
        raise click.UsageError("--compare prints --format text or json.")
    before, after = map(scanned, sides)
    for path in empty(sides, (before, after)):
        say(f"ullage scan: no session in {path}, so there is nothing to compare")
        return COULD_NOT
    found = compare(before.profile, after.profile)
    with written_to(to) as file:
        if form == "json":
            members = {"schema": SCHEMA, **comparison_members(found)}
            file.write(json.dumps(members, ensure_ascii=True) + "\n")
        else:
            shown = Console(file=printable(file), highlight=False, soft_wrap=True)
            print_comparison(shown, found)
    return 0


def empty(sides: tuple[Path, Path], scans: tuple[Scan, Scan]) -> Iterator[Path]:
    """Give the sides without a session."""
    for path, one in zip(sides, scans, strict=True):
        if not one.profile.sessions:
            yield path
