"""An agent of LlamaIndex, as it comes."""

import asyncio
import os

from clerk import PROMPTS, TOOLS
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.llms.openai import OpenAI

llm = OpenAI(model="gpt-4o", api_base=os.environ.get("OPENAI_BASE_URL"))
agent = FunctionAgent(tools=TOOLS, llm=llm)
memory = ChatMemoryBuffer.from_defaults(llm=llm)


async def main() -> None:
    for prompt in PROMPTS:
        print(await agent.run(prompt, memory=memory))


asyncio.run(main())
