"""A program of examples/adapters as it comes and with Ullage, on a scripted model."""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.frameworks.harness import Server, run

from ullage import Ledger
from ullage.probe.request import ModelRequest
from ullage.probe.script import Call, Turn

PROGRAMS = Path(__file__).parents[2] / "examples" / "adapters"


def two_calls(request: ModelRequest) -> Turn:
    """Call both tools in parallel for each prompt, then answer."""
    if request.answered:
        return Turn(text="done")
    customer = request.last_user.partition("customer ")[2].partition(" ")[0]
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


def answers(bodies: list[Any]) -> Iterator[tuple[str, str]]:
    """Yield the call and the text of each result on the wire, in the order of the requests."""
    for body in bodies:
        for item in body.get("messages") or body.get("input") or ():
            if item.get("role") == "tool":
                yield item["tool_call_id"], text_of(item["content"])
            elif item.get("type") == "function_call_output":
                yield item["call_id"], text_of(item["output"])


def text_of(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def arguments_of(one: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(one.arguments)
    return found
