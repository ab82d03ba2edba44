"""`ullage cut`: cut one tool result to a budget."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast, get_args

import click

from ullage.cli.config import ToolSettings, read_config, tool_settings
from ullage.cli.options import Output, format_option
from ullage.cli.output import print_document, print_exactly, say
from ullage.cutter.budget import Budget, Unit
from ullage.cutter.cut import NoticePlace, Policy, cut
from ullage.cutter.decode import as_text
from ullage.cutter.excerpt import excerpt
from ullage.cutter.levels import what_is_there
from ullage.cutter.values import Cut, Format

if TYPE_CHECKING:
    from ullage.ledger.store import Ledger


@click.command("cut", short_help="Cut a tool result to a budget by whole records.")
@click.argument("file", type=click.File("rb"), default="-")  # bytes: text mode would alter CRLF
@click.option("--budget", type=click.IntRange(min=1), help="How much to keep.")
@click.option(
    "--tool",
    metavar="NAME",
    help="Take budget, unit, keep and parts from [tool.ullage.tools.NAME] in pyproject.toml.",
)
@click.option(
    "--unit",
    type=click.Choice(get_args(Unit)),
    help="What the budget counts, notice included: code points (the default), or tokens.",
)
@click.option(
    "--model",
    metavar="NAME",
    help="Whose tokens: exact for OpenAI's models and without a name, else an estimate.",
)
@click.option(
    "--as",
    "format_",
    type=click.Choice(get_args(Format)),
    help="Read FILE as this format. Without it the format is found by trying.",
)
@click.option(
    "--keep",
    multiple=True,
    metavar="RULE",
    help="What must stay: a path ('$.summary') or an equation ('id=17'). May be repeated.",
)
@click.option(
    "--policy",
    type=click.Choice(get_args(Policy)),
    default="records",
    show_default=True,
    help="prefix and middle are the naive slices, to compare with.",
)
@click.option(
    "--notice",
    type=click.Choice(get_args(NoticePlace)),
    default="inside",
    show_default=True,
    help="Where the notice stands: inside the text, or apart (on stderr only).",
)
@click.option(
    "--ledger",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the whole of what must be cut in this ledger; the notice says how to get it.",
)
@click.option("--why", is_flag=True, help="Say on stderr why each kept record was kept.")
@format_option
def command(
    file: BinaryIO,
    budget: int | None,
    tool: str | None,
    unit: Unit | None,
    model: str | None,
    format_: Format | None,
    keep: tuple[str, ...],
    policy: Policy,
    notice: NoticePlace,
    ledger: Path | None,
    why: bool,
    output: Output,
) -> None:
    """Cut FILE (or stdin) to a budget by whole records, and say what was left out.

    The text goes to stdout, exactly as the model should get it; words go to stderr. JSON stays JSON
    of the same root, every list keeps a fair share, and first, last and unusual records stay.

    \b
    Examples:
      ullage cut rows.json --budget 6000
          6000 characters at most, the sentence that says what is missing included
      kubectl get pods | ullage cut --budget 500 --unit tokens --keep NAME=web-1
          any tool's output, in tokens; the row with that name stays
      ullage cut rows.json --budget 6000 --ledger run.ledger --why
          the whole can be had again from the ledger; each kept record says why
    """
    chosen = tool_settings(read_config(Path.cwd()), tool) if tool else ToolSettings()
    limit = budget or chosen.budget
    if limit is None:
        raise click.UsageError("say how much to keep: --budget N, or --tool NAME with a budget")
    try:
        within = Budget(
            limit=limit,
            unit=unit or cast("Unit", chosen.unit) or "chars",
            model=model or chosen.model,
        )
        with ExitStack() as stack:
            handle = None
            if ledger is not None:
                handle = stack.enter_context(opened(ledger)).handle(tool=tool or "cut")
            data = file.read()
            done = cut(
                data,
                within,
                format=format_,
                keep=(*keep, *chosen.keep, *chosen.parts),
                handle=handle,
                notice=notice,
                policy=policy,
            )
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    if why:
        explain(done)
    for rule in done.account.not_found:
        there = what_is_there(as_text(data), rule)
        say(f"ullage cut: nothing in the data fits {rule!r}{f': {there}' if there else ''}")
    if output == "json":
        print_document("ullage.cut/1", done.to_dict())
        return
    print_exactly(done.text)
    account = done.account
    if account.fallback:
        say(f"ullage cut: {account.fallback}")
    if account.below_floor:
        say(f"ullage cut: nothing fits; the smallest budget that gives a text is {account.floor}")
    if not done.complete:
        size = f"{account.delivered.chars} of {account.produced.chars} characters"
        words = done.notice.removeprefix("Cut: ") or "sliced, without a notice in the text."
        say(f"ullage cut: {words} ({size})")


def opened(path: Path) -> "Ledger":
    """Open a ledger; only who asks for one loads the database."""
    from ullage.ledger.store import Ledger

    return Ledger(path)


def explain(done: Cut) -> None:
    """Print one line for each kept record."""
    for part in done.account.parts:
        for record, why in part.kept.items():
            say(f"{excerpt(part.path, 80)}[{record}]: {why}")
