"""`ullage mcp`: a real client of the protocol asks for what was left out."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ullage.cli.mcp import Findings, server
from ullage.cli.mcp import command as mcp
from ullage.history.recall_answer import Room
from ullage.history.recall_ledger import LedgerStore
from ullage.ledger.store import Ledger
from ullage.tap.mcp.server import Server, Tool

TEXT = json.dumps([{"id": f"ORD-{n:04}"} for n in range(255)])


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "a.ledger"


@pytest.fixture
def handle(place: Path) -> str:
    """The handle of a text that the run `monday` left out."""
    with Ledger(place) as ledger:
        store = LedgerStore(ledger, "monday", clock=lambda: 5.0)
        return store.keep(TEXT, tool="list_orders", call='{"day":"mon"}')


def ask(place: Path, tool: str, **arguments: object) -> Any:
    """The result of a call, without a process between."""
    one = server(place, "monday", Room())
    asked = {"name": tool, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}
    (answer,) = one.answers(json.dumps(message).encode())
    return json.loads(answer)["result"]


@pytest.mark.slow
def test_a_client_of_the_protocol_lists_and_gets_what_was_left_out(
    place: Path, handle: str
) -> None:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    words = ["-m", "ullage", "mcp", "--ledger", str(place), "--run", "monday"]

    async def main(use: Callable[[ClientSession], Awaitable[Any]]) -> Any:
        program = StdioServerParameters(command=sys.executable, args=words)
        async with stdio_client(program) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            return await use(session)

    async def use(session: ClientSession) -> tuple[list[str], str, str]:
        tools = await session.list_tools()
        listed = await session.call_tool("list_left_out", {})
        page = await session.call_tool("get_records", {"handle": handle, "records": "250-254"})
        return (
            [one.name for one in tools.tools],
            listed.content[0].text,  # type: ignore[union-attr]
            page.content[0].text,  # type: ignore[union-attr]
        )

    tools, listed, page = asyncio.run(main(use))

    assert tools == ["list_left_out", "get_records"]
    assert f'{handle}  list_orders {{"day":"mon"}}  255 records' in listed
    assert page.startswith("[ullage: records 250-254 of 255, to the end]")
    assert "ORD-0254" in page


def test_each_use_is_counted_in_the_ledger(place: Path, handle: str) -> None:
    ask(place, "get_records", handle=handle)
    ask(place, "get_records", handle="ffffffff")

    with Ledger.read(place) as ledger:
        use = ledger.recall_use("monday")
    assert (use.offered, use.used, use.pages, use.unknown) == (1, 1, 1, 1)


def test_the_next_page_is_asked_for_by_the_name_of_this_tool(place: Path, handle: str) -> None:
    text = ask(place, "get_records", handle=handle)["content"][0]["text"]

    assert f'next: get_records("{handle}", records="20-39")' in text


def test_a_handle_that_is_not_there_is_an_error_of_the_tool(place: Path, handle: str) -> None:
    found = ask(place, "get_records", handle="ffffffff")

    assert found["isError"]
    assert handle in found["content"][0]["text"]


def test_before_anything_is_recorded_it_says_that_nothing_was_left_out(place: Path) -> None:
    found = ask(place, "list_left_out")

    assert "nothing was left out so far" in found["content"][0]["text"]
    assert not place.exists()


def test_a_range_that_is_none_is_an_error_of_the_tool(place: Path, handle: str) -> None:
    found = ask(place, "list_left_out", records="9-99")

    assert found["isError"]
    assert "there are 1, from 0" in found["content"][0]["text"]


def test_what_another_run_left_out_is_not_listed(place: Path, handle: str) -> None:
    with Ledger(place) as ledger:
        LedgerStore(ledger, "tuesday", clock=lambda: 6.0).keep("secret plans", tool="read")

    listed = ask(place, "list_left_out")["content"][0]["text"]

    assert "list_orders" in listed
    assert "read" not in listed


def test_stats_print_the_use_of_handles(place: Path, handle: str) -> None:
    ask(place, "get_records", handle=handle)

    done = CliRunner().invoke(
        mcp, ["--ledger", str(place), "--stats", "--format", "json"], catch_exceptions=False
    )

    assert json.loads(done.stdout) == {
        "schema": "ullage.recall/1",
        "run": None,
        "offered": 1,
        "used": 1,
        "pages": 1,
        "unknown": 0,
        "rate": 1.0,
    }


def call_of(tool: Tool, **arguments: object) -> Any:
    """The result of a call of one tool, without a process between."""
    asked = {"name": tool.name, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}
    (answer,) = Server(name="ullage", tools=(tool,)).answers(json.dumps(message).encode())
    return json.loads(answer)["result"]


def test_a_finding_of_a_worker_is_kept_for_the_next_stage(place: Path) -> None:
    with Findings(place, "monday", worker="reader", stage="read") as findings:
        said = call_of(findings.tool(), text="ORD-7 is late by 3 days.", evidence="row 7")

    assert not said["isError"]
    with Ledger.read(place) as ledger:
        (one,) = ledger.findings("monday")
    assert (one.worker, one.stage, one.text) == ("reader", "read", "ORD-7 is late by 3 days.")


def test_a_finding_without_a_text_is_an_error_of_the_tool(place: Path) -> None:
    with Findings(place, "monday", worker="reader", stage="read") as findings:
        said = call_of(findings.tool(), text=" ")

    assert said["isError"]
    assert "missing or empty" in said["content"][0]["text"]


def test_a_server_that_records_no_finding_makes_no_ledger(place: Path) -> None:
    with Findings(place, "monday", worker="reader", stage="read"):
        pass

    assert not place.exists()
