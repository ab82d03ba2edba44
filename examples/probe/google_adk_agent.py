"""Google ADK's LlmAgent, through LiteLLM; a session keeps the history.

Run it with `ullage probe run -- python google_adk_agent.py`.
"""

from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.apps.app import EventsCompactionConfig
from google.adk.models.lite_llm import LiteLlm
from google.adk.runners import InMemoryRunner
from google.adk.tools import AgentTool
from google.genai import types
from probing import Case, probe


def agent(case: Case, name: str, tool: object) -> LlmAgent:
    """Make an agent with one tool, at the case's address."""
    model = LiteLlm(model=f"openai/{case.model}", api_base=case.base_url, api_key="none")
    return LlmAgent(
        name=name, model=model, instruction="Help.", description="Finds rows.", tools=[tool]
    )


async def talk(case: Case, app: App) -> None:
    """Say one prompt after the other in one session."""
    runner = InMemoryRunner(app=app)
    session = await runner.session_service.create_session(app_name=app.name, user_id="user")
    for prompt in case.prompts:
        message = types.Content(role="user", parts=[types.Part(text=prompt)])
        answer = ""
        async for event in runner.run_async(
            user_id="user", session_id=session.id, new_message=message
        ):
            if event.is_final_response() and event.content and event.content.parts:
                answer = event.content.parts[0].text or ""
        case.answered(answer)


async def ask(case: Case) -> None:
    """Use the app as it comes."""
    await talk(case, App(name="probe", root_agent=agent(case, "analyst", case.fetch_rows)))


async def ask_compacting(case: Case) -> None:
    """Summarise every 3 prompts, the last one again, as ADK's documentation shows it."""
    app = App(
        name="probe",
        root_agent=agent(case, "analyst", case.fetch_rows),
        events_compaction_config=EventsCompactionConfig(compaction_interval=3, overlap_size=1),
    )
    await talk(case, app)


async def hand_over(case: Case) -> None:
    """Offer an agent as a tool."""
    child = AgentTool(agent(case, "research", case.fetch_rows))
    await talk(case, App(name="probe", root_agent=agent(case, "analyst", child)))


if __name__ == "__main__":
    probe(default=ask, compaction=ask_compacting, handoff=hand_over)
