"""`ullage report`: a scan as one HTML page."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from secrets import token_bytes

import click

from ullage.checks.exhibits import PER_CHECK, Exhibits, chosen
from ullage.checks.places import Places
from ullage.checks.scan import Scan, scan
from ullage.checks.walk import walk
from ullage.cli.gate import root_of
from ullage.cli.output import say
from ullage.cli.progress import progress, size
from ullage.errors import LoadError
from ullage.ledger.redact import decode, encode, redact
from ullage.report.findings import many
from ullage.report.page.page import Pictures, page
from ullage.sources.files import Reading, open_all, read_bytes
from ullage.sources.forms import FORM_NAMES
from ullage.transcript.finding import Finding

STDIN = "-"
WHERE = Path("report.html")


@click.command("report")
@click.argument(
    "paths",
    metavar="PATH…",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, allow_dash=True, path_type=Path),
)
@click.option(
    "--output",
    "to",
    type=click.Path(dir_okay=False, path_type=Path),
    default=WHERE,
    show_default=True,
    help="The file that the page is written to.",
)
@click.option(
    "--from",
    "form",
    type=click.Choice(FORM_NAMES),
    help="Skip detection: the form of every file, as for ullage scan.",
)
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    default=PER_CHECK,
    show_default=True,
    help="So many findings of each check are shown with their texts; 0: no text in the page.",
)
@click.option("--title", default="What was lost", show_default=True, help="The page's title.")
@click.option("--open", "look", is_flag=True, help="Open the page in the browser.")
def command(
    paths: tuple[Path, ...], to: Path, form: str | None, examples: int, title: str, look: bool
) -> int:
    """Write what was lost in PATH as one page: where the text went, what arrived, each finding.

    PATH is what ullage scan takes. The page is one file: it opens offline, loads nothing, and can
    be mailed; secrets of a known shape are taken out of every text in it.

    \b
    Examples:
      ullage report ullage.ledger
      ullage report logs/ --output monday.html --open
      ullage report logs/ --examples 0

    The exit code is 0; 3 when nothing could be read.
    """
    written(paths, to, form, examples=examples, title=title)
    if look:
        click.launch(to.absolute().as_uri())
    return 0


def written(
    paths: Sequence[Path], to: Path, form: str | None, *, examples: int, title: str
) -> None:
    """Read all there is, and write the page."""
    opening = Opening(paths, form)
    pictures = Pictures()
    passed_over: list[str] = []

    def pass_over(error: LoadError) -> None:
        passed_over.append(str(error))
        say(f"ullage report: passed over: {error}")

    done = scan(opening.readings("Reading", pass_over), pictures.watchers)
    done = replace(done, read=replace(done.read, passed_over=passed_over))
    if not done.read.records and not done.read.damaged:
        raise LoadError("nothing that could be read: name files, or their form with --from")
    again = opening.readings("Reading texts", silent)
    exhibits = shown(done.findings, again, examples, partial(without_secrets, token_bytes(32)))
    done = replace(done, findings=placed(done.findings, places_of(paths)))
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    made = f"Made by ullage {version('ullage')}, {now}."
    text = page(done, pictures, exhibits, title=title, made=made)
    try:
        to.write_text(text, encoding="utf-8")
    except OSError as error:
        raise LoadError(f"cannot write {to}: {error.strerror or error}") from error
    say(summary(done, exhibits, to, len(text.encode("utf-8"))))


def shown(
    findings: Sequence[Finding],
    readings: Iterator[Reading],
    per_check: int,
    clean: Callable[[str], str],
) -> Exhibits:
    """Read the texts of a few findings of each check, as far as that is needed."""
    exhibits = Exhibits(wanted=chosen(findings, per_check), clean=clean, per_check=per_check)
    while not exhibits.complete and (reading := next(readings, None)) is not None:
        walk(reading, exhibits.take)
    return exhibits


def places_of(paths: Sequence[Path]) -> Places:
    """Return how files are named on a page that leaves this machine."""
    here = Path.cwd()
    named = tuple(str(one) for one in paths if one.is_dir())
    return Places(root=str(root_of(here)), folder=str(here), named=named)


def placed(findings: Sequence[Finding], places: Places) -> list[Finding]:
    """Return findings that name their files from a folder, not from the top of this machine."""
    return [
        one
        if one.source.path is None
        else replace(one, source=replace(one.source, path=places.name(one.source.path)))
        for one in findings
    ]


def summary(done: Scan, exhibits: Exhibits, to: Path, length: int) -> str:
    """Say what was written where."""
    texts = f", {len(exhibits.of)} of them with their texts" if exhibits.of else ""
    return f"ullage report: {many(len(done.findings), 'finding')}{texts}: {to} ({size(length)})"


class Opening:
    """Opens the paths as often as they are read; stdin is kept."""

    def __init__(self, paths: Sequence[Path], form: str | None) -> None:
        self.paths, self.form = paths, form
        self.stdin = sys.stdin.buffer.read() if any(str(one) == STDIN for one in paths) else b""

    def readings(self, doing: str, passed_over: Callable[[LoadError], object]) -> Iterator[Reading]:
        """Open each path, and show how far that has come."""
        with progress(doing, unit="files") as step:
            for path in self.paths:
                if str(path) == STDIN:
                    yield read_bytes(self.stdin, "<stdin>", self.form)
                else:
                    for reading in open_all(path, self.form, passed_over):
                        yield reading
                        step(1, reading.path)


def without_secrets(key: bytes, text: str) -> str:
    """Take secrets out of a text."""
    return decode(redact(encode(text), key=key).data)


def silent(error: LoadError) -> None:
    """Take no notice: it was said before."""
