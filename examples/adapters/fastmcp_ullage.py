"""A FastMCP server, with Ullage."""

from clerk import TOOLS
from fastmcp import FastMCP

from ullage.integrate.fastmcp import Fitting, UllageMiddleware

server = FastMCP("clerk")
server.add_middleware(UllageMiddleware(Fitting(results=2_000)))
for one in TOOLS:
    server.tool(one)
server.run(show_banner=False)
