"""What the proxy's recorder does with a ledger that takes some of it, or nothing."""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from ullage.errors import LedgerError
from ullage.ledger.records import Durability, ExchangeRecord, LeftOut
from ullage.ledger.store import Ledger
from ullage.tap.proxy.recorder import LedgerRecorder

RECORD = ExchangeRecord(
    run="T",
    method="POST",
    path="/x",
    upstream="http://h",
    request_headers=(),
    request_body=b"",
    status=200,
    response_headers=(),
    response_body=b"",
    started=1.0,
    first_byte=1.5,
    ended=2.0,
)
MCP_CALL = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list"}}'
MCP_ANSWER = b'{"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "x"}]}}'


def without(place: Path, table: str) -> None:
    """Make a ledger that takes nothing of one kind."""
    with closing(sqlite3.connect(place)) as db:
        db.execute(f"ALTER TABLE {table} RENAME TO elsewhere")


def recorded(ledger: Ledger, record: ExchangeRecord, said: list[str]) -> Sequence[str]:
    with closing(LedgerRecorder(ledger, report=said.append)) as recorder:

        async def main() -> Sequence[str]:
            return await recorder(record)

        return asyncio.run(main())


@pytest.mark.parametrize("durability", get_args(Durability))
def test_a_record_that_the_ledger_refuses_is_counted_and_passed_on(
    tmp_path: Path, durability: Durability
) -> None:
    place = tmp_path / "a.ledger"
    with Ledger(place, durability=durability) as ledger:
        without(place, "exchange")
        with pytest.raises(LedgerError, match="no such table"):
            recorded(ledger, RECORD, [])

    with closing(sqlite3.connect(place)) as db:
        assert db.execute("SELECT run, sum(records) FROM lost").fetchall() == [("T", 1)]


@pytest.mark.parametrize("durability", get_args(Durability))
def test_what_an_mcp_server_returned_is_recorded_as_produced(
    tmp_path: Path, durability: Durability
) -> None:
    said: list[str] = []
    with Ledger(tmp_path / "a.ledger", durability=durability) as ledger:
        recorded(ledger, replace(RECORD, request_body=MCP_CALL, response_body=MCP_ANSWER), said)
        (result,) = ledger.results("T")

    assert (result.tool, result.text, said) == ("list", "x", [])


@pytest.mark.parametrize("durability", get_args(Durability))
def test_a_tool_result_that_is_not_recorded_is_said_and_counted(
    tmp_path: Path, durability: Durability
) -> None:
    place, said = tmp_path / "a.ledger", list[str]()
    with Ledger(place, durability=durability) as ledger:
        without(place, "result")
        recorded(ledger, replace(RECORD, request_body=MCP_CALL, response_body=MCP_ANSWER), said)
        ledger.flush(20)
        assert ledger.faults("T") == 1

    (what,) = said
    assert "POST /x: its tool result was not recorded: cannot write to" in what


def test_a_reply_that_was_too_large_to_copy_is_said_and_counted(tmp_path: Path) -> None:
    changes: dict[str, Any] = {"response_left_out": LeftOut(size=9, digest=b"", limit=1)}
    said: list[str] = []
    with Ledger(tmp_path / "a.ledger") as ledger:
        recorded(ledger, replace(RECORD, request_body=MCP_CALL, **changes), said)
        assert ledger.faults("T") == 2  # the body that is not kept, and the result in it

    (what,) = said
    assert "its tool result was not recorded: the reply is too large to be copied" in what
