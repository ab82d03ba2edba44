"""Keeps what an MCP server returned in a ledger."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ullage.errors import UllageError
from ullage.ledger.encodings import decoded
from ullage.ledger.records import ExchangeRecord, ProducedRecord
from ullage.ledger.store import Ledger
from ullage.tap.mcp.http import HttpCalls, HttpExchange
from ullage.tap.mcp.results import Produced


def record_of(result: Produced, run: str, at: float, *, server: str | None) -> ProducedRecord:
    """Make a result a record; a server's name goes in front of its tools, as in many clients."""
    return ProducedRecord(
        run=run,
        tool=f"mcp__{server}__{result.tool}" if server else result.tool,
        kind="tool",
        arguments=result.arguments,
        text=result.text,
        at=at,
        call_id=result.call_id,
    )


@dataclass(slots=True, kw_only=True)
class Keeper:
    """Writes results under one run; the ledger is opened, or made, when the first one comes."""

    ledger: Path
    run: str
    server: str | None
    environment: Mapping[str, str]
    _opened: Ledger | None = field(default=None, init=False)

    def __call__(self, result: Produced, at: float) -> None:
        """Write one result; raises what the ledger raises."""
        if self._opened is None:
            opened = Ledger(self.ledger)
            opened.learn(self.run, self.environment)
            self._opened = opened
        self._opened.add_produced(record_of(result, self.run, at, server=self.server))


class HttpResults:
    """What MCP servers returned among the exchanges that one proxy records."""

    def __init__(self) -> None:
        self._calls = HttpCalls()

    def may_hold(self, record: ExchangeRecord) -> bool:
        """Tell at a glance whether `of` has to look closer."""
        return self._calls.is_worth_a_look(record.method, record.request_body)

    def of(self, record: ExchangeRecord) -> list[ProducedRecord]:
        """Return the results that an exchange gave, ready to be written under its run.

        Exchanges come in the order of their ends. A body that cannot be decoded gives nothing:
        the ledger says so when it keeps the exchange. Raises UllageError where the reply to a call
        was too large to be copied.
        """
        if not self._calls.is_worth_a_look(record.method, record.request_body):
            return []
        if record.response_left_out is not None and b'"tools/call"' in record.request_body:
            raise UllageError("the reply is too large to be copied (--largest-body)")
        exchange = HttpExchange(
            run=record.run,
            method=record.method,
            path=record.path,
            request_headers=lowered(record.request_headers),
            request_body=decoded(record.request_body, record.request_headers).content,
            response_headers=lowered(record.response_headers),
            response_body=decoded(record.response_body, record.response_headers).content,
        )
        return [
            record_of(result, record.run, record.ended, server=None)
            for result in self._calls.take(exchange)
        ]


def lowered(headers: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return headers by name."""
    return {name.lower(): value for name, value in headers}
