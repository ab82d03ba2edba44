"""An agent of LangChain's `create_agent`, as it comes."""

from clerk import PROMPTS, TOOLS
from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver

agent = create_agent(
    ChatOpenAI(model="gpt-4o"),
    TOOLS,
    checkpointer=InMemorySaver(),
)
thread = {"configurable": {"thread_id": "1"}}
for prompt in PROMPTS:
    state = agent.invoke({"messages": [{"role": "user", "content": prompt}]}, thread)
    print(state["messages"][-1].text)
