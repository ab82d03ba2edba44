"""A LlamaIndex FunctionAgent; its own OpenAI package wants an older SDK, so this writes it out."""

import asyncio
import json

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, LLMMetadata
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from openai import AsyncOpenAI
from results import TOOLS


def as_sent(message):
    sent = {"role": message.role.value, "content": message.content, **message.additional_kwargs}
    return {name: value for name, value in sent.items() if value is not None}


class Model(FunctionCallingLLM):
    @property
    def metadata(self):
        return LLMMetadata(is_chat_model=True, is_function_calling_model=True)

    def _prepare_chat_with_tools(self, tools, chat_history=None, **kwargs):
        return {
            "messages": chat_history,
            "tools": [one.metadata.to_openai_tool() for one in tools],
        }

    async def achat(self, messages, **kwargs):
        reply = await AsyncOpenAI().chat.completions.create(
            model="gpt-4o", messages=[as_sent(one) for one in messages], tools=kwargs["tools"]
        )
        said = reply.choices[0].message
        calls = [one.model_dump() for one in said.tool_calls or []]
        return ChatResponse(
            message=ChatMessage(
                role="assistant",
                content=said.content,
                additional_kwargs={"tool_calls": calls} if calls else {},
            )
        )

    def get_tool_calls_from_response(self, response, error_on_no_tool_call=True, **kwargs):
        return [
            ToolSelection(
                tool_id=one["id"],
                tool_name=one["function"]["name"],
                tool_kwargs=json.loads(one["function"]["arguments"]),
            )
            for one in response.message.additional_kwargs.get("tool_calls", [])
        ]

    async def acomplete(self, prompt, **kwargs):
        raise NotImplementedError

    chat = complete = stream_chat = stream_complete = acomplete
    astream_chat = astream_complete = acomplete


async def main():
    agent = FunctionAgent(tools=list(TOOLS), llm=Model(), streaming=False)
    print(await agent.run("What is open?"))


asyncio.run(main())
