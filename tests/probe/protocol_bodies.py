"""Requests of each protocol, and the replies to them as a history has them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ullage.probe.protocols import PROTOCOLS
from ullage.probe.request import ModelRequest, read_request
from ullage.probe.script import Turn
from ullage.probe.target import Target, target_of
from ullage.wire.readers import Provider

Items = list[Any]
SCHEMA = {"type": "object", "properties": {"page": {"type": "integer"}}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """How a client of a protocol writes: its path, what the user says, tools, replies, results."""

    protocol: Provider
    path: str
    says: Callable[[str], Any]
    body: Callable[[Items], dict[str, Any]]
    tool: Callable[[str], Any]
    reply: Callable[[Any], Items]
    result: Callable[[str, str], Any]

    @property
    def target(self) -> Target:
        return target_of(self.path, {}, {})

    def request(self, items: Items, tools: Sequence[str] = ()) -> ModelRequest:
        return read_request(self.asked(items, tools), self.target)

    def asked(self, items: Items, tools: Sequence[str] = ()) -> dict[str, Any]:
        offered = {"tools": [self.tool(name) for name in tools]} if tools else {}
        return self.body(items) | offered

    def answered(self, turn: Turn, request: ModelRequest) -> Items:
        """A reply as this client puts it into its history."""
        return self.reply(PROTOCOLS[self.protocol].whole(turn, request))

    def streamed(self, turn: Turn, request: ModelRequest) -> bytes:
        asked = replace(request, stream=True, include_usage=True)
        return b"".join(PROTOCOLS[self.protocol].events(turn, asked))


def gemini_result(call_id: str, text: str) -> Mapping[str, Any]:
    returned = {"id": call_id, "name": "f", "response": {"result": text}}
    return {"role": "user", "parts": [{"functionResponse": returned}]}


CHAT = Client(
    protocol="openai-chat",
    path="/v1/chat/completions",
    says=lambda text: {"role": "user", "content": text},
    body=lambda items: {"model": "gpt-x", "messages": items},
    tool=lambda name: {"type": "function", "function": {"name": name, "parameters": SCHEMA}},
    reply=lambda whole: [whole["choices"][0]["message"]],
    result=lambda call_id, text: {"role": "tool", "tool_call_id": call_id, "content": text},
)
RESPONSES = Client(
    protocol="openai-responses",
    path="/v1/responses",
    says=lambda text: {"role": "user", "content": [{"type": "input_text", "text": text}]},
    body=lambda items: {"model": "gpt-x", "input": items},
    tool=lambda name: {"type": "function", "name": name, "parameters": SCHEMA},
    reply=lambda whole: list(whole["output"]),
    result=lambda call_id, text: {
        "type": "function_call_output",
        "call_id": call_id,
        "output": text,
    },
)
ANTHROPIC = Client(
    protocol="anthropic",
    path="/v1/messages",
    says=lambda text: {"role": "user", "content": text},
    body=lambda items: {"model": "claude-x", "max_tokens": 99, "messages": items},
    tool=lambda name: {"name": name, "input_schema": SCHEMA},
    reply=lambda whole: [{"role": "assistant", "content": whole["content"]}],
    result=lambda call_id, text: {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": call_id, "content": text}],
    },
)
GEMINI = Client(
    protocol="gemini",
    path="/v1beta/models/gemini-x:generateContent",
    says=lambda text: {"role": "user", "parts": [{"text": text}]},
    body=lambda items: {"contents": items},
    tool=lambda name: {"functionDeclarations": [{"name": name, "parametersJsonSchema": SCHEMA}]},
    reply=lambda whole: [whole["candidates"][0]["content"]],
    result=gemini_result,
)
CLIENTS = (CHAT, RESPONSES, ANTHROPIC, GEMINI)
