"""An agent of Strands, with Ullage."""

from clerk import PROMPTS, TOOLS
from strands import Agent, tool
from strands.models.openai import OpenAIModel

from ullage.integrate.strands import Fitting, fit

tools = [tool(one) for one in TOOLS]
agent = Agent(model=OpenAIModel(model_id="gpt-4o"), tools=tools, callback_handler=None)
fit(agent, Fitting(results=2_000, history=16_000))
for prompt in PROMPTS:
    print(str(agent(prompt)).strip())
