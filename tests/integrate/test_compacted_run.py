"""A run of a real client through the proxy, its history kept within a budget by `compact`."""

import json
from pathlib import Path
from typing import Any

import pytest
from openai import OpenAI

from ullage import LedgerStore, Recall, record_run, record_tool
from ullage.checks.scan import Scan, scan
from ullage.history.compact import compact
from ullage.history.recall import handles_in
from ullage.ledger.store import Ledger
from ullage.sources.files import Reading

BUDGET = 5000
WEEKS = 14


@record_tool
def list_orders(week: int) -> str:
    """List the orders of a week."""
    return json.dumps([{"id": f"ORD-{week:02}-{n:03}", "late": n % 9 == 0} for n in range(45)])


DESCRIBED = {
    "type": "function",
    "function": {"name": "list_orders", "parameters": {"type": "object", "properties": {}}},
}


def talk(client: OpenAI, messages: list[Any], tool: Recall, ledger: Ledger) -> list[Any]:
    """One question: ask until the model is done, each request shortened to the budget."""
    while True:
        done = compact(messages, BUDGET, tier="T2", model="gpt-4o", ledger=ledger, run="test")
        messages = list(done.messages)
        answer = client.chat.completions.create(
            model="gpt-4o",
            messages=messages,
            tools=[DESCRIBED, tool.definition("openai-chat")],  # type: ignore[list-item]
        )
        said = answer.choices[0].message
        messages.append(said.model_dump(exclude_none=True))
        if not said.tool_calls:
            return messages
        for call in said.tool_calls:
            week = sum(one.get("role") == "user" for one in messages)
            result = {"role": "tool", "tool_call_id": call.id, "content": list_orders(week)}
            messages.append(result)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("run") / "run.ledger"
    with record_run(path) as run, OpenAI() as client:
        tool = Recall(LedgerStore(run.ledger, "test"))
        messages: list[Any] = [{"role": "system", "content": "You are an agent with tools."}]
        for week in range(WEEKS):
            asked = f"Look at week {week} for report.md. Never write into src/."
            messages = talk(
                client, [*messages, {"role": "user", "content": asked}], tool, run.ledger
            )
        sent = json.dumps(run.requests[-1])
        tool.recall(handles_in(sent.replace("\\\\", "\\"))[0], records="40-44")
    return path


@pytest.fixture(scope="module")
def found(place: Path) -> Scan:
    return scan([Reading(path=str(place), form="ledger", records=iter(()))])


def test_the_history_was_shortened_on_the_wire(found: Scan) -> None:
    assert found.compactions
    assert all(one.stated and one.recorded for one in found.compactions)
    assert {one.tier for one in found.compactions} == {"T2"}


def test_a_scan_finds_no_loss_in_it(found: Scan) -> None:
    assert [(one.check, dict(one.evidence)) for one in found.findings] == []


def test_every_result_arrived_whole_before_it_was_shortened(found: Scan) -> None:
    assert {one.arrival.rate for one in found.measurement.results if one.arrival} == {1.0}


def test_what_was_recalled_is_counted(place: Path) -> None:
    with Ledger.read(place) as ledger:
        use = ledger.recall_use("test")

    assert use.offered > 1
    assert (use.used, use.pages, use.unknown) == (1, 1, 0)
