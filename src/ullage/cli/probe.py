"""`ullage probe`: test a harness from outside."""

import asyncio
from typing import TextIO

import click

from ullage.cli.signals import stop_on_signals
from ullage.errors import LoadError
from ullage.probe.plan_file import load_plans
from ullage.probe.script import first_tool_once
from ullage.probe.server import CAP, ScriptedModel, serving


@click.group("probe", short_help="Test from outside what a harness does with results.")
def command() -> None:
    """Test from outside what a harness does with what its tools return."""


@command.command("serve")
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
def serve(port: int, plan_file: TextIO | None, cap: int) -> None:
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
    """
    scripted = model_of(plan_file, cap)
    asyncio.run(until_stopped(scripted, port))


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
