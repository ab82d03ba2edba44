"""An agent of Agno, as it comes."""

from agno.agent import Agent
from agno.db.sqlite import SqliteDb
from agno.models.openai import OpenAIChat
from clerk import PROMPTS, TOOLS

agent = Agent(
    model=OpenAIChat(id="gpt-4o"),
    tools=TOOLS,
    db=SqliteDb(db_url="sqlite://"),
    add_history_to_context=True,
    num_history_runs=100,
    telemetry=False,
)
for prompt in PROMPTS:
    print(agent.run(prompt, session_id="1").content)
