"""An agent of smolagents that calls tools, as it comes."""

from clerk import PROMPTS, TOOLS
from smolagents import OpenAIServerModel, ToolCallingAgent, tool

agent = ToolCallingAgent(
    [tool(one) for one in TOOLS], OpenAIServerModel("gpt-4o"), verbosity_level=0
)
for number, prompt in enumerate(PROMPTS):
    print(agent.run(prompt, reset=number == 0))
