"""An ordinary LangChain agent: `create_agent` with an OpenAI model."""

from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from results import TOOLS

agent = create_agent(ChatOpenAI(model="gpt-4o", use_responses_api=False), list(TOOLS))
reply = agent.invoke({"messages": [{"role": "user", "content": "What is open?"}]})
print(reply["messages"][-1].content)
