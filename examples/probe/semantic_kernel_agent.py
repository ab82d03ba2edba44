"""Semantic Kernel's ChatCompletionAgent, with one thread from prompt to prompt.

Run it with `ullage probe run -- python semantic_kernel_agent.py`.
"""

from openai import AsyncOpenAI
from probing import Case, probe
from semantic_kernel.agents import ChatCompletionAgent, ChatHistoryAgentThread
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.contents import (
    ChatHistory,
    ChatHistorySummarizationReducer,
    ChatHistoryTruncationReducer,
)
from semantic_kernel.functions import kernel_function


class Data:
    """The plugin with the tool."""

    def __init__(self, case: Case) -> None:
        self.case = case

    @kernel_function(description="Fetch the rows.")
    def fetch_rows(self) -> object:
        """Fetch the rows."""
        return self.case.fetch_rows()


def client(case: Case) -> AsyncOpenAI:
    """Make a client for the case's address."""
    return AsyncOpenAI(base_url=case.base_url, api_key="none")


def agent(case: Case, own: AsyncOpenAI, name: str, plugin: object) -> ChatCompletionAgent:
    """Make an agent that has one plugin."""
    service = OpenAIChatCompletion(ai_model_id=case.model, async_client=own)
    return ChatCompletionAgent(
        service=service, name=name, description="Finds rows.", plugins=[plugin]
    )


async def talk(case: Case, asked: ChatCompletionAgent, history: ChatHistory | None = None) -> None:
    """Say one prompt after the other; a reducer does its work after each answer."""
    thread = ChatHistoryAgentThread(chat_history=history)
    for prompt in case.prompts:
        case.answered(await asked.get_response(messages=prompt, thread=thread))
        await thread.reduce()


async def ask(case: Case) -> None:
    """Use a thread as it comes."""
    async with client(case) as own:
        await talk(case, agent(case, own, "analyst", Data(case)))


async def ask_truncating(case: Case) -> None:
    """Keep 10 messages."""
    async with client(case) as own:
        history = ChatHistoryTruncationReducer(target_count=10)
        await talk(case, agent(case, own, "analyst", Data(case)), history)


async def ask_summarizing(case: Case, **settings: bool) -> None:
    """Summarise what is older than 10 messages, without what tools returned."""
    async with client(case) as own:
        asked = agent(case, own, "analyst", Data(case))
        history = ChatHistorySummarizationReducer(
            service=asked.service, target_count=10, **settings
        )
        await talk(case, asked, history)


async def ask_summarizing_all(case: Case) -> None:
    """Summarise what is older than 10 messages, and what tools returned."""
    await ask_summarizing(case, include_function_content_in_summary=True)


async def hand_over(case: Case) -> None:
    """Offer an agent as a plugin."""
    async with client(case) as own:
        child = agent(case, own, "research", Data(case))
        await talk(case, agent(case, own, "analyst", child))


if __name__ == "__main__":
    probe(
        default=ask,
        truncation=ask_truncating,
        summarization=ask_summarizing,
        summarization_whole=ask_summarizing_all,
        handoff=hand_over,
    )
