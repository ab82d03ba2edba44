"""`ullage run`: run an agent with both taps on, then say what was lost."""

import asyncio
import json
import secrets
import shlex
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import click
from rich.console import Console

from ullage.checks.measure import measure_run
from ullage.checks.measured import Measurement
from ullage.checks.run import NAMES, run_findings
from ullage.checks.settle import write_down
from ullage.cli import child, coding, origins
from ullage.cli.options import (
    Output,
    check_output,
    durability_option,
    fail_on_option,
    ledger_option,
)
from ullage.cli.output import say
from ullage.cli.recording import (
    keep_option,
    limit_of,
    max_size_option,
    policy_of,
    recording,
    refuse_taken,
)
from ullage.cli.verdict import Outcome, blank, check_words, exit_code, hits, silence
from ullage.errors import LedgerError, ProxyError
from ullage.ledger.records import Durability
from ullage.ledger.store import Ledger
from ullage.report.document import scan_members
from ullage.report.loss import print_loss
from ullage.tap.clis.recipe import Recipe
from ullage.tap.proxy.recorder import LedgerRecorder
from ullage.tap.proxy.service import serving
from ullage.transcript.finding import Finding


class RunCommand(click.Command):
    """A command whose options end where the child's command line begins."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options; say where those of the child go if they were taken for ours."""
        try:
            return super().parse_args(ctx, args)
        except (click.NoSuchOption, click.MissingParameter) as error:
            said = error.format_message().removesuffix(".")
            raise click.UsageError(
                f"{said}. The program comes behind --, its own options behind it: "
                f"{ctx.command_path} -- python my_agent.py --its-option",
                ctx,
            ) from error


@click.command(
    "run",
    short_help="Run your agent, then say what its model was not given.",
    cls=RunCommand,
    context_settings={"allow_interspersed_args": False},
)
@click.argument("command_line", nargs=-1, type=click.UNPROCESSED, required=True, metavar="-- CMD…")
@click.option(
    "--upstream",
    "upstreams",
    multiple=True,
    metavar="[VARIABLE=]URL",
    help="The model API; several with the VARIABLE that each is for. Without it: the present value "
    "of each variable, else the provider's public address.",
)
@ledger_option
@keep_option
@max_size_option
@durability_option
@click.option(
    "--tap",
    type=click.Choice(get_args(child.Tap)),
    default="auto",
    show_default=True,
    help="auto: record what the tools of known Python frameworks return.",
)
@click.option("--run", "run_name", metavar="NAME", help="The run's name; else one is made.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
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
@fail_on_option
def command(
    command_line: tuple[str, ...],
    upstreams: tuple[str, ...],
    ledger: Path,
    keep: tuple[str, ...],
    max_size: int | None,
    durability: Durability,
    tap: child.Tap,
    run_name: str | None,
    output: Path | None,
    format_: Output,
    fail_on: tuple[str, ...],
) -> int:
    """Run CMD with both taps on; when it ends, say what its model was not given.

    CMD runs as it is: the base URL of its OpenAI client is set to a recording pass-through, and
    that of Anthropic's and Gemini's if there is a key for them. Python records what the tools of
    LangChain, pydantic-ai, smolagents, OpenAI Agents, LlamaIndex and MCP clients return; on
    anything else that makes results, put @ullage.record_tool.

    Of claude, codex, gemini, opencode and qwen it is known where they look for their addresses: all
    of them are set, for this run only. A tool of theirs that is an MCP server is recorded where its
    command is written as `ullage tap -- SERVER`.

    \b
    Examples:
      ullage run -- python my_agent.py
      ullage run --upstream http://127.0.0.1:11434/v1 -- python my_agent.py
      ullage run --upstream ANTHROPIC_BASE_URL=http://gateway.test -- python my_agent.py
      ullage run -- opencode run "List the orders"
      ullage run --fail-on error --output loss.json -- pytest tests/test_agent.py

    The exit code is CMD's own. If that is 0: 3 when no request came through, or when --fail-on is
    given and nothing could be measured; else 1 when --fail-on hit. The report goes to stderr.
    """
    check_options(format_, output, fail_on)
    name = run_name or new_name()
    if not name.replace("-", "").replace("_", "").replace(".", "").isalnum():
        raise click.BadParameter("use letters, digits, - _ and .", param_hint="--run")
    recipe = coding.known_cli(command_line, child.present_environment())
    try:
        found = origins.origins(upstreams, child.present_environment())
        found = coding.with_endpoints(found, recipe, upstreams)
    except ProxyError as error:
        raise click.UsageError(str(error)) from error
    policy, limit = policy_of(keep), limit_of(max_size)
    with closing(Ledger(ledger, durability=durability)) as opened:
        tell_lost(opened.lost_before)
        refuse_taken(opened, name, policy)
        with recording(opened, name, policy, limit) as into:
            into.learn(name, child.present_environment())
            outcome = asyncio.run(run(command_line, recipe, found, into, name, tap))
            tell_lost(into.find_lost())  # the child may have been killed
            argv = into.redacted_words(command_line, name)
        measured = measure_run(opened, name)
        measurement = measured.measurement
        remember(opened, measurement)
    findings = run_findings(measured, fail_on)
    written = output is None or write(output, argv, outcome, measurement, findings)
    if (format_ == "text" or not written) and (outcome.requests or measurement.results):
        show(measurement, findings, ledger, outcome.faults)
    why = silence(outcome) or (blank(measurement) if fail_on else None)
    if why is not None:
        say(f"ullage run: {why}")
    return exit_code(
        outcome.code,
        failed=why is not None or not written,
        found=any(hits(one, word) for one in findings for word in fail_on),
    )


def remember(ledger: Ledger, measurement: Measurement) -> None:
    """Write what was measured beside the results; where that fails, the report is there still."""
    try:
        write_down(ledger, measurement, time.time())
    except LedgerError as error:
        say(f"ullage run: what was measured is not in the ledger: {error}")


def tell_lost(losses: Iterable[str]) -> None:
    """Say what processes that were killed had not written yet."""
    for loss in losses:
        say(f"ullage run: {loss}")


def check_options(format_: Output, output: Path | None, fail_on: Sequence[str]) -> None:
    """Refuse, before the child starts, what could not be done after it has ended."""
    if format_ == "json" and output is None:
        raise click.UsageError("--format json needs --output FILE: stdout belongs to the child")
    check_output(output)
    check_words(fail_on, NAMES)


def new_name() -> str:
    """Return a name for a run: sorted by time, and not taken."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


async def run(
    command_line: Sequence[str],
    recipe: Recipe | None,
    found: Mapping[str, origins.Origin],
    ledger: Ledger,
    name: str,
    tap: child.Tap,
) -> Outcome:
    """Run the child behind a proxy, and wait until all is recorded."""
    environment = child.present_environment()
    by_prefix = origins.mounts(found.values())
    with closing(LedgerRecorder(ledger, report=report)) as recorder:
        async with serving(origins.settings(by_prefix), recorder, report=report) as proxy:
            base_urls = origins.base_urls(found, by_prefix, f"{proxy.url}/run/{name}")
            with coding.prepared(recipe, base_urls, environment) as own:
                general = {name: base_urls[name] for name in origins.BASE_URLS if name in found}
                # The Python that a coding agent runs is its user's, not the agent.
                hook: child.Tap = "off" if recipe else tap
                changed = child.changes(
                    general,
                    ledger.path,
                    name,
                    environment,
                    durability=ledger.durability,
                    tap=hook,
                )
                listed = {**changed, **own.listed}
                announce(listed, found, own.arguments, recipe.notes if recipe else ())
                code = await child.run_child(
                    [command_line[0], *own.arguments, *command_line[1:]],
                    {**environment, **changed, **own.variables},
                )
    return Outcome(
        code=code,
        requests=proxy.requests.get(name, 0),
        changed=listed,
        known_cli=recipe is not None,
        faults=proxy.faults,
    )


def report(what: str) -> None:
    """Say what is not recorded."""
    say(f"ullage run: {what}")


def announce(
    changed: Mapping[str, str],
    found: Mapping[str, origins.Origin],
    arguments: Sequence[str],
    notes: Sequence[str],
) -> None:
    """Say what is set for the child, and where its requests go on to."""
    for name, value in changed.items():
        onward = f" -> {found[name].url} ({found[name].found_in})" if name in found else ""
        hook = " (records tools; --tap off)" if name == child.PYTHONPATH else ""
        say(f"ullage run: {name}={value}{onward}{hook}")
    if arguments:
        say(f"ullage run: arguments put in: {shlex.join(arguments)}")
    for note in notes:
        say(f"ullage run: {note}")


def show(measurement: Measurement, findings: Sequence[Finding], ledger: Path, faults: int) -> None:
    """Print the report on stderr."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    console.print()
    print_loss(console, measurement, findings)
    if faults:
        console.print(
            f"Not recorded, or not whole, as said above: {faults} of the proxy's records."
        )
    console.print(f"Recorded in {ledger}, run {measurement.run}.", markup=False)


def write(
    output: Path,
    argv: Sequence[str],
    outcome: Outcome,
    measurement: Measurement,
    findings: Sequence[Finding],
) -> bool:
    """Write the document; say so and return False where that cannot be done any more."""
    document = {
        "schema": "ullage.run/1",
        "child": {
            "argv": list(argv),
            "exit": outcome.code,
            "requests": outcome.requests,
            "changed": dict(outcome.changed),
            "faults": outcome.faults,
        },
        "run": measurement.run,
        **scan_members(measurement, findings),
    }
    try:
        output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        say(f"ullage run: cannot write {output}: {error.strerror or error}; the report is below")
        return False
    return True
