"""`ullage probe serve`: a model server without a model."""

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO, get_args

import click

from ullage.cli.child import present_environment
from ullage.cli.output import say
from ullage.cli.probe.options import (
    Asked,
    CaseType,
    Delegate,
    delegate_option,
    form_option,
    model_option,
    tool_option,
    words_of,
)
from ullage.cli.probe.writing import Form, temporary, write
from ullage.cli.signals import stop_on_signals
from ullage.errors import LoadError
from ullage.probe.bench import Bench, Seen, benching
from ullage.probe.case import Case, Kind
from ullage.probe.cases import LADDERS, LARGE, TURNS, Wanted
from ullage.probe.outcome import Trial
from ullage.probe.plan_file import load_plans
from ullage.probe.recorded import recording
from ullage.probe.script import first_tool_once
from ullage.probe.scripts import Words
from ullage.probe.server import CAP, ScriptedModel, serving
from ullage.probe.stage import Stage
from ullage.probe.surroundings import NO_KEYS, base_urls
from ullage.probe.tried import Bar, Tried
from ullage.report.probe import Probed
from ullage.report.probe_words import case_words
from ullage.tap.environment import PROBE


@click.command("serve", short_help="A model without a model, for three providers' clients.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Where to listen; 0: a free port."
)
@click.option(
    "--plan",
    "plan_file",
    type=click.File("r", encoding="utf-8"),
    help="What to answer, turn by turn (JSON).",
)
@click.option(
    "--cap",
    type=click.IntRange(min=0),
    default=CAP,
    show_default=True,
    help="Tool calls a run; past it the answers are texts that say so.",
)
@click.option(
    "--case",
    "cases",
    multiple=True,
    type=CaseType(),
    metavar="KIND[:SIZE]",
    help=f"A case to answer, and to judge at the end: {', '.join(get_args(Kind))}.",
)
@tool_option
@delegate_option
@model_option
@form_option
def command(
    port: int,
    plan_file: TextIO | None,
    cap: int,
    cases: tuple[Asked, ...],
    tool: str,
    delegate: Delegate | None,
    model: str,
    form: Form,
) -> None:
    """Serve a scripted model: the protocols of OpenAI, Anthropic and Gemini without a model.

    \b
      ullage probe serve --port 8080
      OPENAI_BASE_URL=http://127.0.0.1:8080/v1 OPENAI_API_KEY=none python my_agent.py
      ANTHROPIC_BASE_URL=http://127.0.0.1:8080 ANTHROPIC_API_KEY=none …
      GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:8080 GEMINI_API_KEY=none …

    It speaks chat completions, Responses, Messages and generateContent, streamed or not, counts
    prompts and lists models; four characters are a token. A request may follow one of the last
    1000 responses of its run by the id.

    Without --plan, the first tool that is offered is called once without arguments, and then the
    answer is "done" (as a call of final_answer where that tool is offered).

    A plan is a list of turns. The number of the model's replies in a request says which one is
    next, so the same request always gets the same answer, errors apart; after the last turn, the
    last text is said again:

    \b
      {"turns": [
        {"calls": [{"name": "search", "arguments": {"query": "invoices", "limit": 50}}]},
        {"text": "There are 50 invoices."}
      ]}

    \b
    What a turn may say:
      {"text": "There are fif", "finish_reason": "length"}   cut short
      {"calls": [{"name_contains": "shell"}]}                the first such tool that is offered
      {"calls": [{"name": "f", "arguments": "{\\"a\\": "}]}    sent as it stands, also broken
      {"status": 429, "times": 2}                            an error, twice, then the next turn
      {"calls": [{"name": "search"}], "times": 2}            the same call again after its result

    Beside "turns": "window": 8000 refuses larger prompts, in tokens, with the provider's own
    overflow error; "each_user_turn": true starts anew with each thing that the user says.

    Runs told apart by their path, /run/TAG/v1, may each have a plan of their own:

    \b
      {"runs": {"long": {"turns": [{"text": "cut", "finish_reason": "length"}]}},
       "default": {"turns": [{"text": "done"}]}}

    With --case, a harness that you start yourself in another terminal is probed. The addresses to
    give to it are printed, and where its tool gets what it is to return. Ctrl-C ends it and prints
    what came of each case:

    \b
      ullage probe serve --case result:33k --case length
    """
    if cases and plan_file:
        raise click.UsageError("Give --plan or --case, not both: a case has a plan of its own.")
    if cases:
        watch(cases, words_of(tool, delegate), model, cap, port, form)
        return
    scripted = model_of(plan_file, cap)
    asyncio.run(until_stopped(scripted, port))


def watch(
    cases: Sequence[Asked],
    words: Words,
    model: str,
    cap: int,
    port: int,
    form: Form,
) -> None:
    """Answer the cases until Ctrl-C, then print what came of them."""
    wanted = Wanted(name=f"probe-{secrets.token_hex(3)}", seed=secrets.token_hex(8), model=model)
    opened = [one for case in cases for one in made(wanted, case)]
    with temporary() as folder:
        trial = Trial(program="the harness", tool=words.fetch, timeout=0, cap=cap)
        found = asyncio.run(watched(opened, words, trial, port, Path(folder)))
    command = ("ullage", "probe", "serve")
    write(Probed(command=command, seed=wanted.seed, model=model, tried=found), form, None)


def made(wanted: Wanted, case: Asked) -> Iterator[Case]:
    """Make a case in the size that was asked for; each kind has a size of its own."""
    size = LARGE if case.size is None else case.size
    one_size = replace(wanted, sizes=(size,), history_sizes=(size,), turns=(TURNS[0],))
    for one in LADDERS[case.kind](one_size):
        yield one if case.size is None else replace(one, size=size)


async def watched(
    cases: Sequence[Case], words: Words, trial: Trial, port: int, folder: Path
) -> list[Tried]:
    """Serve the cases until a signal comes."""
    stopped = stop_on_signals()
    async with (
        benching(Bench(cap=trial.cap)) as bench,
        recording(bench, folder / "probe.ledger", present_environment(), warn, port=port) as ledger,
    ):
        stage = Stage(bench, words, folder)
        opened = [stage.begin(case) for case in cases]
        for seen in opened:
            for line in addresses(bench, seen):
                say(line)
        say("Start the harness; Ctrl-C here when it is done.")
        await stopped.wait()
        bar = Bar(trial, ledger, kept=False)
        return [bar.judge(stage.observed(seen, "done")) for seen in opened]


def addresses(bench: Bench, seen: Seen) -> Iterator[str]:
    """Yield what to give to a harness for a case, as it is written in a shell."""
    root = bench.model_url(seen.case.tag)
    yield f"{case_words(seen.case)}:"
    for name, value in {**base_urls(root), **NO_KEYS, PROBE: bench.case_url(seen.case.tag)}.items():
        yield f"  export {name}={value}"
    yield f"  payloads: ullage.probe.payload(), ullage probe mcp, or GET ${PROBE}/payload"
    if seen.file is not None:
        yield f"  the first in a file: {seen.file}"
    yield f"  what to say: the prompts of GET ${PROBE}"


def model_of(plan_file: TextIO | None, cap: int) -> ScriptedModel:
    """Build the model that a plan file describes, or the one without a plan."""
    if plan_file is None:
        return ScriptedModel(cap=cap, keep=0, report=warn)
    try:
        plans = load_plans(plan_file.read())
    except (LoadError, UnicodeDecodeError) as error:
        raise LoadError(f"{plan_file.name}: {error}") from error
    default = plans.default or first_tool_once
    return ScriptedModel(plans.by_run, default=default, cap=cap, keep=0, report=warn)


async def until_stopped(model: ScriptedModel, port: int) -> None:
    """Serve until a signal comes."""
    stopped = stop_on_signals()
    async with serving(model, port=port) as url:
        click.echo(
            f"scripted model server listening on {url}/v1 (answers are scripted: no model)",
            err=True,
        )
        await stopped.wait()


def warn(what: str) -> None:
    """Print one sentence on stderr."""
    click.echo(f"ullage: {what}", err=True)
