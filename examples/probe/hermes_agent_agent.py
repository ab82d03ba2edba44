"""Hermes Agent from Python, with one tool added to those it knows.

    ullage probe run -- python hermes_agent_agent.py

It keeps its settings and logs in ~/.hermes, or in the folder that HERMES_HOME names.
"""

from run_agent import AIAgent
from tools.registry import registry

from probing import Case, probe


def agent(case: Case, *toolsets: str) -> AIAgent:
    """Make an agent at the case's address that has these groups of tools."""
    return AIAgent(
        base_url=case.base_url,
        api_key="none",
        model=case.model,
        enabled_toolsets=list(toolsets),
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
    """Use the agent as it comes."""
    registry.register(
        name="fetch_rows",
        toolset="probe",
        schema={
            "name": "fetch_rows",
            "description": "Fetch the rows.",
            "parameters": {"type": "object", "properties": {}},
        },
        handler=lambda _arguments, **_context: case.fetch_rows(),
    )
    talk(case, agent(case, "probe"))


def ask_for_file(case: Case) -> None:
    """Let it print the case's file in its terminal."""
    talk(case, agent(case, "terminal"))


if __name__ == "__main__":
    probe(default=ask, terminal=ask_for_file)
