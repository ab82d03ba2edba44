"""An MCP server with the tools."""

from mcp.server import MCPServer
from results import TOOLS

server = MCPServer("clerk")
for one in TOOLS:
    server.add_tool(one)
server.run("stdio")
