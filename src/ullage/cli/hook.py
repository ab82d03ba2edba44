"""`ullage hook`: a tool tap in Claude Code's own hooks."""

import json
import os
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import click

from ullage.cli.output import say
from ullage.errors import LoadError, UllageError
from ullage.ledger.store import Ledger
from ullage.tap.environment import environment, tap_settings
from ullage.tap.hooks.claude_code import Event, missing, read_event, record_of, session
from ullage.tap.hooks.settings import Settings, installed, read_settings, uninstalled, written

AGENTS = click.Choice(["claude-code"])

user_option = click.option(
    "--user",
    is_flag=True,
    help="Your settings for all projects (~/.claude), not this folder's (.claude).",
)
dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Print the new settings; write nothing."
)


@click.group("hook", short_help="Record what a coding CLI's own tools return.")
def command() -> None:
    """Record what a coding CLI's tools return, through its own hooks."""


@command.command("claude-code")
@click.option(
    "--default-ledger",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to record if ULLAGE_LEDGER is not set; else ullage.ledger in the project.",
)
def claude_code(default_ledger: Path | None) -> None:
    """Record one event of Claude Code; it comes as JSON on stdin. `hook install` puts this in.

    PostToolUse: what a tool returned, as produced. PreCompact: the session before it is compacted,
    under the run's name and `.pre`. The run is ULLAGE_RUN, else the session's id.

    \b
      echo '{"hook_event_name": "PostToolUse", "tool_name": "Bash",
             "tool_response": {"stdout": "12 rows"}}' | ullage hook claude-code

    Whatever goes wrong is said, and the exit code is 0: the session goes on.
    """
    try:
        event = read_event(sys.stdin.buffer.read().decode("utf-8", "replace"))
        left_out = record(event, default_ledger)
    except (UllageError, OSError) as error:
        left_out = f"not recorded: {error}"
    if left_out is not None:
        say(f"ullage hook: {left_out}")
        # stderr of a hook that ended well is shown to nobody; this is.
        click.echo(json.dumps({"systemMessage": f"ullage hook: {left_out}"}))


def record(event: Event, default_ledger: Path | None) -> str | None:
    """Write one event into the ledger; say what of it is not in there."""
    settings = tap_settings()
    surroundings = environment()
    folder = surroundings.get("CLAUDE_PROJECT_DIR") or str(event.get("cwd") or ".")
    named_run = surroundings.get("ULLAGE_RUN") if settings else None
    run = named_run or session(event)
    path = settings.ledger if settings else default_ledger or Path(folder) / "ullage.ledger"
    made = record_of(event, run, time.time())
    with closing(Ledger(path)) as ledger:
        ledger.learn(made.run, surroundings)
        ledger.add_produced(made)
    short = missing(event, made)
    return None if short is None else f"recorded in part: {short}"


@command.command("install")
@click.argument("agent", type=AGENTS)
@user_option
@click.option(
    "--ledger",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to record outside of `ullage run`; else ullage.ledger in the project.",
)
@dry_run_option
def install(agent: str, user: bool, ledger: Path | None, dry_run: bool) -> None:
    """Put our hooks into AGENT's settings, beside those that are there.

    \b
      ullage hook install claude-code --dry-run
      ullage hook install claude-code
      ullage run -- claude

    A second time changes nothing. The file as it was is kept beside it; where, is said.
    """
    words = [*program(), "hook", agent]
    if ledger is not None:
        words += ["--default-ledger", str(ledger.absolute())]
    call = shlex.join(words)
    change(
        settings_file(user=user), lambda old, where: installed(old, call, where), dry_run=dry_run
    )


@command.command("uninstall")
@click.argument("agent", type=AGENTS)
@user_option
@dry_run_option
def uninstall(agent: str, user: bool, dry_run: bool) -> None:
    """Take our hooks out of AGENT's settings; the others stay.

    \b
      ullage hook uninstall claude-code
    """
    change(settings_file(user=user), uninstalled, dry_run=dry_run)


def program() -> list[str]:
    """Return how to call us: by name where the shell finds it, else by this Python."""
    return ["ullage"] if shutil.which("ullage") else [sys.executable, "-m", "ullage"]


def settings_file(*, user: bool) -> Path:
    """Return the settings file, links followed: they are not to be replaced by a file."""
    return ((Path.home() if user else Path.cwd()) / ".claude" / "settings.json").resolve()


def change(path: Path, make: Callable[[Settings, str], Settings], *, dry_run: bool) -> None:
    """Change a settings file: all of it or nothing, a copy of the old one beside it."""
    try:
        old_text = path.read_text(encoding="utf-8") if path.exists() else ""
        old = read_settings(old_text, str(path))
        new = make(old, str(path))
        if dry_run:
            click.echo(written(new), nl=False)
        elif new == old:
            say(f"{path}: nothing to change")
        else:
            replace(path, old_text, written(new))
    except (OSError, UnicodeDecodeError) as error:
        raise LoadError(f"{path}: {error}; nothing was changed") from error


def replace(path: Path, old_text: str, new_text: str) -> None:
    """Write the new file over the old one, which is kept under another name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if old_text:
        backup = path.with_name(f"{path.name}.{datetime.now(UTC):%Y%m%d-%H%M%S}.bak")
        shutil.copy2(path, backup)
        say(f"the settings as they were: {backup}")
    number, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    with os.fdopen(number, "w", encoding="utf-8") as file:
        file.write(new_text)
    if old_text:
        shutil.copymode(path, name)
    Path(name).replace(path)
    say(f"written: {path}")
