"""`ullage report`: a scan as one HTML page."""

from pathlib import Path

import click

from ullage.checks.exhibits import PER_CHECK
from ullage.checks.places import Places
from ullage.cli.gate import root_of
from ullage.cli.nearest import Name
from ullage.cli.opening import Opening
from ullage.cli.output import say
from ullage.cli.pages import TITLE, page_of
from ullage.cli.progress import size
from ullage.errors import LoadError
from ullage.report.page.page import Pictures
from ullage.sources.forms import FORM_NAMES
from ullage.transcript.counted import many

WHERE = Path("report.html")


@click.command("report", short_help="Write what was lost as one page that opens offline.")
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
    type=Name(FORM_NAMES),
    metavar="FORM",
    help="Skip detection: the form of every file; ullage scan --help lists them.",
)
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    default=PER_CHECK,
    show_default=True,
    help="So many findings of each check are shown with their texts; 0: no text in the page.",
)
@click.option("--title", default=TITLE, show_default=True, help="The page's title.")
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
    here = Path.cwd()
    named = tuple(str(one) for one in paths if one.is_dir())
    places = Places(root=str(root_of(here)), folder=str(here), named=named)
    opening, pictures = Opening(name="ullage report", places=places, form=form), Pictures()
    done = opening.scanned(paths, pictures.watchers)
    if not done.read.records and not done.read.damaged:
        raise LoadError("nothing that could be read: name files, or their form with --from")
    made = page_of(done, pictures, opening, paths, examples=examples, title=title)
    try:
        to.write_text(made.text, encoding="utf-8")
    except OSError as error:
        raise LoadError(f"cannot write {to}: {error.strerror or error}") from error
    texts = f", {made.with_texts} of them with their texts" if made.with_texts else ""
    length = size(len(made.text.encode("utf-8")))
    say(f"ullage report: {many(len(done.findings), 'finding')}{texts}: {to} ({length})")
    if look:
        click.launch(to.absolute().as_uri())
    return 0
