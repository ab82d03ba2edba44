"""An ordinary pydantic-ai agent."""

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from results import TOOLS

agent = Agent(OpenAIChatModel("gpt-4o"), tools=list(TOOLS))
print(agent.run_sync("What is open?").output)
