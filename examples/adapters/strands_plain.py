"""An agent of Strands, as it comes."""

from clerk import PROMPTS, TOOLS
from strands import Agent, tool
from strands.models.openai import OpenAIModel

tools = [tool(one) for one in TOOLS]
agent = Agent(model=OpenAIModel(model_id="gpt-4o"), tools=tools, callback_handler=None)
for prompt in PROMPTS:
    print(str(agent(prompt)).strip())
