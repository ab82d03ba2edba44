"""An ordinary smolagents program with nothing of Ullage in it: `ullage run` records it as it is."""

from containers import make_listing
from smolagents import CodeAgent, OpenAIServerModel, tool


@tool
def list_containers() -> str:
    """List the containers of this deployment as JSON: early_list and late_list."""
    return make_listing(7).text


agent = CodeAgent(
    tools=[list_containers],
    model=OpenAIServerModel(model_id="gpt-4o", api_key="none"),
    verbosity_level=0,
)
agent.run("Which container explains the slow requests?")
