"""What a recipe needs to be probed: its case, the tool that fetches the rows, and what it answered.

The standard library only, so that it runs in any environment. The addresses come from
`ullage probe run`, which starts the recipe:

    ullage probe run -- python langchain_agent.py
"""

import asyncio
import inspect
import json
import os
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass

ASK_AGAIN = 202


@dataclass(frozen=True)
class Case:
    """What to do: say `prompts` one after the other to an agent that has `fetch_rows`.

    `base_url` is for clients of OpenAI's API, `root_url` for those that add `/v1` themselves.
    `returns` is "text" or "object", `file` holds what `fetch_rows` returns first, if anything.
    """

    tag: str
    kind: str
    variant: str
    model: str
    returns: str
    base_url: str
    root_url: str
    prompts: list[str]
    file: str | None
    window: int | None
    url: str

    def fetch_rows(self) -> object:
        """Fetch the rows."""
        with urllib.request.urlopen(f"{self.url}/payload") as reply:
            text = reply.read().decode()
        return json.loads(text) if self.returns == "object" else text

    def answered(self, answer: object) -> None:
        """Tell the probe what the user got for a prompt."""
        post(f"{self.url}/answer", {"answer": str(answer)})

    def failed(self, error: BaseException) -> None:
        """Tell the probe what was raised instead."""
        post(f"{self.url}/answer", {"error": f"{type(error).__name__}: {error}"})


Recipe = Callable[[Case], Awaitable[None] | None]


def probe(**variants: Recipe) -> None:
    """Do each case by its variant's function, `handoff` for a case of that kind; then end."""
    for case in cases():
        try:
            done = chosen(variants, case)(case)
            if inspect.isawaitable(done):
                asyncio.run(finish(done))
        # Whatever a harness raises is part of what is looked at, and the next case is to come.
        except (Exception, SystemExit) as error:  # noqa: BLE001
            case.failed(error)


def chosen(variants: Mapping[str, Recipe], case: "Case") -> Recipe:
    """Return the function that does a case."""
    name = "handoff" if case.kind == "handoff" else case.variant
    if name not in variants:
        known = ", ".join(variants)
        raise LookupError(f"this recipe has no variant {name!r}, only {known}")
    return variants[name]


async def finish(done: Awaitable[None]) -> None:
    """Wait for an agent."""
    await done


def cases() -> Iterator[Case]:
    """Ask for cases until there are no more."""
    while True:
        with urllib.request.urlopen(f"{os.environ['ULLAGE_PROBE_WORKER']}/next") as reply:
            body = reply.read()
        if reply.status == ASK_AGAIN:
            continue
        if not body:
            return
        yield Case(**json.loads(body))


def post(url: str, value: object) -> None:
    """Send a value to the probe."""
    head = {"Content-Type": "application/json"}
    request = urllib.request.Request(url, json.dumps(value).encode(), head)
    with urllib.request.urlopen(request):
        pass
