"""The `ullage` command: its sub-commands by name, and errors turned into exit codes."""

import importlib
import sys
from typing import Any

import click

from ullage.errors import UllageError

COULD_NOT = 3
# Loaded on use, so that `ullage cut` never loads a server.
COMMANDS = {
    "arrival": "ullage.cli.arrival",
    "cut": "ullage.cli.cut",
    "ledger": "ullage.cli.ledger",
    "proxy": "ullage.cli.proxy",
    "run": "ullage.cli.run",
}


class Commands(click.Group):
    """Sub-commands that are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names for --help, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command; None for a name that does not exist."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name]).command
        return command


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done; 1 findings, only with --fail-on; 2 wrong usage; 3 could not do it.",
)
@click.version_option(package_name="ullage")
def ullage() -> None:
    r"""Show what an agent's tools produced, what its model was given, and what was lost.

    \b
    Start here:
      ullage run -- python my_agent.py     run your agent with both taps on, then say what was lost
      ullage cut result.json --budget 6000 cut one tool result by whole records
    """


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line; an error becomes one line on stderr and an exit code."""
    try:
        ullage.main(args=arguments, prog_name="ullage", standalone_mode=True)
    except UllageError as error:
        click.echo(f"ullage: {error}", err=True)
        sys.exit(COULD_NOT)
