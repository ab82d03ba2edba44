"""An ordinary agent of the OpenAI Agents SDK."""

import asyncio

from agents import Agent, Runner, function_tool, set_default_openai_api, set_tracing_disabled
from results import TOOLS

set_default_openai_api("chat_completions")
set_tracing_disabled(True)


async def main() -> None:
    agent = Agent(name="clerk", tools=[function_tool(one) for one in TOOLS], model="gpt-4o")
    print((await Runner.run(agent, "What is open?")).final_output)


asyncio.run(main())
