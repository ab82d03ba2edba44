"""An agent of smolagents that calls tools, with Ullage."""

from clerk import PROMPTS, TOOLS
from smolagents import OpenAIServerModel, ToolCallingAgent, tool

from ullage.integrate.smolagents import Fitting, fit

agent = ToolCallingAgent(
    [tool(one) for one in TOOLS], OpenAIServerModel("gpt-4o"), verbosity_level=0
)
fit(agent, Fitting(results=2_000, history=16_000))
for number, prompt in enumerate(PROMPTS):
    print(agent.run(prompt, reset=number == 0))
