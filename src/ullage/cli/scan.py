"""`ullage scan`: audit files of exchanges, logs and ledgers."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

import click
from rich.console import Console

from ullage.checks import damaged_line
from ullage.checks.scan import NAMES, Scan, scan
from ullage.cli.main import COULD_NOT
from ullage.cli.options import Output, fail_on_option, format_option
from ullage.cli.output import say
from ullage.cli.verdict import FOUND, check_words, hits
from ullage.errors import LoadError
from ullage.report.document import scan_document
from ullage.report.findings import many
from ullage.report.scan import print_scan
from ullage.sources.files import Reading, open_all, read_bytes
from ullage.sources.forms import FORM_NAMES

SCHEMA = "ullage.scan/1"
STDIN = "-"


@click.command("scan")
@click.argument(
    "paths",
    metavar="PATH…",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, allow_dash=True, path_type=Path),
)
@click.option(
    "--from",
    "form",
    type=click.Choice(FORM_NAMES),
    help="Skip detection: a ledger, one streamed reply, one JSON document, one document a line.",
)
@fail_on_option
@format_option
@click.option(
    "--output",
    "to",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to this file in place of stdout.",
)
def command(
    paths: tuple[Path, ...],
    form: str | None,
    fail_on: tuple[str, ...],
    output: Output,
    to: Path | None,
) -> int:
    """Say what was lost in PATH: ledgers, request and reply bodies, logs of them, streams.

    A file is a ledger, one JSON document, one document a line, or the events of one streamed
    reply; a document is a body of OpenAI, Anthropic or Gemini, a recorded request or exchange, or
    a line of usage. A folder is read whole. - is stdin.

    \b
    Examples:
      ullage scan ullage.ledger
      ullage scan requests.jsonl replies.jsonl --format json
      ullage scan logs/ --fail-on error --fail-on served-short

    The exit code is 0; 1 when --fail-on hit; 3 when nothing could be read, or judged for it.
    """
    check_words(fail_on, NAMES)
    done = scan(readings(paths, form))
    show(done, output, to)
    if any(hits(one, word) for one in done.findings for word in fail_on):
        return FOUND
    why = blank(done, fail_on)
    if why is not None:
        say(f"ullage scan: {why}")
    return 0 if why is None else COULD_NOT


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


def readings(paths: Sequence[Path], form: str | None) -> Iterator[Reading]:
    """Open each path; in a folder, what has no form that is read is passed over and said."""
    for path in paths:
        if str(path) == STDIN:
            yield read_bytes(sys.stdin.buffer.read(), "<stdin>", form)
        else:
            yield from open_all(path, form, say_passed_over)


def say_passed_over(error: LoadError) -> None:
    """Say that a file is not read, and why."""
    say(f"ullage scan: passed over: {error}")


def show(done: Scan, output: Output, to: Path | None) -> None:
    """Print the scan, on stdout or into a file."""
    try:
        with to.open("w", encoding="utf-8") if to else nullcontext(sys.stdout) as file:
            if output == "json":
                members = scan_document(done)
                file.write(json.dumps({"schema": SCHEMA, **members}, ensure_ascii=True) + "\n")
            else:
                print_scan(Console(file=file, highlight=False, soft_wrap=True), done)
    except OSError as error:
        raise LoadError(f"cannot write {to}: {error.strerror or error}") from error
