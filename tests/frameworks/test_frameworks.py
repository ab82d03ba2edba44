"""Real frameworks, programs without a line for Ullage, a scripted model.

Most frameworks are installed by `make frameworks` only; what is not installed is skipped.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.frameworks.harness import (
    Server,
    by_code,
    by_tools,
    program,
    run,
    skip_without,
    ullage_run,
)

from ullage import Ledger
from ullage.checks.measure import measure
from ullage.checks.measured import Measured
from ullage.probe.request import ModelRequest
from ullage.probe.script import Turn

pytestmark = [pytest.mark.slow]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A program, what it needs, and whether its requests name the calls that results answer.

    Where they are not `in_order`, the framework sends the results of parallel calls in the order in
    which the tools came to their end, so that any delay may change it.
    """

    name: str
    needs: tuple[str, ...]
    ids: bool = True
    in_order: bool = True
    script: Callable[[ModelRequest], Turn] = by_tools
    results: int = 6


CASES = [
    Case(name="langchain_agent", needs=("langchain", "langchain_openai")),
    Case(name="pydantic_ai_agent", needs=("pydantic_ai",)),
    Case(name="smolagents_tools", needs=("smolagents",), ids=False),
    Case(name="smolagents_code", needs=("smolagents",), ids=False, script=by_code, results=5),
    Case(name="openai_agents_sdk", needs=("agents",)),
    Case(name="llama_index_agent", needs=("llama_index.core",), in_order=False),
    Case(name="mcp_agent", needs=("agents", "mcp")),
]


@pytest.fixture(params=CASES, ids=lambda case: str(case.name))
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    for module in found.needs:
        skip_without(module.partition(".")[0])
    return found


def wire(bodies: list[Any], case: Case) -> list[str]:
    """The bodies as texts.

    Where results come in any order, they are put in order; and the scripted model makes its ids of
    what it was sent, so that this part of them goes.
    """
    texts = [json.dumps(one) for one in bodies]
    if case.in_order:
        return texts
    found = []
    for text in texts:
        body = json.loads(re.sub(r"call_(\d+)_[0-9a-f]+_(\d+)", r"call_\1_\2", text))
        body["messages"].sort(key=lambda one: one.get("tool_call_id", ""))
        found.append(json.dumps(body))
    return found


def tool_messages(bodies: list[Any]) -> Mapping[str, str]:
    """The text of each result as the model got it, by the call that it answers."""
    return {
        message["tool_call_id"]: text_of(message["content"])
        for body in bodies
        for message in body["messages"]
        if message["role"] == "tool"
    }


def text_of(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def belongs(one: Measured, text: str) -> bool:
    """Whether a delivered text is that result's: each customer and tool has rows of its own."""
    mark = json.loads(one.produced) if one.produced.startswith(("{", "[")) else None
    rows = mark["orders"] if isinstance(mark, dict) else mark
    wanted = one.produced if rows is None else next(iter(rows[0].values()))
    return str(wanted) in text


def test_an_unmodified_program_sends_the_same_requests_and_every_result_is_joined_rightly(
    case: Case, server: Server, tmp_path: Path
) -> None:
    server.model._default = case.script
    ledger = tmp_path / "test.ledger"

    bare = run(program(case.name), tmp_path, {"OPENAI_BASE_URL": f"{server.url}/run/bare/v1"})
    words = ullage_run(server, "--ledger", str(ledger), "--run", "r")
    tapped = run([*words, *program(case.name)], tmp_path)

    # The observer effect: none.
    assert tapped.stdout == bare.stdout
    assert "Warning" not in tapped.stderr
    asked = server.asked("with")
    assert len(asked) >= 3
    assert wire(asked, case) == wire(server.asked("bare"), case)

    with Ledger.read(ledger) as opened:
        measurement = measure(opened, "r")
        calls = {one.number: one.call_id for one in opened.results("r")}
    assert len(measurement.results) == case.results
    assert measurement.unknown == 0
    joined = [one for one in measurement.results if one.delivered is not None]
    assert all(belongs(one, one.delivered or "") for one in joined)
    if case.ids:
        sent = tool_messages(asked)
        assert [one.certainty for one in joined] == ["call-id"] * case.results
        assert all((one.delivered or "") in sent[calls[one.number] or ""] for one in joined)
        assert len(set(calls.values())) == len(sent) == case.results
