"""What a recording command keeps: how much of each record, and how many bytes in all."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

import click

from ullage.checks.settle import settle
from ullage.cli.config import read_config, table_of
from ullage.cli.output import say
from ullage.cli.quantities import size_of, size_option
from ullage.errors import ConfigError, LedgerError
from ullage.ledger.held import hold, left_over
from ullage.ledger.keep import DEFAULT, LEVELS, KeepPolicy, read_policy
from ullage.ledger.prune import Limits, prune
from ullage.ledger.store import Ledger

EVERY = 60.0

keep_option = click.option(
    "--keep",
    metavar="LEVEL",
    multiple=True,
    help="What is kept of texts: full (the default), hashes (keyed, and sizes) or counts (sizes); "
    "for one tool or field TOOL=LEVEL, TOOL:FIELD=LEVEL. Rates stay the same.",
)
max_size_option = click.option(
    "--max-size",
    metavar="SIZE",
    callback=size_option,
    help="Take out the oldest runs when the ledger is larger than this, such as 2GB.",
)


def policy_of(words: Sequence[str]) -> KeepPolicy:
    """Return what is kept, by `[tool.ullage.keep]` and then by --keep."""
    config = table_of(read_config(Path.cwd()), ("keep",))
    try:
        settings = read_policy(config).to_dict()
    except ValueError as error:
        raise ConfigError(f"[tool.ullage.keep]: {error}") from error
    for word in words:
        name, equals, level = word.rpartition("=")
        settings[name if equals else DEFAULT] = level
    try:
        return read_policy(settings)
    except ValueError as error:
        raise click.BadParameter(f"{error}, or TOOL={LEVELS[-1]}", param_hint="--keep") from error


def limit_of(option: int | None) -> int | None:
    """Return the most bytes that a ledger may have, by the option, else by `max_size`."""
    word = read_config(Path.cwd()).get("max_size")
    if option is not None or word is None:
        return option
    try:
        return size_of(str(word))
    except ValueError as error:
        raise ConfigError(f"[tool.ullage] max_size: {error}") from error


@contextmanager
def recording(ledger: Ledger, name: str, policy: KeepPolicy, limit: int | None) -> Iterator[Ledger]:
    """Give the ledger to record in, `name` says by whom; at the end, `ledger` has what is kept.

    Where that is everything, both are the same one.
    """
    settle_left_over(ledger)
    if policy.everything:
        yield ledger
    else:
        held = hold(ledger, name, policy)
        try:
            with closing(Ledger(held.path, durability=ledger.durability)) as aside:
                yield aside
        finally:
            settle(held, ledger, time.time())
    keep_small(ledger, limit)


def keep_small(ledger: Ledger, limit: int | None) -> None:
    """Take out the oldest runs of a ledger that is larger than its limit, and say which."""
    gone = [] if limit is None else prune(ledger.session, Limits(bytes=limit), time.time())
    for one in gone:
        say(f"{ledger.path} was larger than {limit} bytes: run {one.run.tag} was taken out")


@asynccontextmanager
async def kept_small(
    ledger: Ledger, limit: int | None, *, every: float = EVERY
) -> AsyncIterator[None]:
    """Keep a ledger small that is recorded into for a long time: look every so many seconds."""

    async def look() -> None:
        while True:
            await asyncio.sleep(every)
            try:
                await asyncio.to_thread(keep_small, ledger, limit)
            except LedgerError as error:
                say(f"nothing was taken out: {error}")

    looking = None if limit is None else asyncio.create_task(look())
    try:
        yield
    finally:
        if looking is not None:
            looking.cancel()
            await asyncio.wait({looking})


def refuse_taken(ledger: Ledger, run: str, policy: KeepPolicy) -> None:
    """Refuse a run's name that is taken where a run is measured as one."""
    if not policy.everything and run in ledger.runs():
        raise click.BadParameter(
            f"{run!r} is in {ledger.path} already: with --keep a run is measured as one, so choose "
            "another name",
            param_hint="--run",
        )


def settle_left_over(ledger: Ledger) -> None:
    """Settle what processes that are gone have left beside a ledger."""
    for held in left_over(ledger.path):
        for run in settle(held, ledger, time.time()):
            say(f"run {run} was cut off before it was measured; what it had recorded is now")
