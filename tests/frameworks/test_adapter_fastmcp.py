"""The adapter of FastMCP: a real server and a real client, in memory and over stdio."""

import asyncio
import inspect
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchmarks.adapters.lines import lines_added
from tests.frameworks.adapted import PROGRAMS, produced
from tests.frameworks.harness import module

from ullage import Handoff, Ledger, MemoryStore, chars
from ullage.history.recall import handles_in

fastmcp = module("fastmcp")
transports = module("fastmcp.client.transports")
results = module("fastmcp.tools.tool" if fastmcp.__version__ < "3" else "fastmcp.tools")
adapter = module("ullage.integrate.fastmcp")

LIMIT = 2_000
ROWS = [{"id": f"R-{number:05d}", "days": number * 3} for number in range(400)]


def fitted(*tools: Callable[..., Any], **settings: Any) -> Any:
    """A server with a middleware that is fitted."""
    server = fastmcp.FastMCP("clerk")
    server.add_middleware(
        adapter.UllageMiddleware(adapter.Fitting(results=chars(LIMIT), **settings))
    )
    for one in tools:
        server.tool(one)
    return server


def talked(server: Any, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """Have a client that validates call one tool after the other; return its answers."""

    async def talk() -> list[Any]:
        async with fastmcp.Client(server) as client:
            await client.list_tools()
            return [await client.call_tool_mcp(name, given) for name, given in calls]

    return asyncio.run(talk())


def listed(server: Any) -> list[Any]:
    """Return the tools that a client is told of."""

    async def ask() -> Any:
        async with fastmcp.Client(server) as client:
            return await client.list_tools()

    found: list[Any] = asyncio.run(ask())
    return found


def structured(answer: Any) -> Any:
    return getattr(answer, "structured_content", None) or getattr(answer, "structuredContent", None)


def text_of(answer: Any) -> str:
    (block,) = answer.content
    text: str = block.text
    return text


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
    (answer,) = talked(fitted(fetch_object), ("fetch_object", {}))

    assert len(text_of(answer)) <= LIMIT
    assert json.loads(text_of(answer)) == structured(answer)
    assert "records" in structured(answer)["_ullage"]


def test_a_list_is_cut_and_stays_valid_under_its_schema() -> None:
    (answer,) = talked(fitted(fetch_list), ("fetch_list", {}))

    notice, *rows = json.loads(text_of(answer))
    assert len(text_of(answer)) <= LIMIT
    assert all(row in ROWS for row in rows)
    assert structured(answer) == {"_ullage": notice["_ullage"], "result": rows}


def test_a_text_is_the_same_text_where_it_is_structured() -> None:
    (answer,) = talked(fitted(fetch_text), ("fetch_text", {}))

    assert len(text_of(answer)) <= LIMIT
    assert json.loads(text_of(answer))
    assert structured(answer) == {"result": text_of(answer)}


def test_a_client_of_fastmcp_reads_a_cut_result_as_the_type_that_it_is() -> None:
    async def ask() -> Any:
        async with fastmcp.Client(fitted(fetch_list, fetch_text)) as client:
            return (await client.call_tool("fetch_list", {})).data, (
                await client.call_tool("fetch_text", {})
            ).data

    rows, text = asyncio.run(ask())
    assert isinstance(rows, list)
    assert 0 < len(rows) < len(ROWS)
    assert isinstance(text, str)


def test_what_fits_goes_on_as_it_came() -> None:
    def fetch() -> dict[str, Any]:
        return {"rows": ROWS[:3]}

    (answer,) = talked(fitted(fetch), ("fetch", {}))

    assert structured(answer) == json.loads(text_of(answer)) == {"rows": ROWS[:3]}


def test_what_no_cut_can_make_valid_goes_on_whole_and_is_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    schema = {
        "type": "object",
        "properties": {"rows": {"type": "array", "minItems": 400}},
        "required": ["rows"],
    }
    server = fitted()
    server.tool(fetch_object, output_schema=schema)
    (answer,) = talked(server, ("fetch_object", {}))

    assert structured(answer) == json.loads(text_of(answer)) == {"rows": ROWS}
    assert "a result of fetch_object goes on whole" in caplog.text


def test_what_a_result_says_beside_its_content_stays() -> None:
    if "meta" not in inspect.signature(results.ToolResult).parameters:
        pytest.skip("a result says nothing beside its content before FastMCP 2.13")

    def fetch() -> Any:
        made = results.ToolResult(content=json.dumps(ROWS), structured_content={"rows": ROWS})
        made.meta = {"page": 1}
        return made

    (answer,) = talked(fitted(fetch), ("fetch", {}))

    assert len(text_of(answer)) <= LIMIT
    assert "_ullage" in structured(answer)
    assert answer.meta["page"] == 1


def test_a_middleware_that_was_added_before_cuts_behind_ours(tmp_path: Path) -> None:
    limits = module("fastmcp.server.middleware.response_limiting")
    server = fastmcp.FastMCP("clerk")
    server.add_middleware(limits.ResponseLimitingMiddleware(max_size=1_000))
    ledger = tmp_path / "s.ledger"
    fitting = adapter.Fitting(results=chars(LIMIT), ledger=ledger, run="r")
    server.add_middleware(adapter.UllageMiddleware(fitting))
    server.tool(fetch_text, output_schema=None)
    (answer,) = talked(server, ("fetch_text", {}))

    with Ledger.read(ledger) as opened:
        (one,) = opened.results("r")
    assert one.text == fetch_text()
    assert one.handed_on is not None
    assert one.handed_on.startswith(text_of(answer).partition("\n\n[Response truncated")[0])
    assert len(text_of(answer)) < len(one.handed_on) <= LIMIT


def test_what_a_mounted_server_returns_is_cut() -> None:
    inner = fastmcp.FastMCP("inner")
    inner.tool(fetch_list)
    server = fitted()
    server.mount(inner)
    (name,) = [one.name for one in listed(server)]
    (answer,) = talked(server, (name, {}))

    assert len(text_of(answer)) <= LIMIT
    assert len(structured(answer)["result"]) == len(json.loads(text_of(answer))) - 1


def test_what_a_tool_raises_is_answered_as_the_server_answers_it() -> None:
    def fetch() -> str:
        raise LookupError("no such table")

    (answer,) = talked(fitted(fetch), ("fetch", {}))

    assert "no such table" in text_of(answer)


def test_what_is_left_out_can_be_asked_for() -> None:
    store = MemoryStore()
    server = fitted(fetch_list, store=store)
    (answer,) = talked(server, ("fetch_list", {}))
    (handle,) = handles_in(text_of(answer))
    (page,) = talked(server, ("recall", {"handle": handle, "records": "200-209"}))

    assert [one.name for one in listed(server)] == ["fetch_list", "recall"]
    assert "R-00205" in text_of(page)
    assert store.use.used == 1


def test_a_finding_is_recorded_by_the_servers_tool(tmp_path: Path) -> None:
    with Handoff(tmp_path / "h.ledger", run="r") as handoff:
        server = fitted(fetch_list, handoff=handoff)
        talked(server, ("record_finding", {"text": "Order R-00007 was paid twice."}))

        assert [one.text for one in handoff.findings()] == ["Order R-00007 was paid twice."]


def test_a_budget_for_a_history_is_refused() -> None:
    with pytest.raises(ValueError, match="never sent a history"):
        fitted(history=9_000)


PROGRAM = '''
from fastmcp import FastMCP
from ullage import chars
from ullage.integrate.fastmcp import Fitting, UllageMiddleware

server = FastMCP("clerk")
fitting = Fitting(results=chars(2_000), ledger={ledger!r}, run="r")
server.add_middleware(UllageMiddleware(fitting))


@server.tool
def list_rows(customer: str) -> list[dict]:
    """List rows."""
    return [{{"id": f"R-{{number:05d}}", "days": number * 3}} for number in range(400)]


server.run("stdio")
'''


@pytest.mark.slow
def test_over_stdio_what_the_client_gets_is_what_is_recorded_as_handed_on(tmp_path: Path) -> None:
    program, ledger = tmp_path / "server.py", tmp_path / "s.ledger"
    program.write_text(PROGRAM.format(ledger=str(ledger)), encoding="utf-8")
    stdio = transports.StdioTransport(sys.executable, [str(program)])

    async def ask() -> Any:
        async with fastmcp.Client(stdio) as client:
            found = await client.call_tool_mcp("list_rows", {"customer": "ada"})
            # A client may kill its server as it leaves, and it is recorded behind the answer.
            while not recorded(ledger):
                await asyncio.sleep(0.05)
            return found

    answer = asyncio.run(ask())
    (one,) = recorded(ledger)
    assert json.loads(one.text) == ROWS
    assert one.handed_on == text_of(answer) != one.text
    assert (one.tool, json.loads(one.arguments)) == ("list_rows", {"customer": "ada"})


@pytest.mark.slow
def test_the_examples_differ_in_what_is_cut_and_in_the_lines_that_a_user_adds() -> None:
    calls = [("list_orders", {"customer": "C1"}), ("list_tickets", {"customer": "C1"})]
    plain, cut = (
        talked(transports.PythonStdioTransport(PROGRAMS / f"fastmcp_{name}.py"), *calls)
        for name in ("plain", "ullage")
    )

    whole = produced()
    assert [json.loads(text_of(one)) for one in plain] == [
        whole["list_orders", "C1"],
        json.loads(whole["list_tickets", "C1"]),
    ]
    assert ["_ullage" in text_of(one) for one in [*plain, *cut]] == [False, False, True, True]
    assert lines_added("fastmcp") == 2


def recorded(ledger: Path) -> list[Any]:
    """Return the results of a ledger with what was handed on of them."""
    if not ledger.exists():
        return []
    with Ledger.read(ledger) as opened:
        return [one for one in opened.results("r") if one.handed_on]
