"""An agent of Pydantic AI, as it comes."""

from clerk import PROMPTS, TOOLS
from pydantic_ai import Agent

agent = Agent(
    "openai-chat:gpt-4o",
    tools=TOOLS,
)
history = None
for prompt in PROMPTS:
    result = agent.run_sync(prompt, message_history=history)
    history = result.all_messages()
    print(result.output)
