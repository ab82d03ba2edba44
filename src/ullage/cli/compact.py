"""`ullage compact`: shorten a history to a budget, or say what that would take."""

import json
import logging
import os
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import get_args

import click
from rich.console import Console

from ullage.checks.audit import transcripts
from ullage.cli.nearest import Name
from ullage.cli.options import Output, check_output, format_option
from ullage.cli.output import say, tables, written_to
from ullage.cutter.decode import as_text
from ullage.errors import LoadError
from ullage.history.compact import LOGGER, compact
from ullage.history.dry_run import DryRun, dry_run
from ullage.history.job import Options
from ullage.history.piece import HistoryUnit
from ullage.history.settings import HARD, KEEP_TURNS, NEVER, SOFT, Summarise, Tier
from ullage.history.summarisers import summariser_of
from ullage.history.trim import ORDERS
from ullage.ledger.store import Ledger
from ullage.report.compact import print_compacted, print_dry_run, print_dry_runs
from ullage.sources.files import open_all, read_bytes
from ullage.sources.forms import FORM_NAMES
from ullage.wire.budget_table import is_body

SCHEMA = "ullage.compact/1"
DRY_SCHEMA = "ullage.compact-dry-run/1"
DASH = "-"
# A recorded request holds its body under one of these.
WRAPPERS = ("request", "body")
UNDECODABLE_BYTE = re.compile("[\udc80-\udcff]")


@click.command("compact", short_help="Shorten a history to a budget; --dry-run says what it takes.")
@click.argument("file", type=click.Path(exists=True, allow_dash=True, path_type=Path), default=DASH)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    required=True,
    help="What history, tools and the reply's reserve may take together: the window.",
)
@click.option(
    "--unit",
    type=click.Choice(get_args(HistoryUnit)),
    default="tokens",
    show_default=True,
    help="What the budget counts. chars: the messages as compact JSON.",
)
@click.option(
    "--tier",
    type=click.Choice(get_args(Tier)),
    default="T4",
    show_default=True,
    help="T0 nothing; T1 rules; T2 rules and a store; T3 a summary alone; T4 rules, then a "
    "summary. T1 to T4 end with the oldest units leaving, if that is still needed.",
)
@click.option(
    "--protect",
    multiple=True,
    metavar="RULE",
    help="What never leaves: role:user, index:3, tag:NAME, tool:NAME, text:WORDS, marked. May be "
    "repeated. The system text, the task and the newest user message never do.",
)
@click.option(
    "--keep-turns",
    type=click.IntRange(min=0),
    default=KEEP_TURNS,
    show_default=True,
    help="The last turns, which no rule and no summary touches.",
)
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="NAME|MODULE:FUNCTION",
    help="Only these rules, in this order; all of them by default. May be repeated.",
)
@click.option(
    "--summariser",
    metavar="URL|CMD",
    help="Who writes the summary of T3 and T4: an OpenAI-compatible URL (http://…/v1?model=NAME; "
    "key in OPENAI_API_KEY), or 'cmd …', which reads the request and prints the summary.",
)
@click.option(
    "--gate",
    type=click.FloatRange(min=0),
    help="Ask for a summary only where the rules leave it this share over the budget: 0.30.",
)
@click.option("--soft", type=float, default=SOFT, show_default=True, help="T4: rules from here on.")
@click.option(
    "--hard", type=float, default=HARD, show_default=True, help="T4: a summary from here on."
)
@click.option(
    "--trim",
    type=click.Choice([*ORDERS, NEVER]),
    default="oldest-unit",
    show_default=True,
    help="Which whole unit leaves first at the end. never: exit 3 in place of it.",
)
@click.option(
    "--summarise",
    type=click.Choice(get_args(Summarise)),
    default="may",
    show_default=True,
    help="never: no model is asked, whatever the tier.",
)
@click.option(
    "--reserve",
    type=click.IntRange(min=0),
    help="Tokens kept free for the reply, where the body sets no output limit.",
)
@click.option("--model", metavar="NAME", help="Count for this model. A body names its own.")
@click.option(
    "--store",
    type=click.Path(dir_okay=False, path_type=Path),
    help="T2, T4: keep what rules take out in this ledger; placeholders say how to have it again.",
)
@click.option("--run", metavar="TAG", help="--store: the run under which it is kept there.")
@click.option(
    "--dry-run",
    "dry",
    is_flag=True,
    help="Only say what must go, what rules can take, and whether a model is needed. FILE may be "
    "any session, ledger or folder that ullage scan reads, or bodies, one a line.",
)
@click.option(
    "--from",
    "form",
    type=Name(FORM_NAMES),
    metavar="FORM",
    help="--dry-run: the form of FILE, as for ullage scan.",
)
@format_option
@click.option(
    "--output",
    "to",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to this file in place of stdout.",
)
def command(
    file: Path,
    budget: int,
    unit: HistoryUnit,
    tier: Tier,
    protect: tuple[str, ...],
    keep_turns: int,
    rules: tuple[str, ...],
    summariser: str | None,
    gate: float | None,
    soft: float,
    hard: float,
    trim: str,
    summarise: Summarise,
    reserve: int | None,
    model: str | None,
    store: Path | None,
    run: str | None,
    dry: bool,
    form: str | None,
    output: Output,
    to: Path | None,
) -> None:
    """Shorten the history in FILE (or stdin) to a budget, and say what was done.

    FILE is a request body of OpenAI, Anthropic or Gemini, or a list of messages. Rules go first, a
    model is asked only where they are not enough, the oldest units leave last. A call and its
    results stay together. System text, task, newest user message, rules that a user set and failure
    stacks stay word for word. The body goes to stdout in its own form, words go to stderr.

    \b
    Examples:
      ullage compact request.json --budget 32000 > shorter.json
          tier T4 without a summariser: rules, then the oldest units leave
      ullage compact request.json --budget 32000 --summariser
      'http://127.0.0.1:11434/v1?model=qwen3'
          a summary, if the rules are not enough
      ullage compact request.json --tier T1 --budget 32000 --protect tool:read_spec --format json
          rules alone; the messages with every event as one document
      ullage compact ~/.claude/projects/shop/1f0a77c2.jsonl --budget 128000 --dry-run
          what must go of a session, what each rule would take, and whether a model is needed

    The exit code is 3 where what must stay is larger than the budget: the message says by how much.
    """
    check_output(to)
    options = Options(
        unit=unit,
        tier=tier,
        protect=protect,
        keep_turns=keep_turns,
        rules=rules or None,
        gate=gate,
        soft=soft,
        hard=hard,
        trim=trim,
        summarise=summarise,
        reserve=reserve,
        model=model,
    )
    try:
        if dry:
            show_dry_runs(list(dry_runs(file, form, budget, options)), output, to)
            return
        if form is not None:
            raise click.UsageError("--from belongs to --dry-run")
        with ExitStack() as stack:
            if summariser is not None:
                options["summariser"] = summariser_of(
                    summariser, key=os.environ.get("OPENAI_API_KEY"), model=model
                )
            if store is not None:
                options["ledger"] = stack.enter_context(Ledger(store))
                options["run"] = run
            LOGGER.addHandler(logging.NullHandler())  # the same words follow on stderr
            done = compact(read_body(file), budget, **options)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    print_compacted(words(), done)
    with written_to(to) as out:
        if output == "json":
            json.dump({"schema": SCHEMA, **done.to_dict()}, out)
        else:
            json.dump(done.body, out)
        out.write("\n")


def words() -> Console:
    """Return a console on stderr: nothing is cut off."""
    return Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def show_dry_runs(runs: list[DryRun], output: Output, to: Path | None) -> None:
    """Print one dry run in full, several as a table."""
    with written_to(to) as out:
        if output == "json":
            document = {"schema": DRY_SCHEMA, "sessions": [one.to_dict() for one in runs]}
            out.write(json.dumps(document) + "\n")
            return
        console = tables() if to is None else Console(file=out, highlight=False, width=200)
        if len(runs) == 1:
            print_dry_run(console, runs[0])
        else:
            print_dry_runs(console, runs)


def dry_runs(file: Path, form: str | None, budget: int, options: Options) -> Iterator[DryRun]:
    """Yield a dry run for each history in a file or folder; LoadError where there is none."""
    data = None if file.is_dir() else bytes_of(file)
    bodies = [] if data is None or form is not None else list(bodies_in(text_of(data)))
    if data is not None and bodies:
        say_undecodable(file, data)
    for number, body in enumerate(bodies, start=1):
        name = file.name if len(bodies) == 1 else f"{file.name}:{number}"
        yield dry_run(body, budget, session=name, **options)
    if bodies:
        return
    found = 0
    readings = (
        [read_bytes(data, "<stdin>", form)]
        if data is not None and str(file) == DASH
        else open_all(file, form, lambda error: say(f"ullage compact: passed over: {error}"))
    )
    for reading in readings:
        for session in transcripts(reading):
            if session.entries:
                found += 1
                yield dry_run(session, budget, session=session.session, **options)
    if not found:
        raise LoadError(f"{file}: no history that could be read: name its form with --from")


def bodies_in(text: str) -> Iterator[object]:
    """Yield the histories of a text: one document, or one a line; nothing where it is neither."""
    whole = history_in(text)
    if whole is not None:
        yield whole
        return
    lines = [line for line in text.split("\n") if line.strip()]
    each = [history_in(line) for line in lines]
    if all(one is not None for one in each):
        yield from each


def read_body(file: Path) -> object:
    """Return the history that a file is. Raises LoadError for anything else."""
    data = bytes_of(file)
    text = text_of(data)
    found = history_in(text)
    if found is None:
        raise LoadError(f"{file}: no history: {why_none(text)}")
    say_undecodable(file, data)
    return found


def why_none(text: str) -> str:
    """Say why a text is no history."""
    if not text.strip():
        return "it is empty"
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        wrong = f"{error.msg} at line {error.lineno}, column {error.colno}: "
    except (ValueError, RecursionError) as error:
        deep = isinstance(error, RecursionError)
        wrong = "its JSON is nested too deeply: " if deep else f"{error}: "
    else:
        wrong = ""
    return (
        f"{wrong}expected a JSON object with messages, input or contents, plain or under "
        "'request', or a list of messages; --dry-run looks at sessions too"
    )


def history_in(text: str) -> object:
    """Return the body or the list of messages that a text is; None for other text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list):
        return value if all(isinstance(one, dict) for one in value) and value else None
    if not isinstance(value, dict):
        return None
    return next((one for one in (value, *map(value.get, WRAPPERS)) if is_body(one)), None)


def text_of(data: bytes) -> str:
    """Return the text of a file; a byte order mark is no part of it."""
    return as_text(data.removeprefix(BOM_UTF8))


def say_undecodable(file: Path, data: bytes) -> None:
    """Say how many bytes of a body are no UTF-8: placeholders stand in their places."""
    count = len(UNDECODABLE_BYTE.findall(data.decode("utf-8", "surrogateescape")))
    if count:
        are = "byte is" if count == 1 else "bytes are"
        say(f"ullage compact: {file}: {count} {are} not UTF-8; placeholders stand there")


def bytes_of(file: Path) -> bytes:
    """Return what a file or stdin holds."""
    if str(file) == DASH:
        return sys.stdin.buffer.read()
    try:
        return file.read_bytes()
    except OSError as error:
        raise LoadError(f"{file}: {error.strerror or error}: cannot be read") from error
