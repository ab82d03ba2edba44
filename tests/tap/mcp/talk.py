"""`talk.py CALLS CMD…`: a real MCP client; prints what each call of a JSON list gave it."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.types import CallToolResult


async def main() -> None:
    parameters = StdioServerParameters(command=sys.argv[2], args=sys.argv[3:])
    async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
        await session.initialize()
        tools = await session.list_tools()
        given: list[object] = [sorted(tool.name for tool in tools.tools)]
        for name, arguments in json.loads(sys.argv[1]):
            result = await session.call_tool(name, arguments)
            assert isinstance(result, CallToolResult)
            given.append(result.model_dump(mode="json", by_alias=True))
        print(json.dumps(given))


asyncio.run(main())
