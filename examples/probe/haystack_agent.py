"""Haystack's Agent; its messages are given back to it with the next prompt.

Run it with `ullage probe run -- python haystack_agent.py`.
"""

import tempfile

from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.hooks.compaction import (
    CompactionHook,
    SlidingWindowCompactor,
    SummarizationCompactor,
    ToolResultPruningCompactor,
)
from haystack.hooks.tool_result_offloading import (
    FileSystemToolResultStore,
    OffloadOverChars,
    ToolResultOffloadHook,
)
from haystack.tools import AgentTool, Tool, tool
from haystack.utils import Secret
from probing import Case, probe

WINDOW = 128_000


def generator(case: Case) -> OpenAIChatGenerator:
    """Point Haystack at the case's address."""
    return OpenAIChatGenerator(
        model=case.model, api_base_url=case.base_url, api_key=Secret.from_token("none")
    )


def fetch_tool(case: Case) -> Tool:
    """Make a tool of the function; Haystack wants to know its name."""
    return tool(case.fetch_rows, name="fetch_rows")


def talk(case: Case, agent: Agent) -> None:
    """Say one prompt after the other, with all messages so far."""
    messages: list[ChatMessage] = []
    for prompt in case.prompts:
        result = agent.run(messages=[*messages, ChatMessage.from_user(prompt)])
        messages = result["messages"]
        case.answered(result["last_message"].text)


def ask(case: Case) -> None:
    """Use the agent as it comes."""
    talk(case, Agent(chat_generator=generator(case), tools=[fetch_tool(case)]))


def ask_with(case: Case, point: str, hook: object) -> None:
    """Use a hook."""
    talk(
        case,
        Agent(chat_generator=generator(case), tools=[fetch_tool(case)], hooks={point: [hook]}),
    )


def ask_offloading(case: Case) -> None:
    """Put results above 8,000 characters into files, as Haystack's own example does."""
    with tempfile.TemporaryDirectory() as folder:
        store = FileSystemToolResultStore(root=folder)
        ask_with(case, "after_tool", ToolResultOffloadHook(store, {"*": OffloadOverChars(8000)}))


def ask_with_window(case: Case) -> None:
    """Drop the oldest turns when 70 % of the window is used."""
    hook = CompactionHook(SlidingWindowCompactor(), context_window=WINDOW)
    ask_with(case, "before_llm", hook)


def ask_summarizing(case: Case) -> None:
    """Summarise the oldest turns when 70 % of the window is used."""
    hook = CompactionHook(SummarizationCompactor(generator(case)), context_window=WINDOW)
    ask_with(case, "before_llm", hook)


def ask_pruning(case: Case) -> None:
    """Take out the oldest results when 70 % of the window is used."""
    hook = CompactionHook(ToolResultPruningCompactor(), context_window=WINDOW)
    ask_with(case, "before_llm", hook)


def hand_over(case: Case) -> None:
    """Offer an agent as a tool."""
    child = Agent(chat_generator=generator(case), tools=[fetch_tool(case)])
    research = AgentTool(agent=child, name="research", description="Let a researcher do a task.")
    talk(case, Agent(chat_generator=generator(case), tools=[research]))


if __name__ == "__main__":
    probe(
        default=ask,
        offload=ask_offloading,
        window=ask_with_window,
        summarization=ask_summarizing,
        pruning=ask_pruning,
        handoff=hand_over,
    )
