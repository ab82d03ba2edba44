"""A real MCP server, over stdio or (with a port) over HTTP: results of every kind."""

import json
import sys
from typing import Any

from mcp.server.mcpserver import Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent

server = MCPServer("rows")


def rows(count: int) -> list[dict[str, object]]:
    """Make rows with ids that cannot occur by chance."""
    return [{"id": f"row-{n:05d}", "cpu": n * 7919 % 100} for n in range(count)]


@server.tool()
def listing(count: int) -> str:
    """List rows as one JSON text."""
    return json.dumps({"rows": rows(count)})


@server.tool()
def structured(count: int) -> dict[str, Any]:
    """List rows as a structured value."""
    return {"rows": rows(count)}


@server.tool()
def parts() -> CallToolResult:
    """Give two texts."""
    return CallToolResult(
        content=[TextContent(type="text", text="first"), TextContent(type="text", text="second")]
    )


@server.tool()
def picture() -> Image:
    """Give a picture."""
    return Image(data=bytes(300), format="png")


@server.tool()
def fails() -> str:
    """Fail."""
    raise ToolError("no such order: 17")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run(
            transport="streamable-http", port=int(sys.argv[1]), json_response="json" in sys.argv
        )
    else:
        server.run()
