"""An agent of Pydantic AI, with Ullage."""

from clerk import PROMPTS, TOOLS
from pydantic_ai import Agent

from ullage.integrate.pydantic_ai import Fitting, Ullage

agent = Agent(
    "openai-chat:gpt-4o",
    tools=TOOLS,
    capabilities=[Ullage(Fitting(results=2_000, history=16_000))],
)
history = None
for prompt in PROMPTS:
    result = agent.run_sync(prompt, message_history=history)
    history = result.all_messages()
    print(result.output)
