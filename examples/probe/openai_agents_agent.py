"""The OpenAI Agents SDK, with the Responses API and with chat completions."""

from agents import (
    Agent,
    Model,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    RunConfig,
    Runner,
    SQLiteSession,
    Tool,
    function_tool,
    set_tracing_disabled,
)
from agents.extensions.tool_output_trimmer import ToolOutputTrimmer
from openai import AsyncOpenAI
from probing import Case, probe


def responses(case: Case) -> Model:
    client = AsyncOpenAI(base_url=case.base_url, api_key="none")
    return OpenAIResponsesModel(model=case.model, openai_client=client)


def chat(case: Case) -> Model:
    client = AsyncOpenAI(base_url=case.base_url, api_key="none")
    return OpenAIChatCompletionsModel(model=case.model, openai_client=client)


async def run(case: Case, model: Model, tool: Tool, config: RunConfig | None = None) -> None:
    agent = Agent(name="clerk", instructions="Help.", model=model, tools=[tool])
    session = SQLiteSession(case.tag)
    for prompt in case.prompts:
        result = await Runner.run(agent, prompt, session=session, run_config=config)
        case.answered(result.final_output)


async def by_responses(case: Case) -> None:
    await run(case, responses(case), function_tool(case.fetch_rows))


async def by_chat(case: Case) -> None:
    await run(case, chat(case), function_tool(case.fetch_rows))


async def trimmed(case: Case) -> None:
    config = RunConfig(call_model_input_filter=ToolOutputTrimmer())
    await run(case, responses(case), function_tool(case.fetch_rows), config)


async def fitted(case: Case) -> None:
    """Results and requests are kept to budgets by Ullage, which has to be installed beside it."""
    from ullage.integrate.openai_agents import Fitting, Ullage

    ullage = Ullage(Fitting(results=4_000, history=16_000))
    (tool,) = ullage.tools([function_tool(case.fetch_rows)])
    await run(case, responses(case), tool, ullage.run_config())


async def hand_over(case: Case) -> None:
    tools = [function_tool(case.fetch_rows)]
    researcher = Agent(name="researcher", model=responses(case), tools=tools)
    research = researcher.as_tool(tool_name="research", tool_description="Ask the researcher.")
    await run(case, responses(case), research)


if __name__ == "__main__":
    set_tracing_disabled(disabled=True)
    probe(default=by_responses, chat=by_chat, trimmer=trimmed, ullage=fitted, handoff=hand_over)
