"""OpenHands' Agent in a local conversation, with one tool of our own. It needs Python 3.12.

Run it with `ullage probe run -- python openhands_sdk_agent.py`.
"""

import json
import tempfile
from collections.abc import Sequence
from typing import ClassVar, Self

from openhands.sdk import LLM, Agent, LocalConversation, Tool, register_agent, register_tool
from openhands.sdk.context.condenser import LLMSummarizingCondenser
from openhands.sdk.context.condenser.base import CondenserBase
from openhands.sdk.conversation import get_agent_final_response
from openhands.sdk.tool import Action, Observation, ToolDefinition, ToolExecutor
from openhands.tools.task import TaskToolSet
from openhands.tools.terminal import TerminalTool
from probing import Case, probe


class FetchAction(Action):
    """A call without arguments."""


class FetchObservation(Observation):
    """What the tool returned."""


class Fetcher(ToolExecutor[FetchAction, FetchObservation]):
    """Fetches the rows of the case at hand."""

    case: ClassVar[Case]

    def __call__(self, action: FetchAction, conversation: object = None) -> FetchObservation:
        """Fetch the rows; an observation holds a text."""
        rows = self.case.fetch_rows()
        return FetchObservation.from_text(rows if isinstance(rows, str) else json.dumps(rows))


class FetchRowsTool(ToolDefinition[FetchAction, FetchObservation]):
    """The tool; OpenHands names it fetch_rows, after the class."""

    @classmethod
    def create(cls, conv_state: object = None, **_settings: object) -> Sequence[Self]:
        """Make the tool, as a conversation starts."""
        return [
            cls(
                description="Fetch the rows.",
                action_type=FetchAction,
                observation_type=FetchObservation,
                executor=Fetcher(),
            )
        ]


def researcher(model: LLM) -> Agent:
    """Make the sub-agent that a parent's task goes to."""
    return Agent(llm=model, tools=[Tool(name="fetch_rows")])


register_tool("fetch_rows", FetchRowsTool)
register_agent("general-purpose", researcher, "Finds rows.")


def llm(case: Case) -> LLM:
    """Point OpenHands at the case's address."""
    return LLM(
        model=f"openai/{case.model}", base_url=case.base_url, api_key="none", usage_id="probe"
    )


def talk(case: Case, tool: str, condenser: CondenserBase | None = None) -> None:
    """Say one prompt after the other in one conversation."""
    Fetcher.case = case
    agent = Agent(llm=llm(case), tools=[Tool(name=tool)], condenser=condenser)
    with tempfile.TemporaryDirectory() as folder:
        conversation = LocalConversation(agent, folder, visualizer=None)
        for prompt in case.prompts:
            conversation.send_message(prompt)
            conversation.run()
            case.answered(get_agent_final_response(conversation.state.events))
        conversation.close()


def ask(case: Case) -> None:
    """Cut a result at 50,000 characters, as it comes."""
    talk(case, "fetch_rows")


def ask_in_terminal(case: Case) -> None:
    """Let it print the case's file in its terminal, which cuts at 30,000 characters."""
    talk(case, TerminalTool.name)


def ask_condensing(case: Case) -> None:
    """Summarise at 240 events, as OpenHands' own agent does."""
    talk(case, "fetch_rows", LLMSummarizingCondenser(llm=llm(case)))


def hand_over(case: Case) -> None:
    """Offer OpenHands' own tool for sub-agents; only the sub-agent can fetch."""
    talk(case, TaskToolSet.name)


if __name__ == "__main__":
    probe(default=ask, terminal=ask_in_terminal, condenser=ask_condensing, handoff=hand_over)
