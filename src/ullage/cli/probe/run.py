"""`ullage probe run`: say what a harness loses, by its requests to a scripted model."""

import asyncio
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import click

from ullage.checks import probed
from ullage.checks.scan import NAMES
from ullage.cli.child import present_environment
from ullage.cli.main import COULD_NOT, INTERRUPTED
from ullage.cli.options import check_output, fail_on_option
from ullage.cli.output import say
from ullage.cli.probe import dress
from ullage.cli.probe.options import (
    Delegate,
    Numbers,
    Several,
    delegate_option,
    form_option,
    model_option,
    tool_option,
    words_of,
)
from ullage.cli.probe.writing import Form, temporary, write
from ullage.cli.progress import progress
from ullage.cli.run import RunCommand
from ullage.cli.signals import stop_on_signals
from ullage.cli.verdict import FOUND, check_words, hits
from ullage.errors import UllageError
from ullage.probe.bench import Bench, benching
from ullage.probe.case import Format, Kind, Returns, Style
from ullage.probe.cases import Wanted, ladder
from ullage.probe.outcome import Trial
from ullage.probe.plan import Plan
from ullage.probe.recorded import recording
from ullage.probe.runner import TIMEOUT, Runner, Target
from ullage.probe.scripts import Words
from ullage.probe.server import CAP
from ullage.probe.tried import Bar, Tried
from ullage.report.probe import Probed
from ullage.transcript.counted import many


@click.command(
    "run",
    short_help="Say what a harness loses, and at which size.",
    cls=RunCommand,
    context_settings={"allow_interspersed_args": False},
)
@click.argument("command_line", nargs=-1, type=click.UNPROCESSED, required=True, metavar="-- CMD…")
@click.option(
    "--what",
    type=Several(get_args(Kind)),
    default="result,user,history",
    show_default=True,
    help=f"What is tried: {', '.join(get_args(Kind))}; or all.",
)
@click.option(
    "--sizes",
    type=Numbers(1000),
    default="8k,16k,33k,64k,200k",
    show_default=True,
    help="Characters of a result, or of data in a message.",
)
@click.option(
    "--formats",
    type=Several(get_args(Format)),
    default="json",
    show_default=True,
    help=f"Their forms: {', '.join(get_args(Format))}; or all.",
)
@click.option(
    "--returns",
    type=Several(get_args(Returns)),
    default="text",
    show_default=True,
    help="Whether the tool returns a text, or a value (JSON only); or both: all.",
)
@click.option(
    "--turns",
    type=Numbers(1),
    default="12,50",
    show_default=True,
    help="How often the user speaks, in a history.",
)
@click.option(
    "--history-sizes",
    type=Numbers(0),
    default="0,33k",
    show_default=True,
    help="Characters of the result in each turn; 0: no tool is called.",
)
@click.option(
    "--bisect",
    is_flag=True,
    help="Search for the exact size at which a result is cut, and for the unit of that limit; also "
    "for a cap on the history.",
)
@click.option(
    "--variant", default="default", show_default=True, help="A setting, by its name in a recipe."
)
@tool_option
@delegate_option
@click.option(
    "--style",
    type=click.Choice(get_args(Style)),
    default="tools",
    show_default=True,
    help="code: the model calls by code in its reply, as a CodeAgent wants it; print: by code that "
    "prints what the call returns.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    default=TIMEOUT,
    show_default=True,
    help="Seconds for each case; then CMD and all that it started is ended.",
)
@click.option(
    "--cap",
    type=click.IntRange(min=1),
    default=CAP,
    show_default=True,
    help="Tool calls in a case; past it the model says so in place of a call.",
)
@model_option
@click.option(
    "--scratch/--no-scratch",
    default=None,
    help="Give CMD a home and a working folder that go away. Default: for a coding CLI that is "
    "known.",
)
@click.option("--seed", metavar="WORD", help="What the records are made from; else it is random.")
@click.option(
    "--ledger",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep every request and every result in this file, a run for each case.",
)
@form_option
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to this file in place of stdout.",
)
@fail_on_option
def command(
    command_line: tuple[str, ...],
    what: tuple[Kind, ...],
    sizes: tuple[int, ...],
    formats: tuple[Format, ...],
    returns: tuple[Returns, ...],
    turns: tuple[int, ...],
    history_sizes: tuple[int, ...],
    bisect: bool,
    variant: str,
    tool: str,
    delegate: Delegate | None,
    style: Style,
    timeout: float,
    cap: int,
    model: str,
    scratch: bool | None,
    seed: str | None,
    ledger: Path | None,
    form: Form,
    output: Path | None,
    fail_on: tuple[str, ...],
) -> int:
    """Start CMD with a scripted model, and say what became of what its tools returned.

    CMD runs in your environment. It gets the address of the scripted model as OPENAI_BASE_URL,
    ANTHROPIC_BASE_URL and GOOGLE_GEMINI_BASE_URL, and placeholders for their keys: no model is
    asked, and nothing leaves this machine. The records that its tool is to return come from
    ullage.probe.payload(), from the MCP server `ullage probe mcp`, from the address in ULLAGE_PROBE
    followed by /payload, or from a file that a coding CLI prints. CMD is started for each case, or
    takes one case after the other (docs/probe.md). {prompt} and {file} in CMD are filled in.

    \b
    Examples:
      ullage probe run -- python my_agent.py
      ullage probe run --what result --formats all -- node my_agent.mjs
      ullage probe run --what handoff --delegate ask_researcher -- python my_team.py
      ullage probe run --what result -- opencode run {prompt}

    The exit code is 0; 1 when --fail-on hit; 3 when no case could be tried; 130 when Ctrl-C stopped
    it: what was seen until then is reported.
    """
    if os.name == "nt":
        raise UllageError(
            "probe run: ends a program with all that it started, which Windows has no way for; "
            "start it yourself beside ullage probe serve --case result"
        )
    check_words(fail_on, [*NAMES, *probed.NAMES])
    check_output(output)
    what = what if delegate else without_handoff(what)
    wanted = Wanted(
        name=f"probe-{secrets.token_hex(3)}",
        seed=seed or secrets.token_hex(8),
        what=what,
        sizes=sizes,
        formats=formats,
        returns=returns,
        turns=turns,
        history_sizes=history_sizes,
        variant=variant,
        model=model,
        style=style,
    )
    words = words_of(tool, delegate)
    with ExitStack() as stack:
        target = stack.enter_context(targeted(command_line, words, timeout, scratch))
        path = ledger or Path(stack.enter_context(temporary())) / "probe.ledger"
        trial = Trial(program=command_line[0], tool=tool, timeout=timeout, cap=cap)
        done = asyncio.run(
            probing(wanted, target, trial, path, kept=ledger is not None, bisect=bisect)
        )
    plan = done.plan
    report = Probed(
        command=command_line,
        seed=wanted.seed,
        model=model,
        tried=plan.tried,
        found=plan.found,
        cap=plan.cap,
        searched=plan.searched,
        ledger=ledger,
    )
    write(report, form, output)
    return exit_code(plan.tried, stopped=done.stopped, fail_on=fail_on)


def without_handoff(what: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """Leave the hand-off out of all that is tried, as nobody knows the tool for it."""
    if "handoff" not in what:
        return what
    if set(what) != set(get_args(Kind)):
        raise click.UsageError("--what handoff needs --delegate NAME: the tool that asks a helper")
    say("ullage probe run: no hand-off is tried: --delegate NAME says which tool asks a helper")
    return tuple(kind for kind in what if kind != "handoff")


@contextmanager
def targeted(
    command_line: Sequence[str], words: Words, timeout: float, scratch: bool | None
) -> Iterator[Target]:
    """Give what is started; its home and folder are there as long as the block runs."""
    present: Mapping[str, str] = present_environment()
    with ExitStack() as stack:
        wants = dress.is_known(command_line) if scratch is None else scratch
        where = stack.enter_context(dress.scratch()) if wants else None
        environment = where.environment(present) if where else present
        yield Target(
            command=dress.from_anywhere(command_line),
            environment=environment,
            words=words,
            folder=where.work if where else None,
            timeout=timeout,
            dress=dress.dressing(command_line, present, where),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What was tried, and whether somebody stopped it."""

    plan: Plan
    stopped: bool


async def probing(
    wanted: Wanted, target: Target, trial: Trial, ledger: Path, *, kept: bool, bisect: bool
) -> Done:
    """Try the cases that are wanted."""
    stopped = stop_on_signals()
    listed = len(list(ladder(wanted)))
    with progress("Probing", None if bisect else listed, unit="cases") as step:
        async with (
            benching(Bench(cap=trial.cap)) as bench,
            recording(bench, ledger, target.environment, say) as opened,
            Runner(bench, target, stopped=stopped) as runner,
        ):
            bar = Bar(trial, opened, kept=kept)
            plan = Plan(wanted, bisect=bisect, around=bar.around, step=lambda words: step(1, words))
            await runner.run(plan.cases(), bar.judge)
    if plan.left:
        say(f"ullage probe run: not tried, as it would end alike: {many(plan.left, 'case')}")
    untried = listed - plan.left - len(plan.tried)
    if stopped.is_set() and untried > 0:
        say(f"ullage probe run: not tried, as it was stopped: {many(untried, 'case')}")
    return Done(plan=plan, stopped=stopped.is_set())


def exit_code(found: Sequence[Tried], *, stopped: bool, fail_on: Sequence[str]) -> int:
    """Return how it went, as a number."""
    if stopped:
        return INTERRUPTED
    if not any(one.is_measured for one in found):
        return COULD_NOT
    findings = [finding for one in found for finding in one.findings]
    return FOUND if any(hits(one, word) for one in findings for word in fail_on) else 0
