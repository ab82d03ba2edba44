"""The `ullage` command: its sub-commands by name, and errors turned into exit codes."""

import importlib
import sys
from collections.abc import Sequence

import click

from ullage.cli.nearest import nearest
from ullage.errors import ConfigError, UllageError

WRONG_USE = 2
COULD_NOT = 3
INTERRUPTED = 130
# Loaded on use, so that `ullage cut` never loads a server.
COMMANDS = {
    "arrival": "ullage.cli.arrival",
    "compact": "ullage.cli.compact",
    "count": "ullage.cli.count",
    "cut": "ullage.cli.cut",
    "doctor": "ullage.cli.doctor",
    "hook": "ullage.cli.hook",
    "ledger": "ullage.cli.ledger",
    "mcp": "ullage.cli.mcp",
    "probe": "ullage.cli.probe",
    "proxy": "ullage.cli.proxy",
    "replay": "ullage.cli.replay",
    "report": "ullage.cli.report",
    "run": "ullage.cli.run",
    "scan": "ullage.cli.scan",
    "tap": "ullage.cli.tap",
    "watch": "ullage.cli.watch",
    "where": "ullage.cli.where",
}


class Commands(click.Group):
    """Sub-commands that are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names for --help, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command; a name that does not exist is wrong usage, with the nearest ones."""
        if cmd_name not in COMMANDS:
            meant = nearest(cmd_name, COMMANDS)
            raise click.UsageError(f"no such command {cmd_name!r}: {meant}", ctx)
        command: click.Command = importlib.import_module(COMMANDS[cmd_name]).command
        return command


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done; 1 findings, only with --fail-on; 2 wrong usage or settings; "
    "3 could not do it.",
)
@click.version_option(package_name="ullage")
def ullage() -> None:
    """Show what an agent's tools produced, what its model was given, and what was lost.

    \b
    Start here:
      ullage scan ~/.claude/projects       say what was lost in the sessions that you have
      ullage run -- python my_agent.py     run your agent with both taps on, then say what was lost
      ullage cut result.json --budget 6000 cut one tool result by whole records
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; an error becomes one line on stderr and an exit code."""
    try:
        code = ullage.main(args=arguments, prog_name="ullage", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(error.exit_code)
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        name = context.command_path if context else called(arguments)
        click.echo(f"{name}: {one_line(error.format_message())} (see {name} --help)", err=True)
        sys.exit(error.exit_code)
    except UllageError as error:
        click.echo(f"ullage: {one_line(str(error))}", err=True)
        sys.exit(WRONG_USE if isinstance(error, ConfigError) else COULD_NOT)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    # click returns what the command returned, or the code of an early exit such as --help.
    sys.exit(code if isinstance(code, int) else 0)


def called(arguments: Sequence[str] | None) -> str:
    """Return the command that was called, for errors that click raises while it splits words."""
    first = (sys.argv[1:] if arguments is None else arguments)[:1]
    return " ".join(["ullage", *(word for word in first if word in COMMANDS)])


def one_line(message: str) -> str:
    """Return a message on one line, without the full stop that the hint follows."""
    return " ".join(message.split()).removesuffix(".")
