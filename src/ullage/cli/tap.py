"""`ullage tap`: a recording pass-through in front of one MCP server."""

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import click
from click.core import ParameterSource

from ullage.cli.options import ledger_option
from ullage.cli.output import say
from ullage.tap.environment import DEFAULT_RUN, RUN, environment, settings_of_ancestors
from ullage.tap.mcp.faults import Faults
from ullage.tap.mcp.ledger import Keeper
from ullage.tap.mcp.recorder import Recorder
from ullage.tap.mcp.stdio import handled_by, pass_through

FINISH = 3.0
"""Seconds at the end for what is not written yet. Clients wait 2 s, and as long after SIGTERM."""


@click.command(
    "tap",
    short_help="Run an MCP server and record what its tools return.",
    context_settings={"allow_interspersed_args": False},
)
@click.argument("command_line", nargs=-1, type=click.UNPROCESSED, required=True, metavar="-- CMD…")
@ledger_option
@click.option(
    "--run", "run_name", metavar="NAME", envvar=RUN, show_envvar=True, help="The run's name."
)
@click.option(
    "--name",
    metavar="SERVER",
    help="The server's name: its tools are recorded as mcp__SERVER__TOOL.",
)
@click.pass_context
def command(
    context: click.Context,
    command_line: tuple[str, ...],
    ledger: Path,
    run_name: str | None,
    name: str | None,
) -> int:
    """Run the MCP server CMD as it is, and record what its tools return.

    Put it in front of the command in your client's configuration. What client and server say to
    each other passes unchanged and at once; stderr, signals and the exit code are the server's own.
    Only what is not recorded is said, on stderr.

    \b
      ullage tap --name orders -- orders-server --read-only

    \b
      {"mcpServers": {"orders": {"command": "ullage",
                                 "args": ["tap", "--name", "orders", "--", "orders-server"]}}}

    Under `ullage run` the results join the run by themselves. Some clients start servers with a
    bare environment: then ULLAGE_LEDGER and ULLAGE_RUN are those of the nearest process above that
    has them (on Linux).
    """
    above = None
    if context.get_parameter_source("ledger") is ParameterSource.DEFAULT:
        above = settings_of_ancestors()
    faults = Faults(mention)
    keeper = Keeper(
        ledger=above.ledger if above else ledger.absolute(),
        run=run_name or (above.run if above else DEFAULT_RUN),
        server=name,
        environment=environment(),
    )
    recorder = Recorder(keeper, faults, clock=time.time)
    recorder.start()
    code = pass_through(command_line, recorder)
    with handled_by(lambda *_: None):
        recorder.finish(FINISH)
    return ended_by(-code) if code < 0 else code


def mention(what: str) -> None:
    """Say something on stderr, if anybody listens there."""
    with suppress(OSError, ValueError):
        say(f"ullage tap: {what}")


def ended_by(number: int) -> int:
    """End by the signal that ended the server; return its code where that cannot be."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the server has left its own core file
        sys.stderr.flush()
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    return 128 + number
