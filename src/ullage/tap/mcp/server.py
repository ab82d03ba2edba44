"""An MCP server of a few tools, as messages: JSON-RPC in, JSON-RPC out. Pure but for its tools."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from ullage.errors import UllageError
from ullage.tap.mcp.messages import Message, NotJsonRpcError, messages

LATEST = "2025-06-18"
NO_METHOD, WRONG_PARAMS, NOT_JSON = -32601, -32602, -32700

Arguments = Mapping[str, object]
Answer = dict[str, object]


class ToolError(Exception):
    """What a tool was asked for cannot be had; the model is told why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool: `schema` is the JSON schema of its arguments.

    `call` returns the text for the model, and raises ToolError or UllageError where there is none.
    """

    name: str
    description: str
    schema: Mapping[str, object]
    call: Callable[[Arguments], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A name and the tools that are offered under it."""

    name: str
    tools: Sequence[Tool]
    instructions: str | None = None

    def answers(self, line: bytes) -> Iterator[bytes]:
        """Give the answers to a line of a client, each a line; a notification has none."""
        try:
            asked = messages(line)
        except NotJsonRpcError as error:
            yield line_of(fault(None, NOT_JSON, str(error)))
            return
        for one in asked:
            if "id" in one and "method" in one:
                yield line_of(self.answer(one))

    def answer(self, message: Message) -> Answer:
        """Answer one request."""
        params = message.get("params")
        known = params if isinstance(params, Mapping) else {}
        match message.get("method"):
            case "initialize":
                return result(message, self.initialized(known))
            case "ping":
                return result(message, {})
            case "tools/list":
                return result(message, {"tools": [described(one) for one in self.tools]})
            case "tools/call":
                return self.called(message, known)
            case method:
                return fault(message.get("id"), NO_METHOD, f"{method!r} is not known here")

    def initialized(self, params: Mapping[str, object]) -> Answer:
        """Say who this is, in the client's version of the protocol: nothing here differs by it."""
        asked = params.get("protocolVersion")
        told: Answer = {} if self.instructions is None else {"instructions": self.instructions}
        return {
            "protocolVersion": asked if isinstance(asked, str) else LATEST,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": self.name, "version": version("ullage")},
            **told,
        }

    def called(self, message: Message, params: Mapping[str, object]) -> Answer:
        """Call a tool."""
        tool = next((one for one in self.tools if one.name == params.get("name")), None)
        if tool is None:
            there = ", ".join(one.name for one in self.tools)
            said = f"there is no tool {params.get('name')!r}, only {there}"
            return fault(message.get("id"), WRONG_PARAMS, said)
        arguments = params.get("arguments")
        try:
            text = tool.call(arguments if isinstance(arguments, Mapping) else {})
        except (ToolError, UllageError) as error:
            return result(message, said_as(str(error), failed=True))
        return result(message, said_as(text, failed=False))


def described(tool: Tool) -> Answer:
    """Return a tool as clients are told of it."""
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": dict(tool.schema),
    }


def said_as(text: str, *, failed: bool) -> Answer:
    """Return what a tool says."""
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def result(message: Message, value: Answer) -> Answer:
    """Return the answer of a request that went well."""
    return {"jsonrpc": "2.0", "id": message.get("id"), "result": value}


def fault(number: object, code: int, said: str) -> Answer:
    """Return the answer of a request that did not."""
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": said}}


def line_of(message: Answer) -> bytes:
    """Write a message as a line; a lone surrogate of a text stays an escape."""
    try:
        return json.dumps(message, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(message).encode() + b"\n"
