"""Microsoft's Agent Framework, plain and with its compaction strategies."""

from typing import Any

from agent_framework import (
    Agent,
    CharacterEstimatorTokenizer,
    SlidingWindowStrategy,
    SummarizationStrategy,
    ToolResultCompactionStrategy,
    TruncationStrategy,
)
from agent_framework.openai import OpenAIChatCompletionClient
from probing import Case, probe

LIMIT = 20_000


def client_of(case: Case) -> OpenAIChatCompletionClient:
    return OpenAIChatCompletionClient(model=case.model, base_url=case.base_url, api_key="none")


async def run(case: Case, tool: Any, strategy: Any = None) -> None:
    agent = Agent(
        client=client_of(case), instructions="Help.", tools=[tool], compaction_strategy=strategy
    )
    session = agent.create_session()
    for prompt in case.prompts:
        case.answered((await agent.run(prompt, session=session)).text)


async def plain(case: Case) -> None:
    await run(case, case.fetch_rows)


async def truncating(case: Case) -> None:
    counter = CharacterEstimatorTokenizer()
    strategy = TruncationStrategy(max_n=LIMIT, compact_to=LIMIT, tokenizer=counter)
    await run(case, case.fetch_rows, strategy)


async def sliding(case: Case) -> None:
    await run(case, case.fetch_rows, SlidingWindowStrategy(keep_last_groups=10))


async def compacting_results(case: Case) -> None:
    await run(case, case.fetch_rows, ToolResultCompactionStrategy())


async def summarizing(case: Case) -> None:
    await run(case, case.fetch_rows, SummarizationStrategy(client=client_of(case)))


async def summarizing_whole(case: Case) -> None:
    """The summariser may read all that is to go."""
    strategy = SummarizationStrategy(client=client_of(case), max_summary_input_tokens=None)
    await run(case, case.fetch_rows, strategy)


async def hand_over(case: Case) -> None:
    researcher = Agent(client=client_of(case), name="researcher", tools=[case.fetch_rows])
    await run(case, researcher.as_tool(name="research", description="Ask the researcher."))


if __name__ == "__main__":
    probe(
        default=plain,
        truncation=truncating,
        sliding_window=sliding,
        tool_results=compacting_results,
        summarization=summarizing,
        summarization_whole=summarizing_whole,
        handoff=hand_over,
    )
