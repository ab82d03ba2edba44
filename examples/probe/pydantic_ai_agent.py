"""Pydantic AI, plain and with the capabilities of its harness that shorten what the model sees."""

from typing import Any

from probing import Case, probe
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai_harness.compaction import (
    ClearToolResults,
    SlidingWindowCompaction,
    SummarizingCompaction,
)
from pydantic_ai_harness.tool_output_limits import ToolOutputLimits

LIMIT = 20_000


def model_of(case: Case) -> OpenAIChatModel:
    provider = OpenAIProvider(base_url=case.base_url, api_key="none")
    return OpenAIChatModel(case.model, provider=provider)


async def run(case: Case, tool: Any, *capabilities: Any) -> None:
    agent = Agent(model_of(case), tools=[tool], capabilities=capabilities)
    history = None
    for prompt in case.prompts:
        result = await agent.run(prompt, message_history=history)
        history = result.all_messages()
        case.answered(result.output)


async def plain(case: Case) -> None:
    await run(case, case.fetch_rows)


async def limiting(case: Case) -> None:
    await run(case, case.fetch_rows, ToolOutputLimits())


async def sliding(case: Case) -> None:
    await run(case, case.fetch_rows, SlidingWindowCompaction(max_tokens=LIMIT))


async def clearing(case: Case) -> None:
    await run(case, case.fetch_rows, ClearToolResults(max_tokens=LIMIT))


async def summarizing(case: Case) -> None:
    await run(case, case.fetch_rows, SummarizingCompaction(max_tokens=LIMIT))


async def summarizing_whole(case: Case) -> None:
    """The summariser reads results whole, and what the user said stays."""
    summary: SummarizingCompaction = SummarizingCompaction(
        max_tokens=LIMIT, tool_return_max_chars=None, keep_user_messages=True
    )
    await run(case, case.fetch_rows, summary)


async def fitted(case: Case) -> None:
    """Results and requests are kept to budgets by Ullage, which has to be installed beside it."""
    from ullage.integrate.pydantic_ai import Fitting, Ullage

    await run(case, case.fetch_rows, Ullage(Fitting(results=4_000, history=16_000)))


async def hand_over(case: Case) -> None:
    researcher = Agent(model_of(case), tools=[case.fetch_rows])

    async def research(query: str) -> str:
        """Give a question to the researcher, who can fetch the rows."""
        return (await researcher.run(query)).output

    await run(case, research)


if __name__ == "__main__":
    probe(
        default=plain,
        harness_limits=limiting,
        harness_sliding=sliding,
        harness_clear=clearing,
        harness_summarizing=summarizing,
        harness_summarizing_whole=summarizing_whole,
        ullage=fitted,
        handoff=hand_over,
    )
