"""What arrived of recent results, measured beside a proxy for its metrics."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ullage.cli.figures import MOST_EXCHANGES, MOST_LABELS, OTHER, Tally, figures, shortfall
from ullage.cli.gauge import Gauge
from ullage.ledger.records import ExchangeRecord, ProducedRecord, StoredExchange
from ullage.ledger.store import Ledger
from ullage.tap.proxy.figures import Arrivals

ROWS = json.dumps([{"id": f"order-{number:04d}", "amount": number} for number in range(60)])
NOW = 100_000.0


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "a.ledger") as opened:
        yield opened


def exchange(
    ledger: Ledger,
    run: str,
    given: str = "",
    *,
    at: float = NOW,
    agent: str | None = None,
    reply: bytes = b"{}",
) -> None:
    message = {"role": "tool", "tool_call_id": "c1", "content": given}
    ledger.add_exchange(
        ExchangeRecord(
            run=run,
            agent=agent,
            method="POST",
            path="/v1/chat/completions",
            upstream="http://model.test",
            request_headers=[],
            request_body=json.dumps({"messages": [message]}).encode(),
            status=200,
            response_headers=[],
            response_body=reply,
            started=at,
            first_byte=at,
            ended=at,
        )
    )


def produced(ledger: Ledger, run: str, text: str = ROWS, tool: str = "orders") -> None:
    ledger.add_produced(
        ProducedRecord(run=run, tool=tool, kind="tool", arguments="{}", text=text, at=NOW)
    )


def test_results_are_counted_by_tool_with_what_was_lost_and_where(ledger: Ledger) -> None:
    produced(ledger, "whole")
    exchange(ledger, "whole", ROWS)
    produced(ledger, "cut")
    exchange(ledger, "cut", ROWS[:600])
    produced(ledger, "unseen")
    exchange(ledger, "unseen", "something else")

    found = figures(ledger, NOW)

    (tool,) = found.tools
    assert (found.runs, found.skipped, tool.tool) == (3, 0, "orders")
    assert (tool.results, tool.joined, tool.broken) == (3, 2, 1)
    assert tool.produced == 120
    assert 60 < tool.delivered < 120
    assert tool.lost_at == {"budget": 1}


def test_results_are_told_apart_by_the_agent_that_was_given_them(ledger: Ledger) -> None:
    for agent in ("writer", "reader"):
        text = ROWS.replace("order", agent)
        produced(ledger, "r", text)
        exchange(ledger, "r", text, agent=agent)
    produced(ledger, "r", "[]", tool="unseen")

    found = [(one.tool, one.agent, one.joined) for one in figures(ledger, NOW).tools]

    assert found == [("orders", "reader", 1), ("orders", "writer", 1), ("unseen", "", 0)]


def test_only_runs_of_the_last_hour_are_measured(ledger: Ledger) -> None:
    produced(ledger, "old")
    exchange(ledger, "old", ROWS, at=NOW - 3601)
    exchange(ledger, "new")

    found = figures(ledger, NOW)

    assert (found.runs, found.tools) == (1, [])


def test_an_empty_ledger_has_no_figures(ledger: Ledger) -> None:
    assert figures(ledger, NOW) == Arrivals(at=NOW, runs=0, skipped=0, tools=[])


def test_a_run_that_is_too_large_is_counted_as_skipped(ledger: Ledger) -> None:
    for _ in range(MOST_EXCHANGES + 1):
        exchange(ledger, "large")
    exchange(ledger, "small")

    found = figures(ledger, NOW)

    assert (found.runs, found.skipped) == (1, 1)


def test_rare_tools_share_one_label(ledger: Ledger) -> None:
    for number in range(MOST_LABELS + 5):
        produced(ledger, "r", "[]", tool=f"tool-{number}")
    exchange(ledger, "r")
    tally = Tally()
    tally.add_run(ledger, "r")

    found = tally.figures()

    assert len(found) == MOST_LABELS + 1
    assert [one.results for one in found if one.tool == OTHER] == [5]


@pytest.mark.parametrize(
    ("finish", "why"),
    [("stop", None), ("length", "cut-by-limit"), ("content_filter", "cut-by-server")],
)
def test_a_reply_that_ended_before_the_model_was_done_is_told(
    finish: str, why: str | None, ledger: Ledger
) -> None:
    reply = {"choices": [{"message": {"content": "Fifty"}, "finish_reason": finish}]}
    exchange(ledger, "r", reply=json.dumps(reply).encode())
    (stored,) = ledger.exchanges()

    assert shortfall(stored) == why


def test_a_reply_that_is_none_of_a_model_is_not_counted(ledger: Ledger) -> None:
    exchange(ledger, "r", reply=b"")
    (stored,) = ledger.exchanges()

    assert shortfall(stored) == "broken-stream"
    assert shortfall(replace(stored, path="/v1/models")) is None


def test_where_no_bodies_are_kept_nothing_is_said_of_how_a_reply_ended(ledger: Ledger) -> None:
    exchange(ledger, "r", reply=b"")
    (stored,) = ledger.exchanges()

    assert shortfall(replace(stored, keep="counts")) is None
    assert shortfall(replace(stored, keep="counts", error="broke off")) == "broken-stream"


def broken(stored: StoredExchange, *, status: int | None, error: str | None) -> StoredExchange:
    return replace(stored, status=status, error=error)


@pytest.mark.parametrize(
    ("status", "error", "why"),
    [(200, "broke off", "broken-stream"), (None, "cannot be reached", None), (429, None, None)],
)
def test_a_broken_stream_is_counted_and_a_refusal_is_not(
    status: int | None, error: str | None, why: str | None, ledger: Ledger
) -> None:
    exchange(ledger, "r")
    (stored,) = ledger.exchanges()

    assert shortfall(broken(stored, status=status, error=error)) == why


async def latest(gauge: Gauge) -> Arrivals:
    while (found := gauge()) is None:
        await asyncio.sleep(0.05)
    return found


@pytest.mark.slow
def test_a_gauge_measures_in_a_process_of_its_own_and_not_again_at_once(ledger: Ledger) -> None:
    exchange(ledger, "r", at=4e9)  # in the last hour, whatever the time is
    said: list[str] = []

    async def main() -> tuple[Arrivals, Arrivals | None]:
        gauge = Gauge(ledger.path, report=said.append)
        assert gauge() is None
        first = await asyncio.wait_for(latest(gauge), 30)
        exchange(ledger, "another", at=4e9)
        second = gauge()
        await gauge.settle()
        return first, second

    first, second = asyncio.run(main())

    assert first.runs == 1
    assert second is first
    assert said == []


@pytest.mark.slow
def test_a_gauge_says_why_nothing_was_measured(tmp_path: Path) -> None:
    said: list[str] = []

    async def main() -> None:
        gauge = Gauge(tmp_path / "none.ledger", report=said.append)
        gauge()
        while not said:
            await asyncio.sleep(0.05)
        await gauge.settle()

    asyncio.run(asyncio.wait_for(main(), 30))

    assert said[0].startswith("arrival was not measured: cannot open")
    assert "none.ledger" in said[0]
