"""`ullage hook`: a tool tap in Claude Code's own hooks."""

import json
import os
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import click

from ullage.cli.output import say
from ullage.errors import LoadError, UllageError
from ullage.ledger.store import Ledger
from ullage.tap.environment import environment, tap_settings
from ullage.tap.hooks.claude_code import Event, missing, read_event, record_of, session
from ullage.tap.hooks.rules import (
    ROOM,
    Rules,
    is_after_compaction,
    output,
    restated,
    said_in,
)
from ullage.tap.hooks.settings import (
    EVENTS,
    RESTATES,
    Settings,
    installed,
    read_settings,
    uninstalled,
    written,
)

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


def given_rules(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say which rules are put back after a compaction."""
    rules = click.option(
        "--rules",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="A file with rules to put back after each compaction, such as .ullage/rules.md.",
    )
    pins = click.option("--pin", "pins", metavar="TEXT", multiple=True, help="A rule to put back.")
    return rules(pins(function))


@command.command("claude-code")
@click.option(
    "--default-ledger",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to record if ULLAGE_LEDGER is not set; else ullage.ledger in the project.",
)
@given_rules
def claude_code(default_ledger: Path | None, rules: Path | None, pins: tuple[str, ...]) -> None:
    """Record one event of Claude Code; it comes as JSON on stdin. `hook install` puts this in.

    PostToolUse: what a tool returned, as produced. PreCompact: the session before it is compacted,
    under the run's name and `.pre`. The run is ULLAGE_RUN, else the session's id. SessionStart
    behind a compaction: nothing is recorded, the rules are given to the model again.

    \b
      echo '{"hook_event_name": "PostToolUse", "tool_name": "Bash",
             "tool_response": {"stdout": "12 rows"}}' | ullage hook claude-code

    Whatever goes wrong is said, and the exit code is 0: the session goes on.
    """
    try:
        event = read_event(sys.stdin.buffer.read().decode("utf-8", "replace"))
        if event.get("hook_event_name") == "SessionStart":
            put_back(event, rules, pins)
            return
        left_out = record(event, default_ledger)
    except (UllageError, OSError) as error:
        left_out = f"not recorded: {error}"
    if left_out is not None:
        say(f"ullage hook: {left_out}")
        # stderr of a hook that ended well is shown to nobody; this is.
        click.echo(json.dumps({"systemMessage": f"ullage hook: {left_out}"}))


def put_back(event: Event, file: Path | None, pins: Sequence[str]) -> None:
    """Give the model its rules again behind a compaction; whatever is missing is said."""
    if not is_after_compaction(event):
        return
    faults: list[str] = []
    folder = Path(environment().get("CLAUDE_PROJECT_DIR") or str(event.get("cwd") or "."))
    pinned = {"Pinned": "\n".join(f"- {one}" for one in pins)}
    if file is not None:
        pinned[f"From {file}"] = read_or_say(folder / file, faults)
    said = said_before(event, faults)
    rules = Rules(pinned=pinned, said=said)
    found = restated(rules)
    if found.left_out:
        faults.append(f"{found.left_out} rules did not fit")
    if len(found.text) > ROOM:
        faults.append(
            f"the pinned rules have {len(found.text)} characters, over {ROOM}: the model may be "
            "shown the beginning only; shorten them"
        )
    warning = f"ullage hook: {'; '.join(faults)}" if faults else None
    if rules:
        click.echo(output(found.text, warning))
    elif warning is not None:
        click.echo(json.dumps({"systemMessage": warning}))


def read_or_say(path: Path, faults: list[str]) -> str:
    """Read a file of rules; where it cannot be read, say so and go on without it."""
    try:
        return path.read_text(encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        faults.append(f"the rules in {path} are not put back: {error.strerror or error}")
        return ""


def said_before(event: Event, faults: list[str]) -> list[str]:
    """Return the rules that the user said in the session, as its transcript tells."""
    path = Path(str(event.get("transcript_path") or "")).expanduser()
    try:
        return said_in(path.read_bytes(), str(path))
    except (OSError, UllageError) as error:
        faults.append(f"what the user said is not put back: the transcript {str(path)!r}: {error}")
        return []


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
@given_rules
@click.option(
    "--restate",
    is_flag=True,
    help="Put back the rules that the user said in the session; --rules and --pin do so too.",
)
@dry_run_option
def install(
    agent: str,
    user: bool,
    ledger: Path | None,
    rules: Path | None,
    pins: tuple[str, ...],
    restate: bool,
    dry_run: bool,
) -> None:
    """Put our hooks into AGENT's settings, beside those that are there.

    With --rules, --pin or --restate a hook more: after each compaction the model is given these
    rules again, word for word, and those that the user said in the session.

    \b
      ullage hook install claude-code --dry-run
      ullage hook install claude-code --rules .ullage/rules.md --pin "Never push to main."
      ullage run -- claude

    A second time changes nothing. The file as it was is kept beside it; where, is said.
    """
    words = [*program(), "hook", agent]
    if ledger is not None:
        words += ["--default-ledger", str(ledger.absolute())]
    if rules is not None:
        words += ["--rules", str(rules)]
    words += [word for one in pins for word in ("--pin", one)]
    call = shlex.join(words)
    puts_back = restate or rules is not None or bool(pins)
    events = {**EVENTS, **RESTATES} if puts_back else EVENTS
    change(
        settings_file(user=user),
        lambda old, where: installed(old, call, where, events),
        dry_run=dry_run,
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
