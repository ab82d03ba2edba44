"""Make a ledger of a week: two agents, two tools, and a limit that was changed on the way.

    python examples/parquet/recordings.py week.ledger

Everything in it is made, and the replies are `scripted`: no model is asked. Each session calls both
tools and puts what is left of their results into one request. `steady-agent` keeps the first
characters of a result; `careful-agent` does, too, and cuts with `ullage.cut` from the third day on.
"""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from ullage import Ledger, chars, cut
from ullage.ledger.records import ExchangeRecord, ProducedRecord

MONDAY = 1_790_553_600.0  # 2026-09-28T00:00:00Z
DAY, HOUR = 86_400.0, 3_600.0
DAYS = 5
LIMIT = 6_000
CHANGED = 2
"""The day, from 0, on which careful-agent gets another cut."""

Shorten = Callable[[str], str]


class Agent(NamedTuple):
    """A made agent: how it says what it is, and how it shortens on a day."""

    name: str
    shortens: Callable[[int], Shorten]


def first_characters(text: str) -> str:
    """Keep the first characters, and say nothing."""
    return text[:LIMIT]


def whole_records(text: str) -> str:
    """Keep whole records, and say what is left out."""
    return cut(text, chars(LIMIT)).text


AGENTS = (
    Agent("steady-agent/1.4", lambda _day: first_characters),
    Agent("careful-agent/0.9", lambda day: first_characters if day < CHANGED else whole_records),
)


def list_containers(seed: int) -> str:
    """Return two lists, the second behind the limit."""
    early = [{"pid": 1000 + n, "name": f"proc-{n}", "cpu": (n * 7 + seed) % 90} for n in range(180)]
    late = [{"pid": 5000 + n, "name": f"late-{n}", "cpu": (n * 3 + seed) % 90} for n in range(180)]
    return json.dumps({"early_list": early, "late_list": late}, separators=(",", ":"))


def find_orders(seed: int) -> str:
    """Return orders, of which only the last ones say why they are late."""
    orders: list[dict[str, object]] = [
        {"order": f"ORD-{seed:03}-{n:03}", "state": "sent" if n < 70 else "late", "items": n % 7}
        for n in range(90 + seed % 40)
    ]
    for one in orders[70:]:
        one["reason"] = f"carrier {seed % 4}"
    return json.dumps(orders, separators=(",", ":"))


TOOLS = {"list_containers": list_containers, "find_orders": find_orders}


def sessions() -> Iterator[tuple[Agent, int, int]]:
    """Yield an agent, a day and the number of the session on it."""
    for day in range(DAYS):
        for agent in AGENTS:
            for number in range(3):
                yield agent, day, number


def record(ledger: Ledger, agent: Agent, day: int, number: int) -> None:
    """Record one session: what both tools returned, and the request that has what is left."""
    name = agent.name.partition("/")[0]
    run, at = f"{name}-{day + 1}-{number + 1}", MONDAY + day * DAY + (9 + number) * HOUR
    shorten = agent.shortens(day)
    messages: list[dict[str, object]] = [{"role": "user", "content": "What is late, and why?"}]
    for tool, make in TOOLS.items():
        text, call = make(day * 10 + number), f"call_{tool}"
        ledger.add_produced(
            ProducedRecord(
                run=run, tool=tool, kind="tool", arguments="{}", text=text, at=at, call_id=call
            )
        )
        function = {"name": tool, "arguments": "{}"}
        asked = {"id": call, "type": "function", "function": function}
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [asked]},
            {"role": "tool", "tool_call_id": call, "content": shorten(text)},
        ]
    answer = {"message": {"role": "assistant", "content": "Done."}, "finish_reason": "stop"}
    ledger.add_exchange(
        ExchangeRecord(
            run=run,
            method="POST",
            path="/v1/chat/completions",
            upstream="http://127.0.0.1:1",
            request_headers=[("User-Agent", agent.name), ("Content-Type", "application/json")],
            request_body=json.dumps({"model": "gpt-4o", "messages": messages}).encode(),
            status=200,
            response_headers=[("Content-Type", "application/json")],
            response_body=json.dumps({"choices": [answer]}).encode(),
            started=at + 60,
            first_byte=at + 61,
            ended=at + 62,
            cohort="scripted",
        )
    )


def main(path: Path) -> None:
    """Write the ledger."""
    with Ledger(path) as ledger:
        for agent, day, number in sessions():
            record(ledger, agent, day, number)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
