"""Strands' Agent, which keeps its own history.

Run it with `ullage probe run -- python strands_agent.py`.
"""

from typing import Any

from probing import Case, probe
from strands import Agent, tool
from strands.agent.conversation_manager import (
    NullConversationManager,
    SummarizingConversationManager,
)
from strands.models.openai import OpenAIModel
from strands.vended_plugins.context_offloader import ContextOffloader


def agent(case: Case, function: object, **settings: Any) -> Agent:
    """Make an agent with one tool, at the case's address."""
    model = OpenAIModel(
        client_args={"base_url": case.base_url, "api_key": "none"}, model_id=case.model
    )
    return Agent(model=model, tools=[function], callback_handler=None, **settings)


def talk(case: Case, **settings: Any) -> None:
    """Say one prompt after the other to the same agent."""
    asked = agent(case, tool(case.fetch_rows), **settings)
    for prompt in case.prompts:
        case.answered(asked(prompt))


def ask(case: Case) -> None:
    """Keep the last 40 messages: SlidingWindowConversationManager, as it comes."""
    talk(case)


def ask_summarizing(case: Case) -> None:
    """Summarise when 70 % of the window is used."""
    manager = SummarizingConversationManager(proactive_compression=True)
    talk(case, conversation_manager=manager)


def ask_offloading(case: Case) -> None:
    """Put results above 2,500 tokens away; the agent gets a tool to read them."""
    talk(case, plugins=[ContextOffloader()])


def ask_managed(case: Case) -> None:
    """Let Strands choose: context_manager="auto"."""
    talk(case, context_manager="auto")


def ask_keeping_all(case: Case) -> None:
    """Never shorten the history."""
    talk(case, conversation_manager=NullConversationManager())


def ask_fitted(case: Case) -> None:
    """Cut results and shorten requests with Ullage."""
    from ullage.integrate.strands import Fitting, fit

    asked = agent(case, tool(case.fetch_rows))
    fit(asked, Fitting(results=4_000, history=16_000))
    for prompt in case.prompts:
        case.answered(asked(prompt))


def hand_over(case: Case) -> None:
    """Offer an agent as a tool."""
    child = agent(case, tool(case.fetch_rows), name="researcher")
    parent = agent(case, child.as_tool(name="research", description="Let a researcher do it."))
    for prompt in case.prompts:
        case.answered(parent(prompt))


if __name__ == "__main__":
    probe(
        default=ask,
        summarizing=ask_summarizing,
        offloader=ask_offloading,
        auto=ask_managed,
        best=ask_keeping_all,
        ullage=ask_fitted,
        handoff=hand_over,
    )
