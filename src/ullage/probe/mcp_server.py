"""An MCP server with one tool, `fetch_rows`, as messages: JSON-RPC in, JSON-RPC out. Pure."""

import json
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version

from ullage.errors import UllageError
from ullage.tap.mcp.messages import Message, NotJsonRpcError, messages

TOOL = "fetch_rows"
LATEST = "2025-06-18"
NO_METHOD, WRONG_PARAMS, NOT_JSON = -32601, -32602, -32700

Fetch = Callable[[], str]
"""Returns the next payload; raises UllageError where there is none."""

Answer = dict[str, object]


def answers(line: bytes, fetch: Fetch) -> Iterator[bytes]:
    """Give the answers to a line of a client, each a line; a notification has none."""
    try:
        asked = messages(line)
    except NotJsonRpcError as error:
        yield line_of(fault(None, NOT_JSON, str(error)))
        return
    for one in asked:
        if "id" in one and "method" in one:
            yield line_of(answer(one, fetch))


def answer(message: Message, fetch: Fetch) -> Answer:
    """Answer one request."""
    params = message.get("params")
    known = params if isinstance(params, Mapping) else {}
    match message.get("method"):
        case "initialize":
            return result(message, initialized(known))
        case "ping":
            return result(message, {})
        case "tools/list":
            return result(message, {"tools": [DESCRIBED]})
        case "tools/call" if known.get("name") == TOOL:
            return result(message, called(fetch))
        case "tools/call":
            said = f"there is no tool {known.get('name')!r}, only {TOOL}"
            return fault(message.get("id"), WRONG_PARAMS, said)
        case method:
            return fault(message.get("id"), NO_METHOD, f"{method!r} is not known here")


DESCRIBED: Mapping[str, object] = {
    "name": TOOL,
    "description": "Fetch the rows.",
    "inputSchema": {"type": "object", "properties": {}},
}


def initialized(params: Mapping[str, object]) -> Answer:
    """Say who this is, in the client's version of the protocol: nothing here differs by it."""
    asked = params.get("protocolVersion")
    return {
        "protocolVersion": asked if isinstance(asked, str) else LATEST,
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "ullage-probe", "version": version("ullage")},
    }


def called(fetch: Fetch) -> Answer:
    """Call the tool."""
    try:
        text = fetch()
    except UllageError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    return {"content": [{"type": "text", "text": text}], "isError": False}


def result(message: Message, value: Answer) -> Answer:
    """Return the answer of a request that went well."""
    return {"jsonrpc": "2.0", "id": message.get("id"), "result": value}


def fault(number: object, code: int, said: str) -> Answer:
    """Return the answer of a request that did not."""
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": said}}


def line_of(message: Answer) -> bytes:
    """Write a message as a line."""
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"
