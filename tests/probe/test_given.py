"""What a tool returns while it is probed, and the MCP server of the same."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ullage.probe
from ullage.errors import UllageError
from ullage.probe.bench import Bench, benching
from ullage.probe.canary import payload
from ullage.probe.case import Case
from ullage.probe.mcp_server import answers
from ullage.probe.scripts import Words
from ullage.probe.stage import Stage
from ullage.tap.environment import PROBE, variables


def probed(case: Case, folder: Path) -> Any:
    async def main() -> Any:
        async with benching(Bench()) as bench:
            Stage(bench, Words(), folder).begin(case)
            with variables({PROBE: bench.case_url(case.tag)}):
                return await asyncio.to_thread(ullage.probe.payload)

    return asyncio.run(main())


@pytest.mark.parametrize("returns", ["text", "object"])
def test_in_a_probe_it_is_what_the_case_asks_for(returns: Any, tmp_path: Path) -> None:
    case = Case(tag="a", kind="result", size=1000, returns=returns)
    made = payload(case, 0)

    assert probed(case, tmp_path) == (made.text if returns == "text" else made.value)


def test_outside_of_a_probe_it_is_a_text_of_the_size_the_same_each_time() -> None:
    text = ullage.probe.payload(2000)

    assert len(text) == 2000
    assert ullage.probe.payload(2000) == text
    assert ullage.probe.payload(2000, seed="other") != text


def test_outside_of_a_probe_without_a_size_it_says_what_to_do() -> None:
    with pytest.raises(UllageError, match=r"ULLAGE_PROBE is not set.*ullage probe run -- CMD"):
        ullage.probe.payload()


def test_a_probe_that_has_ended_is_said() -> None:
    with (
        variables({PROBE: "http://127.0.0.1:9/case/a"}),
        pytest.raises(UllageError, match="has the probe ended"),
    ):
        ullage.probe.payload()


def asked(*messages: Any) -> list[Any]:
    lines = (json.dumps({"jsonrpc": "2.0", **one}).encode() for one in messages)
    return [json.loads(one) for line in lines for one in answers(line, lambda: "rows")]


def test_the_server_has_one_tool_that_returns_the_payload() -> None:
    listed, called = asked(
        {"id": 1, "method": "tools/list"},
        {"id": 2, "method": "tools/call", "params": {"name": "fetch_rows", "arguments": {}}},
    )

    assert [one["name"] for one in listed["result"]["tools"]] == ["fetch_rows"]
    assert called["result"] == {"content": [{"type": "text", "text": "rows"}], "isError": False}


def test_the_server_speaks_the_clients_version_and_answers_no_notification() -> None:
    (answer,) = asked(
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2024-11-05"}},
        {"method": "notifications/initialized"},
    )

    assert answer["result"]["protocolVersion"] == "2024-11-05"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"id": 1, "method": "resources/list"}, -32601),
        ({"id": 1, "method": "tools/call", "params": {"name": "other"}}, -32602),
    ],
)
def test_what_the_server_does_not_have_is_an_error(message: Any, code: int) -> None:
    assert asked(message)[0]["error"]["code"] == code


def test_a_line_that_is_no_message_is_answered_as_such() -> None:
    (answer,) = answers(b"{", lambda: "rows")

    assert json.loads(answer)["error"]["code"] == -32700


@pytest.mark.slow
def test_a_client_of_the_protocol_gets_new_rows_with_each_call() -> None:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    words = ["-m", "ullage", "probe", "mcp", "--size", "1000", "--format", "csv"]

    async def main() -> list[str]:
        server = StdioServerParameters(command=sys.executable, args=words)
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            results = [await session.call_tool("fetch_rows", {}) for _ in range(2)]
            return [one.content[0].text for one in results]  # type: ignore[union-attr]

    first, second = asyncio.run(main())

    assert len(first) == len(second) == 1000
    assert first != second


def test_a_tool_that_is_not_probed_pays_nothing_for_the_import() -> None:
    code = "import sys, ullage.probe; print([m for m in sys.modules if m.startswith('ullage.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "['ullage.probe']"
