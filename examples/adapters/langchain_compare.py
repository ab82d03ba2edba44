"""LangChain's SummarizationMiddleware beside Ullage's middleware: the same run, the same model.

A user speaks twelve times and states a rule in each of the first seven; each time the agent fetches
290 records in 33,000 characters. The model is scripted, and nothing is asked of the network. As a
summariser it is as good as can be: it repeats word for word every rule that it is shown. All
figures are read from the requests.

    python langchain_compare.py [--budget 20000] [--format json]
"""

import argparse
import asyncio
import json
import logging
import re
import textwrap
import threading
from collections.abc import Iterator, Mapping, Sequence
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
from ullage.wire.budget_table import budget_table

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
ID = re.compile(r"K\d{2}-\d{5}")
ROWS = 290
FIRST, WIDTH = 24, 13
NOTE = "as ordered by the customer, see the file"


def fetch(turn: int) -> str:
    """Fetch the orders of a turn: one line of JSON."""
    rows = [
        {
            "id": f"K{turn:02}-{number:05}",
            "amount": number * 7,
            "open": number % 3 == 0,
            "note": NOTE,
        }
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


def settings(base_url: str, budget: int) -> dict[str, list[AgentMiddleware]]:
    """Return the runs to compare: the same budget, in tokens, for all that have one."""
    model = ChatOpenAI(model="gpt-4o", base_url=base_url, api_key="none")
    summariser = f"{base_url}?model=gpt-4o"
    return {
        "no middleware": [],
        "SummarizationMiddleware": [SummarizationMiddleware(model, trigger=("tokens", budget))],
        "its input not trimmed": [
            SummarizationMiddleware(
                model, trigger=("tokens", budget), trim_tokens_to_summarize=None
            )
        ],
        "Ullage": [UllageMiddleware(Fitting(history=budget))],
        "Ullage, protect": [UllageMiddleware(Fitting(history=budget, protect=["text:Rule"]))],
        "Ullage, summary alone": [
            UllageMiddleware(Fitting(history=budget, tier="T3", summariser=summariser))
        ],
    }


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
        "tokens_of_largest": max(budget_table(body).count.tokens for body in bodies),
        "kB_sent": sum(map(len, [*acting, *asked])) // 1000,
    }


def compare(budget: int) -> dict[str, dict[str, int]]:
    """Run all of them; return the figures of each."""
    found = {}
    with scripted() as (model, url):
        for number, name in enumerate(settings(url, budget)):
            base_url = f"{url}/run/{number}/v1"
            talk(base_url, settings(base_url, budget)[name])
            found[name] = figures([one.body for one in model.asked if one.run == str(number)])
    return found


def lines(found: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Yield the figures as a table; each head stands above its column, a word or two a line."""
    heads = [
        textwrap.wrap(name.replace("_", " "), WIDTH - 2) for name in next(iter(found.values()))
    ]
    deepest = max(map(len, heads))
    for row in zip(*([""] * (deepest - len(one)) + one for one in heads), strict=True):
        yield (" " * FIRST + "".join(f"{word:>{WIDTH}}" for word in row)).rstrip()
    for name, one in found.items():
        yield f"{name:{FIRST}}" + "".join(f"{value:>{WIDTH},}" for value in one.values())


def main() -> None:
    """Print the figures as a table, or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=int, default=20_000, help="tokens")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    options = parser.parse_args()
    logging.getLogger("ullage").setLevel(logging.ERROR)
    found = compare(options.budget)
    if options.format == "json":
        print(json.dumps(found, indent=2))
        return
    print("\n".join(lines(found)))


if __name__ == "__main__":
    main()
