"""A FastMCP server, as it comes."""

from clerk import TOOLS
from fastmcp import FastMCP

server = FastMCP("clerk")
for one in TOOLS:
    server.tool(one)
server.run(show_banner=False)
