"""`ullage scan`: audit files of exchanges, logs and ledgers."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import click

from ullage.checks import damaged_line
from ullage.checks.checklist import checklist
from ullage.checks.experimental import EXPERIMENTAL
from ullage.checks.gate import Gate, judge
from ullage.checks.places import Places
from ullage.checks.scan import NAMES, Scan
from ullage.cli.compare import show_comparison
from ullage.cli.formats import FORMS, Form, read_also, write
from ullage.cli.gate import gate_settings, load_baseline, root_of, write_baseline
from ullage.cli.main import COULD_NOT
from ullage.cli.nearest import Name
from ullage.cli.opening import Opening
from ullage.cli.output import say
from ullage.cli.pages import page_of
from ullage.cli.verdict import FOUND, check_words, hits
from ullage.report.audit import Audit, at_least_warning
from ullage.report.page.page import Pictures
from ullage.sources.forms import FORM_NAMES
from ullage.transcript.counted import many
from ullage.transcript.finding import Finding


@click.command("scan", short_help="Say what was lost in sessions, ledgers and logs you have.")
@click.argument(
    "paths",
    metavar="PATH…",
    nargs=-1,
    type=click.Path(exists=True, allow_dash=True, path_type=Path),
)
@click.option(
    "--from",
    "form",
    type=Name(FORM_NAMES),
    metavar="FORM",
    help="Skip detection: every file is of this form. "
    f"{', '.join(FORM_NAMES)} (docs/sources.md says what they are).",
)
@click.option(
    "--fail-on",
    metavar="SEVERITY|CHECK",
    multiple=True,
    envvar="ULLAGE_FAIL_ON",
    show_envvar=True,
    help="Exit 1 on a new finding of this severity or above (note, warning, error) or of this "
    "check.",
)
@click.option("--exit-zero", is_flag=True, help="Exit 0 whatever was found, never 1.")
@click.option(
    "--baseline",
    type=click.Path(dir_okay=False, path_type=Path),
    envvar="ULLAGE_BASELINE",
    show_envvar=True,
    help="Findings in this file are known and do not count: one of --write-baseline or of an "
    "earlier --format json.",
)
@click.option(
    "--write-baseline",
    "new_baseline",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write all findings to this file, to be known from now on; never exits 1.",
)
@click.option(
    "--exclude",
    metavar="GLOB",
    multiple=True,
    envvar="ULLAGE_EXCLUDE",
    show_envvar=True,
    help="Pass over such files when a folder is read: old/**, *.bak.",
)
@click.option(
    "--experimental",
    is_flag=True,
    help="Run the checks that are off by default, too: docs/checks.md marks them. --fail-on with "
    "the name of one runs that one.",
)
@click.option(
    "--checklist",
    "wanted",
    is_flag=True,
    help="Say of the four silent failures: pass, fail, or not observable.",
)
@click.option(
    "--format",
    "form_out",
    type=click.Choice(FORMS),
    default="text",
    show_default=True,
    help="Words for people, one JSON document, SARIF 2.1.0, JUnit XML, Markdown, a page of HTML "
    "(ullage report), or annotations of GitHub.",
)
@click.option(
    "--output",
    "to",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to this file in place of stdout.",
)
@click.option(
    "--also",
    metavar="FORM=FILE",
    multiple=True,
    help="Write the same in another form too: --also sarif=ullage.sarif.",
)
@click.option(
    "--compare",
    "sides",
    nargs=2,
    metavar="OLD NEW",
    type=click.Path(exists=True, path_type=Path),
    help="In place of PATH: what differs between sessions before a change and after it.",
)
def command(
    paths: tuple[Path, ...],
    form: str | None,
    fail_on: tuple[str, ...],
    exit_zero: bool,
    baseline: Path | None,
    new_baseline: Path | None,
    exclude: tuple[str, ...],
    experimental: bool,
    wanted: bool,
    form_out: Form,
    to: Path | None,
    also: tuple[str, ...],
    sides: tuple[Path, Path] | None,
) -> int:
    """Say what was lost in PATH: sessions of agents, ledgers, request and reply bodies, logs.

    Sessions are read as they lie on the disk, of Claude Code, Codex, opencode and some twenty more
    (docs/sources.md). A file may also be a ledger, one JSON document, one document a line, or the
    events of one streamed reply; a document is a body of OpenAI, Anthropic or Gemini, a recorded
    request or exchange, or a line of usage. A folder is read whole. - is stdin.

    \b
    Examples:
      ullage scan ~/.claude/projects
      ullage scan ~/.codex/sessions --checklist
      ullage scan ullage.ledger
      ullage scan requests.jsonl replies.jsonl --format json
      ullage scan logs/ --fail-on error --fail-on served-short
      ullage scan logs/ --write-baseline known.json
      ullage scan logs/ --baseline known.json --fail-on warning --also sarif=ullage.sarif
      ullage scan --compare monday/ tuesday/

    The exit code is 0; 1 when --fail-on hit; 3 when nothing could be read, or judged for it.
    [tool.ullage] in pyproject.toml, then ullage.toml, give fail-on, baseline, exclude, and which
    findings to suppress (docs/ci.md).
    """
    check_words(fail_on, NAMES)
    outputs = [(form_out, to), *read_also(also)]
    settings = gate_settings(Path.cwd(), NAMES)
    fail_on = fail_on or settings.fail_on
    places = Places(
        root=str(root_of(Path.cwd())),
        folder=str(Path.cwd()),
        named=tuple(str(one) for one in paths if one.is_dir()),
        home=str(Path.home()),
    )
    opening = Opening(
        name="ullage scan",
        places=places,
        form=form,
        exclude=exclude or settings.exclude,
        checks=EXPERIMENTAL if experimental else fail_on,
    )
    if sides is not None:
        if paths:
            raise click.UsageError("Give PATH, or --compare OLD NEW, not both.")
        return show_comparison(sides, lambda side: opening.scanned([side]), form_out, to)
    if not paths:
        raise click.UsageError("Missing argument 'PATH…'. A folder, a file, or - for stdin.")
    known = known_findings(baseline or settings.baseline, new_baseline, places)
    # What a page draws is gathered while sessions are read.
    pictures = Pictures() if any(shape == "html" for shape, _ in outputs) else None
    done = opening.scanned(paths, pictures.watchers if pictures else ())
    gate = judge(
        done.findings,
        places,
        datetime.now(UTC).date(),
        baseline=known,
        suppressions=settings.suppressions,
    )
    audit = Audit(
        scan=done,
        gate=gate,
        items=checklist(done.observable, done.findings),
        places=places,
        checks=NAMES,
        version=version("ullage"),
        checklist=wanted,
        fails=(lambda one: fails(one, fail_on)) if fail_on else at_least_warning,
        page=lambda: page_of(done, pictures or Pictures(), opening, paths).text,
    )
    for shape, file in outputs:
        write(audit, shape, file)
    if new_baseline is not None:
        write_baseline(new_baseline, gate)
    quiet = exit_zero or new_baseline is not None
    return ended(done, gate, fail_on, quiet=quiet)


def ended(done: Scan, gate: Gate, fail_on: Sequence[str], *, quiet: bool) -> int:
    """Return the exit code, and say why nothing could be judged; `quiet` takes away the 1."""
    if not quiet and any(fails(one, fail_on) for one in gate.new):
        return FOUND
    why = blank(done, fail_on)
    if why is not None:
        say(f"ullage scan: {why}")
    return 0 if why is None else COULD_NOT


def fails(finding: Finding, fail_on: Sequence[str]) -> bool:
    """Whether one of the words hits a finding."""
    return any(hits(finding, word) for word in fail_on)


def known_findings(
    baseline: Path | None, new_baseline: Path | None, places: Places
) -> Counter[str] | None:
    """Return what the baseline knows, None without one: also where it is about to be written."""
    if baseline is None or (new_baseline is not None and not baseline.exists()):
        return None
    return load_baseline(baseline, places)


def blank(done: Scan, fail_on: Sequence[str]) -> str | None:
    """Say why nothing could be judged, which is no success; else None."""
    if not done.read.records and not done.read.damaged:
        return "nothing that could be read: name files, or their form with --from"
    if set(fail_on) <= {damaged_line.NAME}:
        return None
    requests, judged = done.measurement.requests, done.findings or done.measurement.results
    if not judged and requests.all and requests.all == requests.failed:
        return (
            f"--fail-on has nothing to judge: of {many(requests.all, 'request')} none was answered"
        )
    if judged or requests.all:
        return None
    return (
        "--fail-on has nothing to judge: no request, reply or result in "
        f"{many(done.read.records, 'record')}"
    )
