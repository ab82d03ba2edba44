"""Inspect's ReAct agent, as the solver of a task of one sample.

Run it with `ullage probe run -- python inspect_ai_agent.py`.

To compact, Inspect counts with tiktoken's vocabulary o200k_base: without a network, name a folder
that has it in TIKTOKEN_CACHE_DIR.
"""

import tempfile
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.agent import AgentState, as_tool, react
from inspect_ai.dataset import Sample
from inspect_ai.model import CompactionEdit, CompactionSummary, CompactionTrim
from inspect_ai.tool import Tool, ToolDef
from probing import Case, probe


def fetcher(case: Case) -> ToolDef:
    """Make a tool of the function: Inspect's are coroutines."""

    async def fetch_rows() -> object:
        return case.fetch_rows()

    return ToolDef(fetch_rows, name="fetch_rows", description="Fetch the rows.")


def talk(case: Case, tools: list[Tool | ToolDef], **settings: Any) -> None:
    """Say one prompt after the other in one sample; the first is the sample's input."""
    prompts = iter(case.prompts[1:])

    async def say_next(state: AgentState) -> bool | str:
        if state.output.message.tool_calls:
            return True
        case.answered(state.output.completion)
        return next(prompts, False)

    compaction = settings.pop("compaction", None)
    asked = react(tools=tools, submit=False, on_continue=say_next, compaction=compaction)
    with tempfile.TemporaryDirectory() as logs:
        (log,) = eval(
            Task(dataset=[Sample(input=case.prompts[0])], solver=asked),
            model=f"openai/{case.model}",
            model_base_url=case.base_url,
            model_args={"api_key": "none", "responses_api": False},
            log_dir=logs,
            display="none",
            **settings,
        )
    if log.error:
        raise RuntimeError(log.error.message)


def ask(case: Case) -> None:
    """Cut a result at 16 KiB, as it comes."""
    talk(case, [fetcher(case)])


def ask_for_all(case: Case) -> None:
    """Cut no result."""
    talk(case, [fetcher(case)], max_tool_output=0)


def ask_summarizing(case: Case) -> None:
    """Cut no result; summarise the conversation at half of the window."""
    talk(case, [fetcher(case)], compaction=CompactionSummary(threshold=0.5), max_tool_output=0)


def ask_trimming(case: Case) -> None:
    """Cut no result; keep 80 % of the messages at half of the window."""
    talk(case, [fetcher(case)], compaction=CompactionTrim(threshold=0.5), max_tool_output=0)


def ask_editing(case: Case) -> None:
    """Cut no result; keep the last 3 at half of the window."""
    talk(case, [fetcher(case)], compaction=CompactionEdit(threshold=0.5), max_tool_output=0)


def hand_over(case: Case) -> None:
    """Offer an agent as a tool."""
    child = react(
        name="research",
        description="Let a researcher do a task.",
        tools=[fetcher(case)],
        submit=False,
    )
    talk(case, [as_tool(child)])


if __name__ == "__main__":
    probe(
        default=ask,
        summary=ask_summarizing,
        trim=ask_trimming,
        edit=ask_editing,
        best=ask_for_all,
        handoff=hand_over,
    )
