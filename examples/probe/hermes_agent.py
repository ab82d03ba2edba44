"""Hermes Agent from Python, with one tool added to those it knows.

Run it with `ullage probe run -- python hermes_agent.py`.

It keeps its settings and logs in ~/.hermes, or in the folder that HERMES_HOME names.
"""

from typing import Any

from probing import Case, probe
from run_agent import AIAgent
from tools.registry import registry


def register(case: Case, **settings: Any) -> None:
    """Add the tool to Hermes' own, in a group named probe. It must return a text."""
    registry.register(
        name="fetch_rows",
        toolset="probe",
        schema={
            "name": "fetch_rows",
            "description": "Fetch the rows.",
            "parameters": {"type": "object", "properties": {}},
        },
        handler=lambda _arguments, **_context: case.fetch_rows(),
        **settings,
    )


def agent(case: Case, toolset: str) -> AIAgent:
    """Make an agent at the case's address that has one group of tools."""
    return AIAgent(
        base_url=case.base_url,
        api_key="none",
        provider="custom",
        model=case.model,
        enabled_toolsets=[toolset],
        quiet_mode=True,
        skip_context_files=True,
        skip_memory=True,
    )


def talk(case: Case, asked: AIAgent) -> None:
    """Say one prompt after the other, with all messages so far."""
    messages = None
    for prompt in case.prompts:
        result = asked.run_conversation(prompt, conversation_history=messages)
        messages = result["messages"]
        case.answered(result["final_response"])


def ask(case: Case) -> None:
    """Cut a result that takes 15 % of the window, and compact at 75 %, as it comes."""
    register(case)
    talk(case, agent(case, "probe"))


def ask_in_terminal(case: Case) -> None:
    """Let it print the case's file in its terminal, which cuts at 50,000 characters."""
    talk(case, agent(case, "terminal"))


def ask_for_all(case: Case) -> None:
    """Let the tool's results be of any size, and compact nothing."""
    register(case, max_result_size_chars=float("inf"))
    asked = agent(case, "probe")
    asked.compression_enabled = False
    talk(case, asked)


if __name__ == "__main__":
    probe(default=ask, terminal=ask_in_terminal, best=ask_for_all)
