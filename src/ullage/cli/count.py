"""`ullage count`: tokens of a text, and the budget table of a request."""

import dataclasses
import json
from typing import BinaryIO

import click
from rich.console import Console

from ullage.cli.options import Output, format_option
from ullage.cli.output import print_document, say
from ullage.counting.count import count
from ullage.counting.forecast import forecast
from ullage.cutter.decode import as_text
from ullage.errors import LoadError
from ullage.report.arrival import plain
from ullage.report.count import print_budget, print_count, print_forecast
from ullage.wire.budget_table import BudgetTable, budget_table, is_body

SCHEMA = "ullage.count/1"
# A recorded request holds its body under one of these.
WRAPPERS = ("request", "body")


@click.command("count", short_help="Count the tokens of a text, or of a request part by part.")
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--model", metavar="NAME", help="Count for this model. A request names its own.")
@click.option(
    "--window",
    type=click.IntRange(min=1),
    help="The model's window in tokens. Without it: as published for the model, else unknown.",
)
@click.option(
    "--forecast",
    "ahead",
    is_flag=True,
    help="Read FILE as request bodies, one a line, and say at which turn the window is passed.",
)
@format_option
def command(
    file: BinaryIO, model: str | None, window: int | None, ahead: bool, output: Output
) -> None:
    """Count the tokens of FILE (or stdin): a text, or a request body as a budget table.

    The count is exact, offline, where the model's vocabulary is public; without --model it is by
    o200k_base. For other models it is an estimate with a range. A request body is a JSON object
    with messages, input or contents (OpenAI, Anthropic, Gemini); its texts are counted, nothing is
    added for the frame of a message, and images count by their pixels.

    \b
    Examples:
      ullage count result.json
      kubectl get pods -o yaml | ullage count --model gpt-4o
      ullage count request.json --window 16000       system, tools, data, history, reserve
      ullage count requests.jsonl --forecast         when will it no longer fit?
      ullage count result.json --format json
    """
    text = as_text(file.read())
    if ahead:
        show_forecast(lines_of(text, file.name), model, window, output)
        return
    body = body_in(text)
    if body is not None:
        show_budget(budget_table(body, model=model, window=window), output)
        return
    one = count(text, model=model)
    one = dataclasses.replace(one, window=window or one.window)
    if output == "json":
        print_document(SCHEMA, one.to_dict())
    else:
        print_count(console(), one)


def show_budget(table: BudgetTable, output: Output) -> None:
    """Print the budget table, and its findings to stderr."""
    if output == "json":
        print_document(SCHEMA, table.to_dict())
    else:
        print_budget(console(), table)
    say_findings(table)


def show_forecast(
    bodies: list[dict[str, object]], model: str | None, window: int | None, output: Output
) -> None:
    """Print the growth over the turns; the last turn's request sets window and reserve."""
    tables = [budget_table(body, model=model, window=window) for body in bodies]
    last = tables[-1]
    ahead = forecast([one.count.tokens for one in tables], last.count.window, reserve=last.reserve)
    if output == "json":
        print_document(SCHEMA, {**last.to_dict(), "forecast": ahead.to_dict()})
    else:
        print_forecast(console(), ahead)
    say_findings(last)
    if ahead.window is None:
        say("ullage count: no window is known, so none can be passed: give --window")


def say_findings(table: BudgetTable) -> None:
    """Print what the sender of a request should know."""
    for one in table.findings:
        say(plain(f"ullage count: {one.check}: {one.advice}").plain)


def lines_of(text: str, name: str) -> list[dict[str, object]]:
    """Return the request bodies of a file, one a line."""
    bodies = []
    # Not splitlines(): U+2028 may stand raw inside a JSON string.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        body = body_in(line)
        if body is None:
            raise LoadError(
                f"{name}: line {number} is no request body: expected a JSON object with messages, "
                "input or contents, plain or under 'request'"
            )
        bodies.append(body)
    if not bodies:
        raise LoadError(f"{name}: no request bodies: expected one a line")
    return bodies


def body_in(text: str) -> dict[str, object] | None:
    """Return the request body that a text is, plain or under `request`; None for other text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    held = [value, *(value.get(name) for name in WRAPPERS)]
    return next((one for one in held if is_body(one)), None)


def console() -> Console:
    """Return a console for tables: colours only on a terminal, nothing cut off."""
    return Console(highlight=False, markup=False, soft_wrap=True)
