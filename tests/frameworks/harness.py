"""A scripted model server, and programs that run with and without Ullage."""

import asyncio
import importlib.util
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from ullage.probe.request import ModelRequest
from ullage.probe.script import Call, Turn
from ullage.probe.server import ScriptedModel, serving

PROGRAMS = Path(__file__).with_name("programs")

# Quiet ones, and nothing asks the network.
SETTINGS = {
    "OPENAI_API_KEY": "none",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "OTEL_SDK_DISABLED": "true",
    "HF_HUB_OFFLINE": "1",
    "LANGSMITH_TRACING": "false",
}


def orders(customer: str) -> Call:
    return Call(name="list_orders", arguments={"customer": customer})


def say_or_end(request: ModelRequest) -> Turn:
    """End as the framework wants it: smolagents by a tool, all others by a text."""
    if "final_answer" in (request.tools or ()):
        return Turn(calls=(Call(name="final_answer", arguments={"answer": "done"}),))
    return Turn(text="done")


def by_tools(request: ModelRequest) -> Turn:
    """Two steps of parallel calls: equal results, a JSON text, short results, an empty one."""
    ada, bob = {"customer": "ada"}, {"customer": "bob"}
    steps = (
        (orders("ada"), orders("ada"), Call(name="list_tickets", arguments=bob)),
        (
            Call(name="check_status", arguments=ada),
            Call(name="read_note", arguments=ada),
            Call(name="check_status", arguments=bob),
        ),
    )
    step = request.assistant_messages
    return Turn(calls=steps[step]) if step < len(steps) else say_or_end(request)


def by_code(request: ModelRequest) -> Turn:
    """Steps of code: a result whole, two printed, a figure made of one, and the end."""
    steps = (
        "list_orders('ada')",
        "print(list_tickets('bob'))\nprint(list_orders('eve'))",
        "print(len(list_orders('ada')['orders']))",
        "final_answer('done')",
    )
    step = min(request.assistant_messages, len(steps) - 1)
    return Turn(text=f"Thought: next.\n<code>\n{steps[step]}\n</code>")


class Server:
    """A scripted model on a port of its own, and what it was asked."""

    def __init__(self) -> None:
        self.model = ScriptedModel(default=by_tools)
        self.loop = asyncio.new_event_loop()
        self.ready, self.stopped = threading.Event(), asyncio.Event()
        self.thread = threading.Thread(target=self.loop.run_until_complete, args=(self.serve(),))
        self.thread.start()
        assert self.ready.wait(10)

    async def serve(self) -> None:
        async with serving(self.model) as self.url:
            self.ready.set()
            await self.stopped.wait()

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.stopped.set)
        self.thread.join(10)
        self.loop.close()

    def asked(self, run: str) -> list[object]:
        return [one.body for one in self.model.asked if one.run == run]


def is_there(module: str) -> bool:
    """Whether a module is installed, and the packages that it is in."""
    parent = module.rpartition(".")[0]
    return (not parent or is_there(parent)) and importlib.util.find_spec(module) is not None


def skip_without(*modules: str) -> None:
    """Skip, visibly, where a framework is not installed."""
    missing = [one for one in modules if not is_there(one)]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)} (make frameworks installs them)")


def module(name: str) -> Any:
    """Import a module that only `make frameworks` installs, or skip, visibly."""
    return pytest.importorskip(
        name, reason=f"{name} is not installed (make frameworks installs it)"
    )


def run(
    words: list[str], folder: Path, settings: dict[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run a command in a folder of its own; its failure is the test's."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("OPENAI_", "ULLAGE_", "PYTHON"))
    }
    done = subprocess.run(
        words,
        cwd=folder,
        env={**clean, **SETTINGS, **(settings or {})},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return done


def program(name: str) -> list[str]:
    return [sys.executable, str(PROGRAMS / f"{name}.py")]


def ullage_run(server: Server, *options: str, tag: str = "with") -> list[str]:
    upstream = f"{server.url}/run/{tag}/v1"
    return [sys.executable, "-m", "ullage", "run", "--upstream", upstream, *options, "--"]
