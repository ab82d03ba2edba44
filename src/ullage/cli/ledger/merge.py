"""`ullage ledger merge`: several ledgers into one."""

from collections import Counter
from pathlib import Path

import click

from ullage.cli.output import say
from ullage.cli.progress import item_by_item, progress, stopped_by_hand
from ullage.errors import LedgerError
from ullage.ledger.entries import entries, how_many
from ullage.ledger.store import Ledger
from ullage.ledger.transfer import renamed, transfer_into


@click.command("merge")
@click.argument(
    "ledgers", nargs=-1, required=True, metavar="LEDGER…", type=click.Path(path_type=Path)
)
@click.option(
    "--into",
    required=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The ledger that gets everything; made where there is none.",
)
@click.option(
    "--by-file",
    is_flag=True,
    help="Put the name of its file before the tag of each run, so that equal tags stay apart.",
)
def command(ledgers: tuple[Path, ...], into: Path, by_file: bool) -> None:
    """Write everything in LEDGER… into one ledger, redacted again; they stay as they are.

    Two runs of one tag are refused, because nobody could tell them apart afterwards: give
    --by-file. Every ledger has a key of its own, so keyed hashes are made anew of what was kept;
    those of texts that were not kept can be compared within their own ledger only.

    \b
    Example:
      ullage ledger merge monday.ledger tuesday.ledger --into week.ledger
      ullage ledger merge a/run.ledger b/other.ledger --into all.ledger --by-file
    """
    sources = {path: f"{path.stem}." if by_file else "" for path in ledgers}
    same = [path for path in ledgers if into.exists() and path.exists() and path.samefile(into)]
    if same or len(sources) < len(ledgers):
        raise click.UsageError("name each ledger once, and not the one that --into names")
    refuse_equal_tags(sources, into)
    counts: Counter[str] = Counter()
    total = sum(map(records_in, sources))
    with (
        stopped_by_hand(lambda: f"{counts.total()} of {total} records are in {into}"),
        progress("Merging", total, unit="records") as step,
        Ledger(into) as target,
        item_by_item() as whole,
    ):
        for path, prefix in sources.items():
            with Ledger.read(path) as source:
                transfer = transfer_into(target.session, target.scrubber)
                for entry in entries(source.session, source.scrubber):
                    transfer.add(renamed(entry, prefix))
                    counts[entry.table] += 1
                    step(1, path.name)
                    whole()
    say(
        f"ullage ledger: {counts['exchange']} exchanges and {counts['result']} tool results of "
        f"{len(sources)} ledgers are in {into}"
    )


def records_in(path: Path) -> int:
    """Return how many records a ledger holds."""
    with Ledger.read(path) as ledger:
        return how_many(ledger.session)


def refuse_equal_tags(sources: dict[Path, str], into: Path) -> None:
    """Refuse, before anything is written, runs that would have the tag of another one."""
    owner: dict[str, Path] = {}
    if into.exists():
        with Ledger.read(into) as target:
            owner = dict.fromkeys(target.runs(), into)
    for path, prefix in sources.items():
        with Ledger.read(path) as source:
            tags = [f"{prefix}{tag}" for tag in source.runs()]
        for tag in tags:
            if tag in owner:
                raise LedgerError(
                    f"run {tag!r} is in {owner[tag]} and in {path}: merge with --by-file, or "
                    "export one of them and import it with a --prefix"
                )
        owner |= dict.fromkeys(tags, path)
