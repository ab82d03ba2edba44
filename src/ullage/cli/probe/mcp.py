"""`ullage probe mcp`: an MCP server whose tool returns what a probe looks for."""

import json
import sys
from itertools import count
from typing import get_args

import click

from ullage.probe.canary import payload as made
from ullage.probe.case import Case, Format
from ullage.probe.given import SEED, fetched
from ullage.probe.mcp_server import Fetch, answers
from ullage.tap.environment import probe_of_ancestors, probe_url

LIKE_MOST = 33_000


@click.command("mcp", short_help="An MCP server whose tool returns what a probe looks for.")
@click.option(
    "--size",
    type=click.IntRange(min=1000),
    default=LIKE_MOST,
    show_default=True,
    help="Characters of a payload, outside of a probe.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(get_args(Format)),
    default="json",
    show_default=True,
    help="Its form, outside of a probe.",
)
@click.option("--seed", default=SEED, show_default=True, help="What its records are made from.")
def command(size: int, format_: Format, seed: str) -> None:
    """Serve the tool fetch_rows on stdin and stdout, for a harness that takes MCP servers.

    In a program that `ullage probe run` started it returns the payload of the case. Started by
    hand it returns --size characters of --format, each call new records.

    \b
    Example, by hand and in the settings of a harness:
      ullage probe mcp --size 64000 --format ndjson
      {"mcpServers": {"rows": {"command": "ullage", "args": ["probe", "mcp"]}}}
    """
    case = Case(tag="mcp", kind="result", size=size, format=format_, seed=seed)
    numbers = count()
    # Some clients start their servers with a bare environment.
    url = probe_url() or probe_of_ancestors()

    def fetch() -> str:
        if url is None:
            return made(case, next(numbers)).text
        value = fetched(url)
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    serve(fetch)


def serve(fetch: Fetch) -> None:
    """Answer each line until there are no more."""
    for line in sys.stdin.buffer:
        for one in answers(line, fetch) if line.strip() else ():
            sys.stdout.buffer.write(one)
            sys.stdout.buffer.flush()
