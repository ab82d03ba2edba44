"""An agent of Agno, with Ullage."""

from agno.agent import Agent
from agno.db.sqlite import SqliteDb
from agno.models.openai import OpenAIChat
from clerk import PROMPTS, TOOLS

from ullage.integrate.agno import Fitting, fit

agent = Agent(
    model=OpenAIChat(id="gpt-4o"),
    tools=TOOLS,
    db=SqliteDb(db_url="sqlite://"),
    add_history_to_context=True,
    num_history_runs=100,
    telemetry=False,
)
fit(agent, Fitting(results=2_000, history=16_000))
for prompt in PROMPTS:
    print(agent.run(prompt, session_id="1").content)
