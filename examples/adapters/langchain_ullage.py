"""An agent of LangChain's `create_agent`, with Ullage."""

from clerk import PROMPTS, TOOLS
from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver

from ullage.integrate.langchain import Fitting, UllageMiddleware

agent = create_agent(
    ChatOpenAI(model="gpt-4o"),
    TOOLS,
    middleware=[UllageMiddleware(Fitting(results=2_000, history=16_000))],
    checkpointer=InMemorySaver(),
)
thread = {"configurable": {"thread_id": "1"}}
for prompt in PROMPTS:
    state = agent.invoke({"messages": [{"role": "user", "content": prompt}]}, thread)
    print(state["messages"][-1].text)
