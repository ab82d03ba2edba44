"""A loop of one's own around OpenAI's client, with Ullage."""

import json

from clerk import PROMPTS, TOOLS
from openai import OpenAI

from ullage.integrate.functions import Fitting, Ullage

ullage = Ullage(Fitting(results=2_000, history=16_000))
tools = {one.__name__: ullage.tool(one) for one in TOOLS}
customer = {"type": "object", "properties": {"customer": {"type": "string"}}}
offered = [
    {"type": "function", "function": {"name": name, "parameters": customer}} for name in tools
]
client = OpenAI()
messages = []
for prompt in PROMPTS:
    messages.append({"role": "user", "content": prompt})
    while True:
        body = {"model": "gpt-4o", "messages": messages, "tools": offered}
        reply = client.chat.completions.create(**ullage.shorten(body)).choices[0].message
        messages.append(reply.model_dump(exclude_none=True))
        for call in reply.tool_calls or ():
            value = tools[call.function.name](**json.loads(call.function.arguments))
            text = value if isinstance(value, str) else json.dumps(value)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": text})
        if not reply.tool_calls:
            break
    print(reply.content)
