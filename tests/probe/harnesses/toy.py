"""A small harness with one fault: `python toy.py FAULT [NAME_OF_ITS_TOOL]`.

The standard library only; `probing.py` of the recipes must be where Python looks for modules.
"""

import json
import sys
import time
import urllib.request
from collections.abc import Callable
from typing import Any

from probing import Case, probe

Messages = list[dict[str, Any]]

FAULT = sys.argv[1] if len(sys.argv) > 1 else "none"
TOOL = sys.argv[2] if len(sys.argv) > 2 else "fetch_rows"
LIMIT = 6000
FETCH = {"name": TOOL, "parameters": {"type": "object", "properties": {}}}
HELP = {
    "name": "ask_helper",
    "parameters": {
        "type": "object",
        "properties": {"task": {"type": "string"}},
        "required": ["task"],
    },
}
MOST_KEPT = 8
TRIGGER = 40_000
SHOWN = 4000
MOST_STEPS = 1000


def result_of(case: Case) -> str:
    """Return what the model is given of a result."""
    made = case.fetch_rows()
    text = made if isinstance(made, str) else json.dumps(made)
    if FAULT == "repr":
        return str(json.loads(text))
    if FAULT == "prefix" and len(text) > LIMIT:
        return text[:LIMIT]
    if FAULT == "middle" and len(text) > LIMIT:
        half = LIMIT // 2
        return f"{text[:half]}\n… {len(text) - LIMIT} characters truncated …\n{text[-half:]}"
    return text


def complete(case: Case, messages: Messages, tools: list[dict[str, Any]]) -> dict[str, Any]:
    """Ask the model."""
    path = "/nowhere/at/all" if FAULT == "wrong-path" else "/chat/completions"
    body: dict[str, Any] = {"model": case.model, "messages": messages}
    if tools:
        body["tools"] = [{"type": "function", "function": one} for one in tools]
    head = {"Content-Type": "application/json", "Authorization": "Bearer none"}
    request = urllib.request.Request(case.base_url + path, json.dumps(body).encode(), head)
    with urllib.request.urlopen(request) as reply:
        choice: dict[str, Any] = json.load(reply)["choices"][0]
    return choice


def kept(case: Case, messages: Messages) -> Messages:
    """Return the history that the model is given."""
    system, *rest = messages
    if FAULT == "drop-oldest" and len(rest) > MOST_KEPT:
        return [system, *whole(rest[-MOST_KEPT:])]
    if FAULT == "starved" and sum(len(str(one["content"])) for one in rest) > TRIGGER:
        old, new = rest[:-2], rest[-2:]
        text = "\n".join(f"{one['role']}: {one['content']}" for one in old)[-SHOWN:]
        asked = [{"role": "user", "content": f"Summarize this conversation:\n{text}"}]
        summary = complete(case, asked, [])["message"]["content"]
        note = {"role": "user", "content": f"Summary of the conversation so far: {summary}"}
        messages[1:] = [note, *whole(new)]
    return messages


def whole(messages: Messages) -> Messages:
    """Leave out results whose calls are gone."""
    begin = next((at for at, one in enumerate(messages) if one["role"] == "user"), 0)
    return messages[begin:]


def run(
    case: Case, messages: Messages, tools: list[dict[str, Any]], use: Callable[[str], str]
) -> str:
    """Go on until the model calls nothing more; return what it says."""
    for _ in range(MOST_STEPS):
        choice = complete(case, kept(case, messages), tools)
        reply = choice["message"]
        messages.append(reply)
        calls = reply.get("tool_calls") or []
        if not calls and (choice["finish_reason"] != "length" or FAULT == "ignored-length"):
            return str(reply["content"])
        if not calls:
            messages.append({"role": "user", "content": "Go on where you stopped."})
        for call in calls:
            text = use(call["function"]["name"])
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})
        if FAULT == "loops":
            # Each result is thrown away, so the model calls again.
            del messages[-1 - len(calls) :]
    raise RuntimeError("too many steps")


def ask(case: Case) -> None:
    """Say each prompt to one agent."""
    if FAULT == "crashes":
        print("toy: the disk is full", file=sys.stderr)
        sys.stderr.flush()
        raise SystemExit(7)
    if FAULT == "hangs":
        time.sleep(3600)
    tools = [] if FAULT == "never-calls" else [FETCH]
    messages: Messages = [{"role": "system", "content": "You fetch rows."}]
    for prompt in case.prompts:
        messages.append({"role": "user", "content": prompt})
        said = run(case, messages, tools, lambda _: result_of(case))
        case.answered(said)


def hand_over(case: Case) -> None:
    """Say each prompt to an agent that has a helper; only the helper can fetch."""

    def helper(_: str) -> str:
        system = {"role": "system", "content": "You help."}
        task: Messages = [system, {"role": "user", "content": "Fetch the rows and report."}]
        report = run(case, task, [FETCH], lambda _: result_of(case))
        return "The helper is done." if FAULT == "stub-handoff" else report

    messages: Messages = [{"role": "system", "content": "You have a helper."}]
    for prompt in case.prompts:
        messages.append({"role": "user", "content": prompt})
        case.answered(run(case, messages, [HELP], helper))


def main() -> None:
    """Take cases; a fault of the process itself shows without them."""
    if FAULT == "no-request":
        print("toy: no key is set", file=sys.stderr)
        return
    if FAULT == "crashes":
        import os

        print("toy: the disk is full", file=sys.stderr, flush=True)
        os._exit(7)
    probe(default=ask, handoff=hand_over)


if __name__ == "__main__":
    main()
