"""An ordinary agent of the OpenAI Agents SDK whose tools are an MCP server's."""

import asyncio
import sys
from pathlib import Path

from agents import Agent, Runner, set_default_openai_api, set_tracing_disabled
from agents.mcp import MCPServerStdio

set_default_openai_api("chat_completions")
set_tracing_disabled(True)
SERVER = Path(__file__).with_name("mcp_server.py")


async def main() -> None:
    params = {"command": sys.executable, "args": [str(SERVER)]}
    async with MCPServerStdio(params, client_session_timeout_seconds=60) as server:
        agent = Agent(name="clerk", mcp_servers=[server], model="gpt-4o")
        print((await Runner.run(agent, "What is open?")).final_output)


asyncio.run(main())
