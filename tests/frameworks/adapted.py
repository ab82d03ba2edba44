"""A program of examples/adapters as it comes and with Ullage, on a scripted model."""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.frameworks.harness import Server, run, say_or_end

from ullage import Handoff, Ledger
from ullage.probe.request import ModelRequest
from ullage.probe.script import Call, Turn

PROGRAMS = Path(__file__).parents[2] / "examples" / "adapters"


def two_calls(request: ModelRequest) -> Turn:
    """Call both tools in parallel for each prompt, then answer."""
    last = request.messages[-1]
    asked = last.text.rpartition("orders of customer ")[2]
    if last.role != "user" or asked == last.text:  # smolagents: results in the user's name
        return say_or_end(request)
    customer = asked.partition(" ")[0]
    arguments = {"customer": customer}
    return Turn(
        calls=(
            Call(name="list_orders", arguments=arguments),
            Call(name="list_tickets", arguments=arguments),
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a program said, what it sent, and what it recorded."""

    stdout: str
    stderr: str
    bodies: list[Any]
    results: list[Any]


def ran(program: str, server: Server, folder: Path) -> Ran:
    """Run a program against the scripted model, recorded by its own adapter."""
    server.model._default = two_calls
    ledger = folder / f"{program}.ledger"
    settings = {
        "OPENAI_BASE_URL": f"{server.url}/run/{program}/v1",
        "ULLAGE_LEDGER": str(ledger),
        "ULLAGE_RUN": "r",
    }
    done = run([sys.executable, str(PROGRAMS / f"{program}.py")], folder, settings)
    results: list[Any] = []
    if ledger.exists():
        with Ledger.read(ledger) as opened:
            results = list(opened.results("r"))
    return Ran(
        stdout=done.stdout, stderr=done.stderr, bodies=server.asked(program), results=results
    )


def produced() -> Mapping[tuple[str, str], Any]:
    """What each tool returns for each customer, as the example's tools make it."""
    space: dict[str, Any] = {}
    exec((PROGRAMS / "clerk.py").read_text(encoding="utf-8"), space)
    customers = [f"C{number}" for number in range(len(space["PROMPTS"]))]
    return {
        (tool.__name__, customer): tool(customer)
        for tool in space["TOOLS"]
        for customer in customers
    }


def answers(bodies: list[Any]) -> Iterator[tuple[str | None, str]]:
    """Yield the call and the text of each result on the wire, in the order of the requests.

    smolagents names no call, and writes the results of a step as one text, in the user's name.
    """
    for body in bodies:
        for item in body.get("messages") or body.get("input") or ():
            if item.get("role") == "tool":
                yield item["tool_call_id"], text_of(item["content"])
            elif item.get("type") == "function_call_output":
                yield item["call_id"], text_of(item["output"])
            elif item.get("role") == "user" and "Observation:" in text_of(item["content"]):
                yield None, text_of(item["content"])


def assert_carried(handoff: Handoff, bodies: list[Any], text: str) -> None:
    """The one finding stands in every request of the stage `decide`, and none of our marks."""
    arrival = handoff.verify(bodies, stage="decide")
    assert arrival.total.arrived == arrival.total.recorded == 1
    assert all(text in json.dumps(body) for body in bodies)
    assert not any("protected" in json.dumps(body) for body in bodies)


def text_of(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def arguments_of(one: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(one.arguments)
    return found
