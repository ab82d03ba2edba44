"""An agent of LlamaIndex, with Ullage."""

import asyncio
import os

from clerk import PROMPTS, TOOLS
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.llms.openai import OpenAI

from ullage.integrate.llama_index import Fitting, fit

llm = OpenAI(model="gpt-4o", api_base=os.environ.get("OPENAI_BASE_URL"))
agent = FunctionAgent(tools=TOOLS, llm=llm)
fit(agent, Fitting(results=2_000, history=16_000))
memory = ChatMemoryBuffer.from_defaults(llm=llm)


async def main() -> None:
    for prompt in PROMPTS:
        print(await agent.run(prompt, memory=memory))


asyncio.run(main())
