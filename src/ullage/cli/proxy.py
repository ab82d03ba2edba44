"""`ullage proxy`: a recording pass-through in front of one model API."""

import asyncio
from contextlib import closing
from pathlib import Path
from typing import get_args

import click

from ullage.cli.options import ledger_option
from ullage.cli.signals import stop_on_signals
from ullage.errors import ProxyError
from ullage.ledger.records import Durability
from ullage.ledger.store import Ledger
from ullage.tap.proxy.recorder import LedgerRecorder
from ullage.tap.proxy.service import Proxy, serving
from ullage.tap.proxy.settings import ProxySettings, Upstream, parse_upstream


def upstream_option(_: click.Context, option: click.Parameter, value: str) -> Upstream:
    """Read --upstream; a bad one is wrong usage."""
    try:
        return parse_upstream(value)
    except ProxyError as error:
        raise click.BadParameter(str(error), param=option) from error


@click.command("proxy")
@click.option(
    "--upstream",
    required=True,
    metavar="URL",
    callback=upstream_option,
    help="The model API that requests go to, such as https://api.openai.com/v1.",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Where to listen; 0: a free port."
)
@ledger_option
@click.option(
    "--durability",
    type=click.Choice(get_args(Durability)),
    default="sync",
    show_default=True,
    expose_value=False,  # there is nothing to choose from yet
    help="sync, the only mode yet: a record is committed before the end of its reply goes out.",
)
def command(upstream: Upstream, port: int, ledger: Path) -> None:
    """Record what a model is sent and what it answers; change nothing on the way.

    Every path and every method goes through, streams event by event. Only this machine is served.
    Put /run/NAME in front of the path to record a run under its own name:

    \b
      ullage proxy --upstream https://api.openai.com/v1 --port 8787
      OPENAI_BASE_URL=http://127.0.0.1:8787/run/monday/v1 python my_agent.py

    SIGINT and SIGTERM end it, after the requests in flight.
    """
    with closing(Ledger(ledger)) as opened:
        asyncio.run(serve(ProxySettings(upstream=upstream, port=port), opened, ledger))


async def serve(settings: ProxySettings, ledger: Ledger, path: Path) -> None:
    """Relay until a signal comes."""
    stopped = stop_on_signals()
    with closing(LedgerRecorder(ledger)) as recorder:
        async with serving(settings, recorder, report=warn) as proxy:
            click.echo(f"listening on {proxy.url}", err=True)
            click.echo(how_to_use(settings.upstream, proxy, path), err=True)
            await stopped.wait()
    if proxy.faults:
        warn(f"{proxy.faults} faults while recording: {path} does not hold everything")


def how_to_use(upstream: Upstream, proxy: Proxy, ledger: Path) -> str:
    """Say which variable to set, and where the records are."""
    return f"set OPENAI_BASE_URL={proxy.url}{upstream.path or '/v1'}; records go to {ledger}"


def warn(what: str) -> None:
    """Print one sentence on stderr."""
    click.echo(f"ullage: {what}", err=True)
