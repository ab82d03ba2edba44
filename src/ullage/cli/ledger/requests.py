"""`ullage ledger requests`: what each request said, and no longer said."""

from pathlib import Path

import click

from ullage.checks.request_log import request_log
from ullage.cli.ledger.place import argument, option_, place_of
from ullage.cli.options import Output, format_option
from ullage.cli.output import print_document, say, tables
from ullage.ledger.measurements import outcomes
from ullage.ledger.store import Ledger
from ullage.report.ledger import print_requests


@click.command("requests")
@argument
@option_
@click.option("--run", metavar="TAG", help="One run only; else all of them.")
@format_option
def command(path: Path | None, option: Path | None, run: str | None, output: Output) -> None:
    """Print each request of LEDGER: messages, roles, tokens by part, and what it left out.

    A trim is a message that the request before in the same conversation had, and this one has not:
    gone, or with another text in its place. `?` stands where the server keeps what came before. A
    `~` marks an estimate of tokens; `server read` is what the reply reports. The score is what
    `ullage ledger outcome` was told.

    \b
    Example:
      ullage ledger requests --run monday
      ullage ledger requests runs/a.ledger --format json
    """
    place = place_of(path, option)
    with Ledger.read(place) as ledger:
        known = ledger.runs()
        found = list(request_log(ledger, run))
        scores = {tag: one.score for tag, one in outcomes(ledger.session, run).items()}
    if run is not None and run not in known:
        raise click.BadParameter(f"{place} has no run {run!r}", param_hint="--run")
    if output == "json":
        members = [{**one.to_dict(), "score": scores.get(one.run)} for one in found]
        print_document("ullage.requests/1", {"requests": members})
        return
    if not found:
        say(f"{place} has no requests")
        return
    print_requests(tables(), found, scores)
