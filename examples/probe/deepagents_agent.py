"""A deep agent: it puts large tool results into files, and old turns into a summary."""

from typing import Any

from deepagents import create_deep_agent
from deepagents.backends import StateBackend
from deepagents.middleware.filesystem import FilesystemMiddleware
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from probing import Case, probe


def run(case: Case, **settings: Any) -> None:
    agent = create_deep_agent(
        model=ChatOpenAI(model=case.model, base_url=case.base_url, api_key="none"),
        checkpointer=InMemorySaver(),
        **settings,
    )
    thread = {"configurable": {"thread_id": case.tag}}
    for prompt in case.prompts:
        state = agent.invoke({"messages": [{"role": "user", "content": prompt}]}, thread)
        case.answered(state["messages"][-1].text)


def plain(case: Case) -> None:
    run(case, tools=[case.fetch_rows])


def keep_results(case: Case) -> None:
    """A middleware of the same name takes the place of the one that puts results into files."""
    files = FilesystemMiddleware(
        backend=StateBackend(),
        tool_token_limit_before_evict=None,
        human_message_token_limit_before_evict=None,
    )
    run(case, tools=[case.fetch_rows], middleware=[files])


def hand_over(case: Case) -> None:
    researcher = {
        "name": "researcher",
        "description": "Fetches the rows and reports what they say.",
        "system_prompt": "Fetch the rows and report them.",
        "tools": [case.fetch_rows],
    }
    run(case, tools=[], subagents=[researcher])


if __name__ == "__main__":
    probe(default=plain, best=keep_results, handoff=hand_over)
