"""`ullage where`: follow one value from its source to the first request without it."""

from pathlib import Path

import click

from ullage.checks.follow import Followed, follow
from ullage.checks.measure import measure
from ullage.checks.value import Value, value_of
from ullage.checks.where import Diagnosis, diagnose
from ullage.cli.options import Output, format_option
from ullage.cli.output import print_document
from ullage.errors import LedgerError
from ullage.ledger.measurements import has_all_texts
from ullage.ledger.store import Ledger
from ullage.report.where import lines, members, never_seen
from ullage.transcript.counted import many


@click.command("where", short_help="Follow one value to the first request without it.")
@click.argument("ledger", type=click.Path(path_type=Path))
@click.argument("value")
@click.option("--run", metavar="TAG", help="One run only; else every run that has the value.")
@format_option
def command(ledger: Path, value: str, run: str | None, output: Output) -> None:
    """Follow VALUE, an order id for example, through LEDGER, and say where it was lost.

    Five layers, in their order: was it in the source, did a declared step drop it, did the tool
    hand it on, was it in the first request, was it in later ones. Then the first request without
    it, the boundary where it was lost, and the likely setting; where a history was shortened, also
    its limit, in turns, messages or characters. VALUE is found as it is written, at the borders of
    a word, inside escaped JSON too.

    \b
    Example:
      ullage where ullage.ledger ORD-0017
      ullage where runs/a.ledger 4711 --run monday --format json
    """
    with Ledger.read(ledger) as opened:
        runs = searched(opened, run)
        readable = [tag for tag in runs if has_all_texts(opened.session, tag)]
        if run is not None and not readable:
            raise LedgerError(
                f"run {run!r} was recorded with --keep: its texts are not in {ledger}, so a value "
                "cannot be followed; `ullage ledger requests` has its figures"
            )
        found = [examined(opened, tag, value) for tag in readable]
    seen = [one for one in found if one[0].seen] or found
    redacted = any(one.value.text != value for one, _ in found)
    if output == "json":
        print_document(
            "ullage.where/1",
            {
                "value": None if redacted else value,
                "redacted": redacted,
                "searched": len(runs),
                "without_texts": [tag for tag in runs if tag not in readable],
                "runs": [members(one, diagnosis) for one, diagnosis in seen],
            },
        )
        return
    if redacted:
        click.echo(
            "The value is a secret: what stands for it in the ledger is followed in its place."
        )
    never = [pair for pair in seen if pair[1].verdict == "never-seen"]
    for one, diagnosis in seen:
        if len(never) < 2 or diagnosis.verdict != "never-seen":
            click.echo("\n".join(lines(one, diagnosis)))
    if len(never) > 1:
        click.echo("\n".join(never_seen(never)))
    if len(readable) < len(runs):
        without = many(len(runs) - len(readable), "run")
        click.echo(f"Not searched, because texts are not kept: {without}.")


def searched(ledger: Ledger, run: str | None) -> list[str]:
    """Return the runs to search. Raises LedgerError where there is none."""
    runs = ledger.runs()
    if run is not None and run not in runs:
        raise LedgerError(f"{ledger.path} has no run {run!r}: look at ullage ledger stats")
    if not runs:
        raise LedgerError(f"{ledger.path} has no runs: record one with ullage run")
    return runs if run is None else [run]


def examined(ledger: Ledger, run: str, text: str) -> tuple[Followed, Diagnosis]:
    """Follow the value through one run, redacted as the run's texts are."""
    followed = follow(ledger, run, looked_for(ledger.redacted(text, run)))
    carried = {}
    if followed.sources and not any(one.has for one in followed.asked):
        # Only then does it matter which request carries what is left of a result.
        results = measure(ledger, run).results
        carried = {one.number: one.exchange for one in results if one.exchange is not None}
    return followed, diagnose(followed, carried)


def looked_for(text: str) -> Value:
    """Return the value to look for; a blank one is wrong usage."""
    try:
        return value_of(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="VALUE") from error
