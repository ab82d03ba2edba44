"""`ullage mcp`: an MCP server that gives a model what was left out, in small pages."""

import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

import click

from ullage.cli.ledger.place import place_of
from ullage.cli.options import Output, format_option
from ullage.cli.output import print_document, say
from ullage.history import finding_tool
from ullage.history.handoff import Handoff
from ullage.history.recall_answer import Room, answer, listing
from ullage.history.recall_ledger import LedgerStore
from ullage.history.recall_tool import PARAMETERS, words
from ullage.ledger.store import Ledger
from ullage.tap.mcp.server import Server, Tool, ToolError

LIST, GET = "list_left_out", "get_records"
HANDOFF_RUN = "default"
"""The run of a `Handoff` that is given none."""
NOT_RECORDED = "Not recorded"
INSTRUCTIONS = (
    "Tool results of this session that were cut or left out of the conversation are kept here. "
    'Where a line says [ullage: …] and names a handle, get_records(handle="…") has the rest.'
)


@click.command("mcp", short_help="An MCP server with what was left out, in small pages.")
@click.option(
    "--ledger",
    "option",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The ledger; else ULLAGE_LEDGER, else ./ullage.ledger.",
)
@click.option(
    "--run", metavar="TAG", help="Only what one run left out; else ULLAGE_RUN, else all of it."
)
@click.option(
    "--page-records",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="Records of an answer, unless others are asked for.",
)
@click.option(
    "--page-chars",
    type=click.IntRange(min=1000),
    default=4000,
    show_default=True,
    help="Characters of an answer at most.",
)
@click.option(
    "--worker",
    metavar="NAME",
    help="A third tool, record_finding: findings of the worker NAME, for the next stage.",
)
@click.option(
    "--stage",
    metavar="NAME",
    default="work",
    show_default=True,
    help="--worker: the stage that it works in.",
)
@click.option(
    "--stats",
    is_flag=True,
    help="Serve nothing: print how many of the handles that were offered were used.",
)
@format_option
def command(
    option: Path | None,
    run: str | None,
    page_records: int,
    page_chars: int,
    worker: str | None,
    stage: str,
    stats: bool,
    output: Output,
) -> None:
    """Serve on stdin and stdout what a run's cuts and compactions left out.

    Two tools: list_left_out says what there is, get_records gives a small page of it. Each use is
    counted in the ledger; `--stats` and `ullage ledger stats` show it. The ledger may come later.
    With --worker a third one, record_finding, keeps what the model finds for a `Handoff`.

    \b
    Example, in the settings of an MCP client, and by hand:
      {"mcpServers": {"left-out": {"command": "ullage", "args": ["mcp"]}}}
      ullage mcp --ledger runs/a.ledger --stats
    """
    place = place_of(None, option)
    run = run or os.environ.get("ULLAGE_RUN") or None
    if stats:
        print_use(place, run, output)
        return
    one = server(place, run, Room(records=page_records, chars=page_chars))
    if worker is None:
        serve(one)
        return
    with Findings(place, run, worker=worker, stage=stage) as findings:
        serve(replace(one, tools=(*one.tools, findings.tool())))


def print_use(place: Path, run: str | None, output: Output) -> None:
    """Print how many handles were offered and used."""
    with Ledger.read(place) as ledger:
        use = ledger.recall_use(run)
    if output == "json":
        print_document("ullage.recall/1", {"run": run, **use.to_dict()})
        return
    click.echo(f"handles offered {use.offered:>8}")
    click.echo(f"handles used    {use.used:>8}")
    click.echo(f"pages given     {use.pages:>8}")
    click.echo(f"unknown handles {use.unknown:>8}")


def server(place: Path, run: str | None, room: Room) -> Server:
    """Return the server over a ledger."""

    def listed(arguments: Mapping[str, object]) -> str:
        with store(place, run) as there:
            try:
                return listing(there, words(arguments, "records"), room=room, tool=LIST)
            except ValueError as error:
                raise ToolError(str(error)) from error

    def given(arguments: Mapping[str, object]) -> str:
        handle, part, records = (words(arguments, one) for one in ("handle", "part", "records"))
        with store(place, run) as there:
            found = answer(there, handle or "", part, records, room=room, tool=GET)
        if not found.found:
            raise ToolError(found.text)
        return found.text

    return Server(
        name="ullage",
        instructions=INSTRUCTIONS,
        tools=(
            Tool(
                name=LIST,
                description="List the tool results that were cut or left out of the conversation.",
                schema={
                    "type": "object",
                    "properties": {
                        "records": {"type": "string", "description": 'Lines A to B: "20-39".'}
                    },
                },
                call=listed,
            ),
            Tool(
                name=GET,
                description="Get some records of a tool result that was cut or left out. "
                "Answers are small pages; each says how to ask for the next.",
                schema=PARAMETERS,
                call=given,
            ),
        ),
    )


class Findings:
    """What one worker finds, from its first finding until the server ends."""

    def __init__(self, place: Path, run: str | None, *, worker: str, stage: str) -> None:
        self._open = ExitStack()
        self._make = partial(Handoff, place, run=run or HANDOFF_RUN, worker=worker, stage=stage)
        self._handoff: Handoff | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._open.__exit__(kind, error, traceback)

    def record(self, arguments: Mapping[str, object]) -> str:
        """Keep one finding; why it is not kept is said to the model."""
        if self._handoff is None:
            self._handoff = self._open.enter_context(self._make())
        said = self._handoff.call_tool(arguments)
        if said.startswith(NOT_RECORDED):
            raise ToolError(said)
        return said

    def tool(self) -> Tool:
        """Return the tool."""
        return Tool(
            name=finding_tool.NAME,
            description=finding_tool.DESCRIPTION,
            schema=finding_tool.PARAMETERS,
            call=self.record,
        )


@contextmanager
def store(place: Path, run: str | None) -> Iterator[LedgerStore]:
    """Open the ledger for one call: it may not be there yet, and others write it."""
    if not place.exists():
        raise ToolError(f"nothing was left out so far: there is no ledger {place}")
    writes = os.access(place, os.W_OK) and os.access(place.parent, os.W_OK)
    with Ledger(place, durability="sync") if writes else Ledger.read(place) as ledger:
        yield LedgerStore(ledger, run, clock=time.time, counts=writes)


def serve(one: Server) -> None:
    """Answer each line until there are no more."""
    say("ullage mcp: serving on stdin and stdout")
    for line in sys.stdin.buffer:
        for each in one.answers(line) if line.strip() else ():
            sys.stdout.buffer.write(each)
            sys.stdout.buffer.flush()
