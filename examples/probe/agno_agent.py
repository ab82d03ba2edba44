"""An Agno agent, without and with its history, and a team."""

import logging
from typing import Any

from agno.agent import Agent
from agno.compaction import Compaction
from agno.db.sqlite import SqliteDb
from agno.models.message import Message
from agno.models.openai.like import OpenAILike
from agno.team import Team
from probing import Case, probe


def model_of(case: Case) -> OpenAILike:
    return OpenAILike(id=case.model, base_url=case.base_url, api_key="none")


def run(case: Case, agent: Agent | Team) -> None:
    for prompt in case.prompts:
        case.answered(agent.run(prompt, session_id=case.tag).content)


def agent_of(case: Case, **settings: Any) -> Agent:
    return Agent(
        model=model_of(case),
        tools=[case.fetch_rows],
        db=SqliteDb(db_url="sqlite://"),
        telemetry=False,
        **settings,
    )


def plain(case: Case) -> None:
    run(case, agent_of(case))


def with_history(case: Case) -> None:
    run(case, agent_of(case, add_history_to_context=True))


def with_all_history(case: Case) -> None:
    run(case, agent_of(case, add_history_to_context=True, num_history_runs=1_000))


def fitted(case: Case) -> None:
    """Results and requests are kept to budgets by Ullage, which has to be installed beside it."""
    from ullage.integrate.agno import Fitting, fit

    agent = agent_of(case, add_history_to_context=True, num_history_runs=1_000)
    run(case, fit(agent, Fitting(results=4_000, history=16_000)))


def compressing(case: Case) -> None:
    settings = {"num_history_runs": 50, "compress_tool_results": True}
    run(case, agent_of(case, add_history_to_context=True, **settings))


def compacting(case: Case) -> None:
    """It counts by characters: the counter of its own would download a vocabulary."""
    fold = Compaction(compact_at_tokens=20_000, token_counter=four_characters_a_token)
    run(case, agent_of(case, add_history_to_context=True, compaction=fold))


def four_characters_a_token(messages: list[Message], tools: object) -> int:
    return sum(len(str(message.content)) for message in messages) // 4


def hand_over(case: Case) -> None:
    researcher = Agent(
        name="researcher", model=model_of(case), tools=[case.fetch_rows], telemetry=False
    )
    run(case, Team(members=[researcher], model=model_of(case), telemetry=False))


if __name__ == "__main__":
    logging.getLogger("agno").setLevel(logging.ERROR)  # it writes them to stdout
    probe(
        default=plain,
        history=with_history,
        compress=compressing,
        compaction=compacting,
        best=with_all_history,
        ullage=fitted,
        handoff=hand_over,
    )
