"""`ullage ledger outcome`: how a run came out, beside what arrived in it."""

import math
import time
from pathlib import Path

import click

from ullage.cli.ledger.place import option_, place_of, to_change
from ullage.cli.output import say
from ullage.errors import LedgerError
from ullage.ledger.measurements import Outcome, add_outcome


@click.command("outcome")
@click.argument("run")
@click.argument("score", type=float)
@option_
@click.option("--note", metavar="TEXT", help="What the score rests on.")
def command(run: str, score: float, option: Path | None, note: str | None) -> None:
    """Join a result to RUN: SCORE is any number of yours, such as 1 for right and 0 for wrong.

    `ullage ledger stats` and `requests` then show what arrived beside it. The last one counts.

    \b
    Example:
      ullage ledger outcome monday 1 --note "found the culprit"
      ullage ledger outcome ticket-7 0.4 --ledger runs/a.ledger
    """
    if not math.isfinite(score):
        raise click.BadParameter(f"{score} is no figure to compare", param_hint="SCORE")
    place = place_of(None, option)
    with to_change(place) as ledger:
        known = ledger.runs()
        if run not in known:
            raise LedgerError(f"{place} has no run {run!r}: it has {listed(known)}")
        outcome = Outcome(run=run, score=score, note=note, at=time.time())
        add_outcome(ledger.session, ledger.scrubber, outcome)
    say(f"ullage ledger: run {run} has the score {score:g}")


def listed(runs: list[str], most: int = 5) -> str:
    """Name some runs, the newest first, and how many more there are."""
    shown = list(reversed(runs))[:most]
    more = f" and {len(runs) - most} more" if len(runs) > most else ""
    return ", ".join(shown) + more if shown else "none"
