"""A CrewAI agent on its own, and a crew whose clerk gives work to a researcher."""

from typing import Any

from crewai import LLM, Agent, Crew, Task
from crewai.events.utils.console_formatter import set_suppress_console_output
from crewai.tools import BaseTool, tool
from probing import Case, probe


def tool_of(case: Case) -> BaseTool:
    @tool("fetch_rows")
    def fetch_rows() -> object:
        """Fetch the rows."""
        return case.fetch_rows()

    return fetch_rows


def agent_of(case: Case, role: str, **settings: Any) -> Agent:
    model = LLM(model=f"openai/{case.model}", base_url=case.base_url, api_key="none")
    return Agent(role=role, goal="Help.", backstory="You know the rows.", llm=model, **settings)


def run(case: Case, **settings: Any) -> None:
    clerk = agent_of(case, "clerk", tools=[tool_of(case)], **settings)
    for prompt in case.prompts:
        case.answered(clerk.kickoff(prompt).raw)


def plain(case: Case) -> None:
    run(case)


def keep_results(case: Case) -> None:
    """Large results stay in the conversation; every prompt carries what was said before."""
    clerk = agent_of(case, "clerk", tools=[tool_of(case)], use_better_compaction=False)
    history: list[dict[str, Any]] = []
    for prompt in case.prompts:
        result = clerk.kickoff([*history, {"role": "user", "content": prompt}])
        history = [message for message in result.messages if message["role"] != "system"]
        case.answered(result.raw)


def hand_over(case: Case) -> None:
    clerk = agent_of(case, "clerk", allow_delegation=True)
    researcher = agent_of(case, "researcher", tools=[tool_of(case)])
    for prompt in case.prompts:
        task = Task(description=prompt, expected_output="An answer.", agent=clerk)
        case.answered(Crew(agents=[clerk, researcher], tasks=[task]).kickoff().raw)


if __name__ == "__main__":
    set_suppress_console_output(True)
    probe(default=plain, best=keep_results, handoff=hand_over)
