"""An agent of the OpenAI Agents SDK, as it comes."""

import asyncio

from agents import Agent, Runner, SQLiteSession, function_tool
from clerk import PROMPTS, TOOLS

tools = [function_tool(one) for one in TOOLS]


async def main() -> None:
    agent = Agent(name="clerk", model="gpt-4o", tools=tools)
    session = SQLiteSession("1")
    for prompt in PROMPTS:
        result = await Runner.run(agent, prompt, session=session)
        print(result.final_output)


asyncio.run(main())
