"""LangChain's SummarizationMiddleware beside Ullage's middleware: the same run, the same model.

A user speaks twelve times and states a rule in each of the first seven; each time the agent fetches
records of 33,000 characters. The model is scripted. As a summariser it is as good as can be: it
repeats word for word every rule that it is shown. All figures are read from the requests.

    python langchain_compare.py [--format json]
"""

import argparse
import asyncio
import json
import logging
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, SummarizationMiddleware
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver

from ullage.integrate.langchain import Fitting, UllageMiddleware
from ullage.probe.request import ModelRequest
from ullage.probe.script import Call, Turn
from ullage.probe.server import ScriptedModel, serving

BUDGET = 20_000
TURNS = 12
RULES = [
    "Rule 1: never write to the table ledger_2024.",
    "Rule 2: amounts are in EUR, always.",
    "Rule 3: do not e-mail anybody before Friday.",
    "Rule 4: at most 40 orders go into one batch.",
    "Rule 5: only /srv/export/eu may be read.",
    "Rule 6: never close a ticket that has a refund.",
    "Rule 7: the deadline is 2026-03-31 and must not move.",
]
IS_RULE = re.compile(r"Rule \d: [^.]*(?:\.(?! |$)[^.]*)*\.")
ID = re.compile(r"K\d{2}-\d{5}")
ROWS = 290


def fetch(turn: int) -> str:
    """Fetch the orders of a turn: one line of JSON."""
    rows = [
        {"id": f"K{turn:02}-{number:05}", "amount": number * 7, "note": f"order of {turn}" * 4}
        for number in range(ROWS)
    ]
    return json.dumps(rows)


def script(request: ModelRequest) -> Turn:
    """Fetch once in each turn, then answer; without tools it is a summariser."""
    if not request.tools:
        shown = "\n".join(message.text for message in request.messages)
        rules = dict.fromkeys(rule for rule in RULES if rule in shown)
        return Turn(text="\n".join(["The user asks about orders.", *rules]))
    if request.answered:
        return Turn(text="Noted.")
    asked = re.search(r"Turn (\d+)", request.last_user)
    return Turn(calls=(Call(name="fetch", arguments={"turn": int(asked[1]) if asked else 0}),))


def prompts() -> Iterator[str]:
    """Yield what the user says."""
    for turn in range(TURNS):
        rule = f" {RULES[turn]}" if turn < len(RULES) else ""
        yield f"Turn {turn}: look at the orders.{rule}"


@contextmanager
def scripted() -> Iterator[tuple[ScriptedModel, str]]:
    """Serve the scripted model from a thread; yield it and its address."""
    model = ScriptedModel(default=script)
    ready, loop = threading.Event(), asyncio.new_event_loop()
    stopped, address = asyncio.Event(), []

    async def serve() -> None:
        async with serving(model) as url:
            address.append(url)
            ready.set()
            await stopped.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    ready.wait()
    yield model, address[0]
    loop.call_soon_threadsafe(stopped.set)
    thread.join()
    loop.close()


def talk(base_url: str, middleware: Sequence[AgentMiddleware]) -> None:
    """Have the user speak to one agent."""
    agent = create_agent(
        ChatOpenAI(model="gpt-4o", base_url=base_url, api_key="none"),
        [fetch],
        middleware=middleware,
        checkpointer=InMemorySaver(),
    )
    thread = {"configurable": {"thread_id": "1"}}
    for prompt in prompts():
        agent.invoke({"messages": [{"role": "user", "content": prompt}]}, thread)


def middlewares(name: str, base_url: str) -> Sequence[AgentMiddleware]:
    """Return the middleware of each run; all of them have the same budget."""
    model = ChatOpenAI(model="gpt-4o", base_url=base_url, api_key="none")
    summariser = f"{base_url}?model=gpt-4o"
    return {
        "none": lambda: [],
        "SummarizationMiddleware": lambda: [
            SummarizationMiddleware(model=model, trigger=("tokens", BUDGET))
        ],
        "UllageMiddleware": lambda: [UllageMiddleware(Fitting(history=BUDGET))],
        "UllageMiddleware, summary alone": lambda: [
            UllageMiddleware(Fitting(history=BUDGET, tier="T3", summariser=summariser))
        ],
    }[name]()


def figures(bodies: Sequence[Any]) -> dict[str, int]:
    """Return what the requests of a run hold."""
    acting = [json.dumps(body, ensure_ascii=False) for body in bodies if body.get("tools")]
    asked = [json.dumps(body, ensure_ascii=False) for body in bodies if not body.get("tools")]
    fetched = {one for text in acting for one in ID.findall(text)}
    left = fetched - set(ID.findall(acting[-1]))
    seen = {one for text in asked for one in ID.findall(text)}
    return {
        "requests": len(acting),
        "summariser_requests": len(asked),
        "records_that_left": len(left),
        "of_them_summariser_saw": len(left & seen),
        "rules_in_last_request": sum(rule in acting[-1] for rule in RULES),
        "largest_request_chars": max(map(len, acting)),
        "chars_sent": sum(map(len, [*acting, *asked])),
    }


def compare() -> dict[str, dict[str, int]]:
    """Run all of them; return the figures of each."""
    found = {}
    names = ("none", "SummarizationMiddleware", "UllageMiddleware")
    with scripted() as (model, url):
        for number, name in enumerate((*names, "UllageMiddleware, summary alone")):
            base_url = f"{url}/run/{number}/v1"
            talk(base_url, middlewares(name, base_url))
            found[name] = figures([one.body for one in model.asked if one.run == str(number)])
    return found


def main() -> None:
    """Print the figures as a table, or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    wanted = parser.parse_args().format
    logging.getLogger("ullage").setLevel(logging.ERROR)
    found = compare()
    if wanted == "json":
        print(json.dumps(found, indent=2))
        return
    names = list(next(iter(found.values())))
    print(f"{'':24}" + "".join(f"{name:>34}" for name in found))
    for name in names:
        print(f"{name:24}" + "".join(f"{one[name]:>34,}" for one in found.values()))


if __name__ == "__main__":
    main()
