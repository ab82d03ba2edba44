"""`ullage arrival`: what arrived of one text in another."""

from collections.abc import Iterable
from typing import BinaryIO, get_args

import click
from rich.console import Console

from ullage.arrivals.arrival import Arrival
from ullage.checks.crossing import crossing
from ullage.cli.options import Output, format_option
from ullage.cli.output import print_document, say
from ullage.cli.pairs import PairLine, read_pairs, text_of
from ullage.report.arrival import Pair, crossing_members, pairs_members, print_crossing, print_pairs
from ullage.transcript.finding import Source
from ullage.transcript.words import Boundary

SCHEMA = "ullage.arrival/1"


@click.command("arrival", short_help="Say what arrived of one text in another, record by record.")
@click.option(
    "--produced",
    type=click.File("rb"),
    help="What the tool returned, or what stood before; - for stdin.",
)
@click.option(
    "--delivered",
    type=click.File("rb"),
    help="What the model was sent, or what stands after; - for stdin.",
)
@click.option(
    "--pairs",
    type=click.File("rb"),
    help='Many pairs, one JSON object a line: {"id", "produced", "delivered"}, both as text.',
)
@click.option("--key", metavar="FIELD", help="Follow the identifiers in this field of the records.")
@click.option(
    "--boundary",
    type=click.Choice(get_args(Boundary)),
    default="budget",
    show_default=True,
    help="The step between the two texts.",
)
@format_option
def command(
    produced: BinaryIO | None,
    delivered: BinaryIO | None,
    pairs: BinaryIO | None,
    key: str | None,
    boundary: Boundary,
    output: Output,
) -> None:
    """Say what arrived of one text in another, record by record and field by field.

    The delivered text may be cut, wrapped in other words, written again as a Python literal or
    encoded twice: records are matched by value. A record counts as delivered only if all of it
    arrived. Of free text the paths, commands, numbers with a unit and commits are counted.

    \b
      ullage arrival --produced tool.json --delivered message.txt
      ullage arrival --produced tool.json --delivered message.txt --key id
      ullage arrival --pairs pairs.jsonl --format json

    With --boundary summarise the two are a history before and after it was compacted: request
    bodies of any provider, lists of messages, or plain text with "User:" before what a user said.
    Reported are a lost task, newest instruction or standing rule, and finished steps that are
    listed as next.

    \b
      ullage arrival --boundary summarise --produced before.json --delivered after.json

    With --boundary handoff they are what a sub-agent wrote (lines "Finding 1: …", or JSON lines
    with "finding" or "error") and the message that its parent got.

    \b
      ullage arrival --boundary handoff --produced child.jsonl --delivered parent.json

    A rate is n/a where nothing was produced. Losses are no error: the exit code is 0.
    """
    if pairs is not None:
        if produced is not None or delivered is not None:
            raise click.UsageError("Give --pairs, or --produced with --delivered, not both.")
        compared = [compare(one, key, boundary) for one in read_pairs(pairs)]
        say_if_missing(one.crossing.arrival for one in compared)
        show_pairs(compared, boundary, output)
        return
    if produced is None or delivered is None:
        raise click.UsageError("Give --produced with --delivered, or --pairs.")
    if produced.name == delivered.name == "<stdin>":
        raise click.UsageError("Only one of --produced and --delivered can be stdin.")
    one = crossing(
        text_of(produced),
        text_of(delivered),
        key=key,
        boundary=boundary,
        source=Source(path=delivered.name),
    )
    say_if_missing([one.arrival])
    if output == "json":
        print_document(SCHEMA, crossing_members(one))
    else:
        print_crossing(console(), one)


def say_if_missing(compared: Iterable[Arrival]) -> None:
    """Say so where something was produced, but no record of it has the field of --key."""
    keys = [one.keys for one in compared if one.keys is not None and one.rate is not None]
    if keys and not any(one.found for one in keys):
        say(f"ullage arrival: no produced record has the field {keys[0].key!r}: check --key")


def compare(line: PairLine, key: str | None, boundary: Boundary) -> Pair:
    """Compare the two texts of a line."""
    found = crossing(line.produced, line.delivered, key=key, boundary=boundary, source=line.source)
    return Pair(number=line.number, crossing=found)


def show_pairs(compared: list[Pair], boundary: Boundary, output: Output) -> None:
    """Print many pairs."""
    if output == "json":
        print_document(SCHEMA, pairs_members(compared, boundary))
    else:
        print_pairs(console(), compared)


def console() -> Console:
    """Return a console for tables: colours only on a terminal, nothing cut off."""
    return Console(highlight=False, markup=False, soft_wrap=True)
