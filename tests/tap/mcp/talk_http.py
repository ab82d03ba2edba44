"""`talk_http.py CALLS URL`: a real MCP client over HTTP; prints what each call gave it."""

import asyncio
import json
import sys

from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult


async def main() -> None:
    async with (
        streamable_http_client(sys.argv[2]) as streams,
        ClientSession(*streams) as session,
    ):
        await session.initialize()
        given = []
        for name, arguments in json.loads(sys.argv[1]):
            result = await session.call_tool(name, arguments)
            assert isinstance(result, CallToolResult)
            given.append(result.model_dump(mode="json", by_alias=True))
        print(json.dumps(given))


asyncio.run(main())
