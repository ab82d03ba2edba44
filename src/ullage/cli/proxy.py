"""`ullage proxy`: a recording pass-through in front of model APIs."""

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import click

from ullage.cli.gauge import Gauge
from ullage.cli.loop import run_fast
from ullage.cli.options import durability_option, ledger_option
from ullage.cli.recording import (
    keep_option,
    kept_small,
    limit_of,
    max_size_option,
    policy_of,
    recording,
)
from ullage.cli.signals import stop_on_signals
from ullage.errors import LedgerError, ProxyError
from ullage.ledger.records import Durability
from ullage.ledger.store import Ledger
from ullage.tap.proxy.readiness import Readiness
from ullage.tap.proxy.recorder import LedgerRecorder
from ullage.tap.proxy.service import Proxy, serving
from ullage.tap.proxy.settings import LARGEST_BODY, LOOPBACK, ProxySettings, Upstream, parse_mount
from ullage.tap.proxy.switch import Switch, went_by


def upstream_option(
    _: click.Context, option: click.Parameter, value: tuple[str, ...]
) -> dict[str, Upstream]:
    """Read --upstream; a bad one is wrong usage."""
    try:
        found = [parse_mount(text) for text in value]
    except ProxyError as error:
        raise click.BadParameter(str(error), param=option) from error
    twice = [
        prefix for prefix, count in Counter(prefix for prefix, _ in found).items() if count > 1
    ]
    if twice:
        which = f"for {twice[0]}" if twice[0] else "without a prefix"
        raise click.BadParameter(
            f"there are two upstreams {which}: write /NAME=URL for one", param=option
        )
    return dict(found)


@click.command("proxy", short_help="Record what a model is sent and what it answers.")
@click.option(
    "--upstream",
    "upstreams",
    required=True,
    multiple=True,
    metavar="[/PREFIX=]URL",
    callback=upstream_option,
    help="The model API that requests go to, such as https://api.openai.com/v1; with a PREFIX, for "
    "paths below that, which is taken off. May be given several times.",
)
@click.option(
    "--host",
    default=LOOPBACK,
    show_default=True,
    help="The address to listen on; one that other machines reach needs --token-env.",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Where to listen; 0: a free port."
)
@click.option(
    "--token-env",
    metavar="NAME",
    help="A variable that holds a token; clients send it as /token/TOKEN in front of the path, or "
    "as the header X-Ullage-Token.",
)
@click.option(
    "--upstream-ca",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Certificates (PEM) to trust besides the system's.",
)
@ledger_option
@keep_option
@max_size_option
@durability_option
@click.option(
    "--largest-body",
    type=click.IntRange(min=1),
    default=LARGEST_BODY,
    show_default=True,
    metavar="BYTES",
    help="Of a larger request or reply only size and hash are kept; it passes all the same.",
)
@click.option(
    "--recorder",
    type=click.Choice(["on", "off"]),
    default="on",
    show_default=True,
    help="Whether to record from the start; SIGUSR1 and POST /_ullage/recorder switch it.",
)
def command(
    upstreams: Mapping[str, Upstream],
    host: str,
    port: int,
    token_env: str | None,
    upstream_ca: Path | None,
    ledger: Path,
    keep: tuple[str, ...],
    max_size: int | None,
    durability: Durability,
    largest_body: int,
    recorder: str,
) -> None:
    """Record what a model is sent and what it answers; change nothing on the way.

    Every path and every method goes through, streams event by event. Put /run/NAME in front of the
    path to record a run under its own name, and /agent/NAME behind that for one of its agents:

    \b
      ullage proxy --upstream https://api.openai.com/v1 --port 8787
      OPENAI_BASE_URL=http://127.0.0.1:8787/run/monday/v1 python my_agent.py

    \b
      ullage proxy --upstream https://api.openai.com/v1 \\
        --upstream /anthropic=https://api.anthropic.com --port 8787
      ANTHROPIC_BASE_URL=http://127.0.0.1:8787/run/monday/agent/writer/anthropic …

    Its own pages are /_ullage/healthz, /_ullage/readyz, /_ullage/metrics (for Prometheus) and
    /_ullage/recorder. SIGINT and SIGTERM end it, after the requests in flight.

    With --keep, what is recorded is held beside the ledger until the proxy ends; then each run is
    measured, and only what is to be kept goes into the ledger. Tools record into what is held: its
    path is printed.
    """
    try:
        settings = ProxySettings(
            upstream=upstreams.get(""),
            mounts={prefix: upstream for prefix, upstream in upstreams.items() if prefix},
            host=host,
            port=port,
            token=None if token_env is None else token_in(token_env),
            upstream_ca=upstream_ca,
            largest_body=largest_body,
            recording=recorder == "on",
        )
    except ProxyError as error:
        raise click.UsageError(str(error)) from error
    policy, limit = policy_of(keep), limit_of(max_size)
    with (
        closing(Ledger(ledger, durability=durability)) as opened,
        recording(opened, "proxy", policy, limit) as into,
    ):
        for loss in opened.lost_before:
            warn(loss)
        run_fast(serve(settings, into, into.path, token_env, limit if into is opened else None))


def token_in(name: str) -> str:
    """Read the token out of a variable."""
    token = os.environ.get(name)
    if not token:
        raise click.BadParameter(f"there is no variable {name!r}", param_hint="--token-env")
    return token


async def serve(
    settings: ProxySettings, ledger: Ledger, path: Path, token_env: str | None, limit: int | None
) -> None:
    """Relay until a signal comes."""
    stopped = stop_on_signals()
    gauge = Gauge(path, report=warn)
    with closing(LedgerRecorder(ledger, report=warn)) as recorder:
        async with (
            kept_small(ledger, limit),
            serving(
                settings,
                recorder,
                report=warn,
                check_ledger=Readiness(ledger),
                arrivals=gauge,
                missed=lambda missed: note_missed(ledger, missed),
            ) as proxy,
        ):
            switch_on_signal(proxy.switch)
            click.echo(f"listening on {proxy.url}", err=True)
            for line in how_to_use(settings, proxy, path, token_env):
                click.echo(line, err=True)
            await stopped.wait()
            await gauge.settle()
    if proxy.faults:
        warn(f"{proxy.faults} faults while recording: {path} does not hold everything")
    if proxy.switch.passed_by:
        warn(f"{went_by(proxy.switch.passed_by)} while the recorder was off")


def note_missed(ledger: Ledger, missed: Mapping[str, int]) -> None:
    """Note in the ledger what it does not hold, in a thread: it may be held by somebody else."""

    def note() -> None:
        for run, count in missed.items():
            try:
                ledger.add_lost(run, count, f"recorder off: {went_by(count)}", time.time())
            except LedgerError as error:
                warn(f"run {run}: {went_by(count)}, which could not be noted: {error}")
                return

    asyncio.get_running_loop().run_in_executor(None, note)


def switch_on_signal(switch: Switch) -> None:
    """Let SIGUSR1 switch the recorder, where there is such a signal."""
    loop = asyncio.get_running_loop()
    if hasattr(signal, "SIGUSR1"):
        signal.signal(
            signal.SIGUSR1,
            lambda *_: loop.call_soon_threadsafe(lambda: switch.turn(on=not switch.on)),
        )


def how_to_use(
    settings: ProxySettings, proxy: Proxy, ledger: Path, token_env: str | None
) -> list[str]:
    """Say which base URLs to set, and where the records are."""
    base = proxy.url + (f"/token/${token_env}" if token_env else "")
    lines = []
    if settings.upstream is not None:
        lines.append(f"set OPENAI_BASE_URL={base}{settings.upstream.path or '/v1'}")
    for prefix, upstream in settings.mounts.items():
        where = f"{base}{prefix}{upstream.path}"
        lines.append(f"for {upstream.origin} set the base URL {where}")
    return [*lines[:-1], f"{lines[-1]}; records go to {ledger}"]


def warn(what: str) -> None:
    """Print one sentence on stderr."""
    click.echo(f"ullage: {what}", err=True)
