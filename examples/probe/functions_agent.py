"""A loop of one's own around OpenAI's client: no framework."""

import json
from collections.abc import Callable
from typing import Any

from openai import OpenAI
from probing import Case, probe

OFFERED = {"type": "function", "function": {"name": "fetch_rows", "parameters": {"type": "object"}}}
Body = dict[str, Any]


def run(case: Case, tool: Callable[[], object], sent: Callable[[Body], Body] = dict) -> None:
    client = OpenAI(base_url=case.base_url, api_key="none", max_retries=0)
    messages: list[Any] = []
    for prompt in case.prompts:
        messages.append({"role": "user", "content": prompt})
        while True:
            body = {"model": case.model, "messages": messages, "tools": [OFFERED]}
            reply = client.chat.completions.create(**sent(body)).choices[0].message
            messages.append(reply.model_dump(exclude_none=True))
            for call in reply.tool_calls or ():
                value = tool()
                text = value if isinstance(value, str) else json.dumps(value)
                messages.append({"role": "tool", "tool_call_id": call.id, "content": text})
            if not reply.tool_calls:
                break
        case.answered(reply.content)


def plain(case: Case) -> None:
    run(case, case.fetch_rows)


def fitted(case: Case) -> None:
    """Results and requests are kept to budgets by Ullage, which has to be installed beside it."""
    from ullage.integrate.functions import Fitting, Ullage

    ullage = Ullage(Fitting(results=4_000, history=16_000))
    run(case, ullage.tool(case.fetch_rows), ullage.shorten)


if __name__ == "__main__":
    probe(default=plain, ullage=fitted)
