"""smolagents: an agent that calls tools, and one that writes code."""

from probing import Case, probe
from smolagents import CodeAgent, MultiStepAgent, OpenAIServerModel, Tool, ToolCallingAgent, tool

QUIET = {"verbosity_level": 0, "max_steps": 4}


def model_of(case: Case) -> OpenAIServerModel:
    return OpenAIServerModel(case.model, api_base=case.base_url, api_key="none")


def tool_of(case: Case) -> Tool:
    @tool
    def fetch_rows() -> object:
        """Fetch the rows."""
        return case.fetch_rows()

    fetch_rows.output_type = "object"
    return fetch_rows


def run(case: Case, agent: MultiStepAgent) -> None:
    for number, prompt in enumerate(case.prompts):
        case.answered(agent.run(prompt, reset=number == 0))


def calling_tools(case: Case) -> None:
    run(case, ToolCallingAgent([tool_of(case)], model_of(case), **QUIET))


def writing_code(case: Case) -> None:
    run(case, CodeAgent([tool_of(case)], model_of(case), **QUIET))


def printing_all(case: Case) -> None:
    """What is printed may be as long as one likes; what a last expression gives may not."""
    run(case, CodeAgent([tool_of(case)], model_of(case), max_print_outputs_length=10**9, **QUIET))


def fitted(case: Case) -> None:
    """Results and requests are kept to budgets by Ullage, which has to be installed beside it."""
    from ullage.integrate.smolagents import Fitting, fit

    agent = ToolCallingAgent([tool_of(case)], model_of(case), **QUIET)
    run(case, fit(agent, Fitting(results=4_000, history=16_000)))


def hand_over(case: Case) -> None:
    researcher = ToolCallingAgent(
        [tool_of(case)],
        model_of(case),
        name="research",
        description="Fetches the rows and reports what they say.",
        **QUIET,
    )
    run(case, ToolCallingAgent([], model_of(case), managed_agents=[researcher], **QUIET))


if __name__ == "__main__":
    probe(
        default=calling_tools,
        code=writing_code,
        code_print=writing_code,
        code_print_all=printing_all,
        ullage=fitted,
        handoff=hand_over,
    )
