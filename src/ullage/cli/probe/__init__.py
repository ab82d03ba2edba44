"""`ullage probe`: test a harness from outside. One file a sub-command."""

import click

from ullage.cli.probe import mcp, run, serve


@click.group("probe", short_help="Test from outside what a harness does with results.")
def command() -> None:
    """Test from outside what a harness does with what its tools return."""


for module in (mcp, run, serve):
    command.add_command(module.command)
