"""AutoGen's AssistantAgent, with each of its model contexts."""

from collections.abc import Sequence
from typing import Any

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.tools import AgentTool
from autogen_core.model_context import (
    BufferedChatCompletionContext,
    ChatCompletionContext,
    HeadAndTailChatCompletionContext,
    TokenLimitedChatCompletionContext,
)
from autogen_core.models import LLMMessage
from autogen_core.tools import BaseTool, FunctionTool
from autogen_ext.models.openai import OpenAIChatCompletionClient
from probing import Case, probe

ABILITIES = {
    "vision": False,
    "function_calling": True,
    "json_output": False,
    "family": "unknown",
    "structured_output": False,
}


class Client(OpenAIChatCompletionClient):
    """Counts four characters as a token: its own counter would download a vocabulary."""

    def count_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Any] = ()) -> int:
        return sum(len(str(message.content)) for message in messages) // 4


def client_of(case: Case) -> Client:
    return Client(
        model=case.model,
        base_url=case.base_url,
        api_key="none",
        model_info=ABILITIES,
        parallel_tool_calls=False,
    )


def fetching(case: Case) -> FunctionTool:
    return FunctionTool(case.fetch_rows, description="Fetch the rows.")


async def run(case: Case, tool: BaseTool, context: ChatCompletionContext | None = None) -> None:
    client = client_of(case)
    agent = AssistantAgent(
        "clerk",
        model_client=client,
        tools=[tool],
        model_context=context,
        max_tool_iterations=4,
    )
    for prompt in case.prompts:
        result = await agent.run(task=prompt)
        case.answered(result.messages[-1].to_text())
    await client.close()


async def plain(case: Case) -> None:
    await run(case, fetching(case))


async def buffered(case: Case) -> None:
    await run(case, fetching(case), BufferedChatCompletionContext(buffer_size=10))


async def head_and_tail(case: Case) -> None:
    context = HeadAndTailChatCompletionContext(head_size=2, tail_size=6)
    await run(case, fetching(case), context)


async def token_limited(case: Case) -> None:
    context = TokenLimitedChatCompletionContext(client_of(case), token_limit=20_000)
    await run(case, fetching(case), context)


async def hand_over(case: Case) -> None:
    client = client_of(case)
    researcher = AssistantAgent(
        "research",
        description="Fetches the rows and reports what they say.",
        model_client=client,
        tools=[fetching(case)],
        max_tool_iterations=4,
    )
    await run(case, AgentTool(researcher))
    await client.close()


if __name__ == "__main__":
    probe(
        default=plain,
        buffered=buffered,
        head_tail=head_and_tail,
        token_limited=token_limited,
        handoff=hand_over,
    )
