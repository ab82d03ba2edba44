"""Servers of the official package: a real server and a real client, in memory and over stdio."""

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.server import MCPServer
from mcp.types import CallToolResult, ImageContent, TextContent
from pydantic import BaseModel, ConfigDict, Field

from ullage import Ledger, MemoryStore, chars
from ullage.integrate.mcp import Fitting, fit

LIMIT = 2_000
ROWS = [{"id": f"R-{number:05d}", "days": number * 3} for number in range(400)]
PICTURE = ImageContent(type="image", data="aGVsbG8=", mime_type="image/png")


class Row(BaseModel):
    """A row, and nothing else."""

    model_config = ConfigDict(extra="forbid")
    id: str
    days: int


class Page(BaseModel):
    """Rows of a page."""

    model_config = ConfigDict(extra="forbid")
    rows: list[Row]


class Whole(BaseModel):
    """All the rows, or it is not valid."""

    rows: list[Row] = Field(min_length=400)


def answered(function: Callable[..., Any], *, store: Any = None, **options: Any) -> CallToolResult:
    """Call a tool of a fitted server by a client that validates what is structured."""
    server = fit(MCPServer("clerk"), Fitting(results=chars(LIMIT), store=store))
    server.add_tool(function, name="fetch", **options)

    async def ask() -> CallToolResult:
        async with Client(server) as client:
            await client.list_tools()
            return await client.call_tool("fetch", {})

    return asyncio.run(ask())


def text_of(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


def fetch_object() -> dict[str, Any]:
    """Fetch."""
    return {"rows": ROWS}


def fetch_list() -> list[dict[str, Any]]:
    """Fetch."""
    return ROWS


def fetch_text() -> str:
    """Fetch."""
    return json.dumps(ROWS)


def test_an_object_is_cut_and_what_is_structured_is_the_same() -> None:
    result = answered(fetch_object)

    assert len(text_of(result)) <= LIMIT
    assert json.loads(text_of(result)) == result.structured_content
    assert result.structured_content
    assert "records" in result.structured_content["_ullage"]


def test_a_list_that_is_a_block_a_record_is_cut_as_the_list_that_it_is() -> None:
    result = answered(fetch_list)

    notice, *rows = json.loads(text_of(result))
    assert len(text_of(result)) <= LIMIT
    assert all(row in ROWS for row in rows)
    assert result.structured_content == {"_ullage": notice["_ullage"], "result": rows}


def test_a_text_is_the_same_text_where_it_is_structured() -> None:
    result = answered(fetch_text)

    assert len(text_of(result)) <= LIMIT
    assert result.structured_content == {"result": text_of(result)}


def test_what_fits_goes_on_as_it_came() -> None:
    def fetch() -> dict[str, Any]:
        return {"rows": ROWS[:3]}

    result = answered(fetch)

    assert result.structured_content == {"rows": ROWS[:3]}
    assert json.loads(text_of(result)) == {"rows": ROWS[:3]}


def test_where_the_schema_allows_no_notice_the_text_says_it_alone() -> None:
    def fetch() -> Page:
        return Page.model_validate({"rows": ROWS})

    result = answered(fetch)

    assert result.structured_content
    assert list(result.structured_content) == ["rows"]
    said = json.loads(text_of(result))
    assert said.pop("_ullage").startswith("Cut to 2000 characters")
    assert said == result.structured_content


def test_what_no_cut_can_make_valid_goes_on_whole_and_is_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fetch() -> Whole:
        return Whole.model_validate({"rows": ROWS})

    result = answered(fetch)

    assert result.structured_content == json.loads(text_of(result)) == {"rows": ROWS}
    assert "a result of fetch goes on whole" in caplog.text


def test_a_tool_without_a_schema_is_cut_too() -> None:
    result = answered(fetch_list, structured_output=False)

    assert result.structured_content is None
    assert len(text_of(result)) <= LIMIT
    assert all(row in ROWS for row in json.loads(text_of(result))[1:])


def test_what_is_structured_and_says_something_else_is_cut_by_itself() -> None:
    def fetch() -> CallToolResult:
        text = TextContent(type="text", text="400 rows")
        return CallToolResult(content=[text], structured_content={"rows": ROWS})

    result = answered(fetch)

    assert text_of(result) == "400 rows"
    assert result.structured_content
    assert len(json.dumps(result.structured_content, separators=(",", ":"))) <= LIMIT


def test_a_picture_beside_a_text_stays() -> None:
    def fetch() -> list[Any]:
        return [PICTURE, TextContent(type="text", text=json.dumps(ROWS))]

    result = answered(fetch, structured_output=False)

    assert result.content[0] == PICTURE
    assert isinstance(result.content[1], TextContent)
    assert len(result.content[1].text) <= LIMIT


def test_what_a_tool_raises_is_answered_as_the_server_answers_it() -> None:
    def fetch() -> str:
        raise LookupError("no such table")

    result = answered(fetch)

    assert result.is_error
    assert "Error executing tool fetch" in text_of(result)


def test_what_is_left_out_can_be_asked_for() -> None:
    server = fit(MCPServer("clerk"), Fitting(results=chars(LIMIT), store=MemoryStore()))
    server.add_tool(fetch_list, name="fetch")

    async def ask() -> tuple[list[str], str]:
        async with Client(server) as client:
            names = [one.name for one in (await client.list_tools()).tools]
            cut = text_of(await client.call_tool("fetch", {}))
            handle = cut.partition('recall(\\"')[2].partition("\\")[0]
            page = await client.call_tool("recall", {"handle": handle, "records": "200-209"})
            return names, text_of(page)

    names, page = asyncio.run(ask())
    assert names == ["recall", "fetch"]
    assert "R-00205" in page


def test_settings_and_servers_that_it_cannot_serve_are_refused() -> None:
    with pytest.raises(ValueError, match="never sent a history"):
        fit(MCPServer("a"), Fitting(history=9_000))
    with pytest.raises(TypeError, match="got object"):
        fit(object(), Fitting())
    server = fit(MCPServer("b"), Fitting())
    with pytest.raises(ValueError, match="fitted already"):
        fit(server, Fitting())
    named = MCPServer("c")
    named.add_tool(fetch_text, name="recall")
    with pytest.raises(ValueError, match="'recall' already"):
        fit(named, Fitting(store=MemoryStore()))


PROGRAM = '''
import json
from mcp.server import MCPServer
from ullage import chars
from ullage.integrate.mcp import Fitting, fit

server = fit(MCPServer("clerk"), Fitting(results=chars(2_000), ledger={ledger!r}, run="r"))


@server.tool()
def list_rows(customer: str) -> list[dict]:
    """List rows."""
    return [{{"id": f"R-{{number:05d}}", "days": number * 3}} for number in range(400)]


server.run("stdio")
'''


@pytest.mark.slow
def test_over_stdio_what_the_client_gets_is_what_is_recorded_as_handed_on(tmp_path: Path) -> None:
    program, ledger = tmp_path / "server.py", tmp_path / "s.ledger"
    program.write_text(PROGRAM.format(ledger=str(ledger)), encoding="utf-8")
    parameters = StdioServerParameters(command=sys.executable, args=[str(program)])
    named = {"claudecode/toolUseId": "toolu_1"}

    async def ask() -> CallToolResult:
        async with Client(stdio_client(parameters)) as client:
            return await client.call_tool("list_rows", {"customer": "ada"}, meta=named)  # type: ignore[arg-type]

    result = asyncio.run(ask())
    with Ledger.read(ledger) as opened:
        (one,) = opened.results("r")
    assert json.loads(one.text) == ROWS
    assert one.handed_on == text_of(result) != one.text
    assert (one.tool, one.call_id, json.loads(one.arguments)) == (
        "list_rows",
        "toolu_1",
        {"customer": "ada"},
    )
