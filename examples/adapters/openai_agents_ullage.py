"""An agent of the OpenAI Agents SDK, with Ullage."""

import asyncio

from agents import Agent, Runner, SQLiteSession, function_tool
from clerk import PROMPTS, TOOLS

from ullage.integrate.openai_agents import Fitting, Ullage

ullage = Ullage(Fitting(results=2_000, history=16_000))
tools = ullage.tools([function_tool(one) for one in TOOLS])


async def main() -> None:
    agent = Agent(name="clerk", model="gpt-4o", tools=tools)
    session = SQLiteSession("1")
    for prompt in PROMPTS:
        result = await Runner.run(agent, prompt, session=session, run_config=ullage.run_config())
        print(result.final_output)


asyncio.run(main())
