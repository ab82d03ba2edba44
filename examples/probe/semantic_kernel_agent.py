"""Semantic Kernel's ChatCompletionAgent; its thread goes from prompt to prompt.

    ullage probe run -- python semantic_kernel_agent.py
"""

from openai import AsyncOpenAI
from semantic_kernel.agents import ChatCompletionAgent, ChatHistoryAgentThread
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.contents import (
    ChatHistorySummarizationReducer,
    ChatHistoryTruncationReducer,
)
from semantic_kernel.contents.history_reducer.chat_history_reducer import ChatHistoryReducer
from semantic_kernel.functions import kernel_function

from probing import Case, probe


class Data:
    """The plugin with the tool."""

    def __init__(self, case: Case) -> None:
        self.case = case

    @kernel_function(description="Fetch the rows.")
    def fetch_rows(self) -> object:
        """Fetch the rows."""
        return self.case.fetch_rows()


def service(case: Case) -> OpenAIChatCompletion:
    """Point Semantic Kernel at the case's address."""
    client = AsyncOpenAI(base_url=case.base_url, api_key="none")
    return OpenAIChatCompletion(ai_model_id=case.model, async_client=client)


async def ask(case: Case) -> None:
    """Use the thread as it comes."""
    agent = ChatCompletionAgent(service=service(case), name="analyst", plugins=[Data(case)])
    thread = None
    for prompt in case.prompts:
        response = await agent.get_response(messages=prompt, thread=thread)
        thread = response.thread
        case.answered(response)


async def ask_with(case: Case, reducer: ChatHistoryReducer) -> None:
    """Reduce the history after each answer, as Semantic Kernel's own sample does."""
    agent = ChatCompletionAgent(service=service(case), name="analyst", plugins=[Data(case)])
    thread = ChatHistoryAgentThread(chat_history=reducer)
    for prompt in case.prompts:
        case.answered(await agent.get_response(messages=prompt, thread=thread))
        await thread.reduce()


async def ask_truncating(case: Case) -> None:
    """Keep 10 messages."""
    await ask_with(case, ChatHistoryTruncationReducer(target_count=10))


async def ask_summarizing(case: Case) -> None:
    """Summarise what is older than 10 messages."""
    await ask_with(case, ChatHistorySummarizationReducer(service=service(case), target_count=10))


async def hand_over(case: Case) -> None:
    """Offer an agent as a plugin."""
    child = ChatCompletionAgent(
        service=service(case),
        name="research",
        description="Let a researcher do a task.",
        plugins=[Data(case)],
    )
    parent = ChatCompletionAgent(service=service(case), name="analyst", plugins=[child])
    for prompt in case.prompts:
        case.answered(await parent.get_response(messages=prompt))


if __name__ == "__main__":
    probe(
        default=ask,
        truncation=ask_truncating,
        summarization=ask_summarizing,
        handoff=hand_over,
    )
