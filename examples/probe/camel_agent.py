"""CAMEL's ChatAgent, which keeps its own history.

Run it with `ullage probe run -- python camel_agent.py`.

It writes a folder `context_files` where it runs, and tiktoken wants its vocabulary o200k_base:
without a network, name a folder that has it in TIKTOKEN_CACHE_DIR.
"""

from collections.abc import Callable
from typing import Any

from camel.agents import ChatAgent
from camel.models import BaseModelBackend, ModelFactory
from camel.toolkits import FunctionTool
from camel.types import ModelPlatformType
from probing import Case, probe


def model(case: Case) -> BaseModelBackend:
    """Point CAMEL at the case's address."""
    return ModelFactory.create(
        model_platform=ModelPlatformType.OPENAI_COMPATIBLE_MODEL,
        model_type=case.model,
        url=case.base_url,
        api_key="none",
    )


def talk(case: Case, function: Callable[..., object], **settings: Any) -> None:
    """Say one prompt after the other to the same agent."""
    agent = ChatAgent("Help.", model=model(case), tools=[FunctionTool(function)], **settings)
    for prompt in case.prompts:
        case.answered(agent.step(prompt).msg.content)


def ask(case: Case) -> None:
    """Cut and summarise at half of the model's window, as it comes."""
    talk(case, case.fetch_rows)


def ask_without_summary(case: Case) -> None:
    """Summarise nothing; a result may take 90 % of the window."""
    talk(case, case.fetch_rows, summarize_threshold=None)


def ask_with_room(case: Case) -> None:
    """Set the window to what nothing reaches."""
    talk(case, case.fetch_rows, token_limit=10_000_000)


def hand_over(case: Case) -> None:
    """Offer an agent as a tool."""
    child = ChatAgent("Help.", model=model(case), tools=[FunctionTool(case.fetch_rows)])

    def research(task: str) -> str:
        """Let a researcher do a task.

        Args:
            task: What to find out.

        """
        return str(child.step(task).msg.content)

    talk(case, research)


if __name__ == "__main__":
    probe(default=ask, nosummary=ask_without_summary, best=ask_with_room, handoff=hand_over)
