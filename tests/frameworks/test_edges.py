"""What tools may do besides returning a value, in the real frameworks, without a model."""

import sys
import textwrap
from pathlib import Path

import pytest
from tests.frameworks.harness import run, skip_without

from ullage import Ledger
from ullage.tap.auto import STARTUP

pytestmark = [pytest.mark.slow]

Recorded = list[tuple[str, str | None, str, str, str | None]]


def recorded(folder: Path, code: str) -> Recorded:
    """Run a program with the hook; return each result's tool, call, arguments, texts."""
    ledger = folder / "edges.ledger"
    program = folder / "program.py"
    program.write_text(textwrap.dedent(code), encoding="utf-8")
    settings = {"PYTHONPATH": str(STARTUP), "ULLAGE_LEDGER": str(ledger), "ULLAGE_RUN": "r"}
    done = run([sys.executable, str(program)], folder, settings)
    assert "RecordingWarning" not in done.stderr
    with Ledger.read(ledger) as opened:
        return [
            (one.tool, one.call_id, one.arguments, one.text, one.handed_on)
            for one in opened.results("r")
        ]


def test_langchain(tmp_path: Path) -> None:
    skip_without("langchain_core", "langgraph")

    found = recorded(
        tmp_path,
        """
        import asyncio
        from typing import Annotated
        from langchain_core.messages import ToolMessage
        from langchain_core.tools import InjectedToolArg, InjectedToolCallId, ToolException, tool
        from langgraph.types import Command
        from ullage import record_tool

        @tool
        async def awaited(city: str) -> dict:
            "Rows."
            return {"city": city}

        @tool(response_format="content_and_artifact")
        def with_artifact(city: str) -> tuple:
            "Rows."
            return "the rows", {"only": "for the program"}

        @tool
        def by_command(city: str, tool_call_id: Annotated[str, InjectedToolCallId]) -> Command:
            "Rows."
            message = ToolMessage("rows of a command", tool_call_id=tool_call_id)
            return Command(update={"messages": [message]})

        @tool
        def injected(city: str, state: Annotated[dict, InjectedToolArg]) -> str:
            "Rows."
            return "rows"

        @tool
        def refuses(city: str) -> str:
            "Rows."
            raise ToolException("no such city")

        @tool
        def blocks(city: str) -> list:
            "Rows."
            return [{"type": "text", "text": "block one, "}, {"type": "text", "text": "two"}]

        @record_tool
        def fetch(city):
            return "a long result"

        @tool
        def decorated(city: str) -> str:
            "Rows."
            return fetch(city)[:6]

        def call(tool, call_id, **more):
            arguments = {"city": "Kyoto", **more}
            return {"type": "tool_call", "name": tool.name, "args": arguments, "id": call_id}

        asyncio.run(awaited.ainvoke(call(awaited, "1")))
        assert with_artifact.invoke(call(with_artifact, "2")).artifact
        by_command.invoke(call(by_command, "3"))
        injected.invoke(call(injected, "4", state={"messages": ["all of the prompt"]}))
        refuses.handle_tool_error = True
        assert refuses.invoke(call(refuses, "5")).status == "error"
        blocks.invoke(call(blocks, "6"))
        decorated.invoke(call(decorated, "7"))
        assert decorated.invoke({"city": "Kyoto"}) == "a long"
        """,
    )

    city = '{"city": "Kyoto"}'
    assert found == [
        ("awaited", "1", city, '{"city":"Kyoto"}', None),
        ("with_artifact", "2", city, "the rows", None),
        ("by_command", "3", city, "rows of a command", None),
        ("injected", "4", city, "rows", None),
        ("refuses", "5", city, "no such city", None),
        ("blocks", "6", city, "block one, two", None),
        ("fetch", "7", city, "a long result", "a long"),
        ("fetch", None, city, "a long result", "a long"),
    ]


def test_pydantic_ai(tmp_path: Path) -> None:
    skip_without("pydantic_ai")

    found = recorded(
        tmp_path,
        """
        from dataclasses import dataclass
        from pydantic import BaseModel
        from pydantic_ai import Agent, ModelRetry, RunContext, ToolReturn
        from pydantic_ai.models.test import TestModel

        class Row(BaseModel):
            id: int

        @dataclass
        class Pair:
            left: int
            right: int

        agent = Agent(TestModel(), deps_type=str)
        tried = []

        @agent.tool_plain
        def model() -> Row:
            return Row(id=7)

        @agent.tool_plain
        async def pairs() -> list[Pair]:
            return [Pair(1, 2)]

        @agent.tool_plain
        def returned() -> ToolReturn:
            return ToolReturn(return_value={"rows": 1}, content="and a note", metadata={"own": 1})

        @agent.tool
        def second_time(context: RunContext[str], city: str) -> str:
            tried.append(city)
            if len(tried) == 1:
                raise ModelRetry("another city, please")
            return f"rows for {context.deps}"

        agent.run_sync("go", deps="ada")
        assert len(tried) == 2
        """,
    )

    by_tool = {tool: (arguments, text) for tool, _, arguments, text, _ in found}
    assert len(found) == 4
    assert by_tool == {
        "model": ("{}", '{"id":7}'),
        "pairs": ("{}", '[{"left":1,"right":2}]'),
        "returned": ("{}", '{"rows":1}'),
        "second_time": ('{"city": "a"}', "rows for ada"),
    }
    assert all(call_id for _, call_id, _, _, _ in found)


def test_smolagents(tmp_path: Path) -> None:
    skip_without("smolagents")

    found = recorded(
        tmp_path,
        """
        from smolagents import ToolCallingAgent, tool
        from smolagents.models import (
            ChatMessage, ChatMessageToolCall, ChatMessageToolCallFunction, Model
        )
        from ullage import record_tool

        class Scripted(Model):
            def __init__(self, *calls):
                super().__init__()
                self.calls = list(calls)

            def generate(self, messages, **kwargs):
                name, arguments = self.calls.pop(0)
                function = ChatMessageToolCallFunction(name=name, arguments=arguments)
                call = ChatMessageToolCall(id=name, type="function", function=function)
                return ChatMessage(role="assistant", content="", tool_calls=[call])

        @record_tool
        def fetch(city):
            return "a long result"

        @tool
        def rows(city: str) -> str:
            '''Rows.

            Args:
                city: The city.
            '''
            return fetch(city)[:6]

        end = ("final_answer", {"answer": "found"})
        helper = ToolCallingAgent(
            tools=[rows], model=Scripted(("rows", {"city": "Kyoto"}), end), name="helper",
            description="Finds rows.", verbosity_level=0,
        )
        chief = ToolCallingAgent(
            tools=[], managed_agents=[helper], model=Scripted(("helper", {"task": "find"}), end),
            verbosity_level=0,
        )
        assert chief.run("go") == "found"
        """,
    )

    first, second = found
    assert first == ("fetch", None, '{"city": "Kyoto"}', "a long result", "a long")
    assert second[:3] == ("helper", None, '{"task": "find"}')
    assert "found" in second[3]
