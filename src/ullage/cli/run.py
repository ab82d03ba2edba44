"""`ullage run`: run an agent with both taps on, then say what was lost."""

import asyncio
import json
import secrets
import sys
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import click
from rich.console import Console

from ullage.checks.measure import measure
from ullage.checks.measured import Measurement
from ullage.checks.run import CHECKS, run_checks
from ullage.cli import child
from ullage.cli.options import Output, ledger_option
from ullage.cli.output import say
from ullage.errors import ProxyError
from ullage.ledger.store import Ledger
from ullage.report.document import scan_members
from ullage.report.loss import print_loss
from ullage.tap.proxy.recorder import LedgerRecorder
from ullage.tap.proxy.service import Proxy, serving
from ullage.tap.proxy.settings import ProxySettings, parse_upstream
from ullage.transcript.finding import Finding
from ullage.transcript.words import Severity

COULD_NOT = 3
FOUND = 1
SEVERITIES: Sequence[Severity] = get_args(Severity)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How the child ended, and how many of its requests came through the proxy."""

    code: int
    requests: int
    changed: Mapping[str, str]
    faults: int


@click.command("run", context_settings={"ignore_unknown_options": False})
@click.argument("command_line", nargs=-1, type=click.UNPROCESSED, required=True, metavar="-- CMD…")
@click.option(
    "--upstream",
    metavar="URL",
    help="The model API. Without it: the present value of each variable, else the public address.",
)
@ledger_option
@click.option("--run", "run_name", metavar="NAME", help="The run's name; else one is made.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the report as a document (ullage.run/1) to this file.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(get_args(Output)),
    default="text",
    show_default=True,
    help="json writes no report on stderr and needs --output.",
)
@click.option(
    "--fail-on",
    metavar="SEVERITY|CHECK",
    multiple=True,
    help="Exit 1 on a finding of this severity or above (note, warning, error) or of this check.",
)
def command(
    command_line: tuple[str, ...],
    upstream: str | None,
    ledger: Path,
    run_name: str | None,
    output: Path | None,
    format_: Output,
    fail_on: tuple[str, ...],
) -> None:
    """Run CMD with both taps on; when it ends, say what its model was not given.

    CMD runs as it is: the base URL of its OpenAI client is set to a recording pass-through. To know
    what the tools produced, put @ullage.record_tool on the functions that make results.

    \b
    Examples:
      ullage run -- python my_agent.py
      ullage run --upstream http://127.0.0.1:11434/v1 -- python my_agent.py
      ullage run --fail-on error --output loss.json -- pytest tests/test_agent.py

    The exit code is CMD's own. If that is 0: 3 when no request came through, else 1 when --fail-on
    hit. The report goes to stderr.
    """
    if format_ == "json" and output is None:
        raise click.UsageError("--format json needs --output FILE: stdout belongs to the child")
    for word in fail_on:
        if word not in SEVERITIES and word not in CHECKS:
            known = ", ".join([*SEVERITIES, *CHECKS])
            raise click.BadParameter(f"{word!r} is neither: choose {known}", param_hint="--fail-on")
    name = run_name or new_name()
    if not name.replace("-", "").replace("_", "").replace(".", "").isalnum():
        raise click.BadParameter("use letters, digits, - _ and .", param_hint="--run")
    try:
        origins = child.origins(upstream, child.present_environment())
        for origin in origins.values():
            parse_upstream(origin.url)
    except ProxyError as error:
        raise click.UsageError(str(error)) from error
    with closing(Ledger(ledger)) as opened:
        outcome = asyncio.run(run(command_line, origins, opened, ledger, name))
        measurement = measure(opened, name)
    findings = run_checks(measurement)
    if format_ == "text":
        show(measurement, findings, ledger)
    if output is not None:
        write(output, command_line, outcome, measurement, findings)
    sys.exit(exit_code(outcome, findings, fail_on))


def new_name() -> str:
    """Return a name for a run: sorted by time, and not taken."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


async def run(
    command_line: Sequence[str],
    origins: Mapping[str, child.Origin],
    ledger: Ledger,
    path: Path,
    name: str,
) -> Outcome:
    """Run the child behind a proxy for each upstream, and wait until all is recorded."""
    environment = child.present_environment()
    proxies: dict[str, Proxy] = {}
    with closing(LedgerRecorder(ledger)) as recorder:
        async with AsyncExitStack() as stack:
            for origin in origins.values():
                if origin.url not in proxies:
                    settings = ProxySettings(upstream=parse_upstream(origin.url))
                    proxies[origin.url] = await stack.enter_async_context(
                        serving(settings, recorder, report=lambda what: say(f"ullage run: {what}"))
                    )
            base_urls = {
                variable: f"{proxies[origin.url].url}/run/{name}{parse_upstream(origin.url).path}"
                for variable, origin in origins.items()
            }
            changed = child.changes(base_urls, path, name, environment)
            announce(changed, origins)
            code = await child.run_child(command_line, {**environment, **changed})
    requests = sum(proxy.requests.get(name, 0) for proxy in proxies.values())
    outcome = Outcome(
        code=code,
        requests=requests,
        changed=changed,
        faults=sum(proxy.faults for proxy in proxies.values()),
    )
    if requests == 0:
        say(nothing_came(outcome))
    return outcome


def announce(changed: Mapping[str, str], origins: Mapping[str, child.Origin]) -> None:
    """Say what is set for the child, and where its requests go on to."""
    for name, value in changed.items():
        onward = f" -> {origins[name].url} ({origins[name].found_in})" if name in origins else ""
        say(f"ullage run: {name}={value}{onward}")


def nothing_came(outcome: Outcome) -> str:
    """Say that nothing can be said, and the one line that changes it."""
    ignored = next(name for name in child.BASE_URLS if name in outcome.changed)
    return (
        "ullage run: no request came through the proxy, so nothing is known about what the model "
        f"was given. The program ignored {ignored} (a base URL in its code, or another provider). "
        f'Give its client this argument: base_url=os.environ["{ignored}"]'
    )


def show(measurement: Measurement, findings: Sequence[Finding], ledger: Path) -> None:
    """Print the report on stderr."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    console.print()
    print_loss(console, measurement, findings)
    console.print(f"Recorded in {ledger}, run {measurement.run}.", markup=False)


def write(
    output: Path,
    command_line: Sequence[str],
    outcome: Outcome,
    measurement: Measurement,
    findings: Sequence[Finding],
) -> None:
    """Write the document."""
    document = {
        "schema": "ullage.run/1",
        "child": {
            "argv": list(command_line),
            "exit": outcome.code,
            "requests": outcome.requests,
            "changed": dict(outcome.changed),
        },
        "run": measurement.run,
        **scan_members(measurement, findings),
    }
    output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def exit_code(outcome: Outcome, findings: Sequence[Finding], fail_on: Sequence[str]) -> int:
    """Return the child's code; where that is 0, what we have to say."""
    if outcome.code != 0:
        return outcome.code
    if outcome.requests == 0:
        return COULD_NOT
    return FOUND if any(hits(one, word) for one in findings for word in fail_on) else 0


def hits(finding: Finding, word: str) -> bool:
    """Whether a finding is of this check, or of this severity or above."""
    if word in SEVERITIES:
        return SEVERITIES.index(finding.severity) >= SEVERITIES.index(word)
    return finding.check == word
