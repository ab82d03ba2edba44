"""An ordinary smolagents program with one tool, in four variants.

Run under `ullage run`. Nothing here knows about the proxy: the OpenAI client reads OPENAI_BASE_URL.
The two lines that belong to Ullage are `@record_tool` on the function that makes the result, and,
in the last variant, `cut`.
"""

import sys
from collections.abc import Callable

from containers import make_listing
from smolagents import CodeAgent, OpenAIServerModel, ToolCallingAgent, tool

from ullage import chars, cut, handed_on, record_tool

BUDGET = 6_000
TASK = "Which container explains the slow requests?"


@record_tool
def fetch(seed: int) -> str:
    """Return the container listing as JSON, as the runtime's API would."""
    return make_listing(seed).text


def sliced(listing: str) -> str:
    """Slice, as many agents do."""
    return listing[:BUDGET]


def whole(listing: str) -> str:
    """Hand on everything; what the framework does then is its own affair."""
    return listing


def by_record(listing: str) -> str:
    """Cut by records: the fix, in one call."""
    return cut(listing, chars(BUDGET)).text


VARIANTS: dict[str, tuple[type, Callable[[str], str]]] = {
    "slice": (ToolCallingAgent, sliced),
    "code-agent": (CodeAgent, whole),
    "everything": (ToolCallingAgent, whole),
    "ullage": (ToolCallingAgent, by_record),
}


def main(variant: str, seed: int) -> None:
    """Run the agent once."""
    agent_class, shorten = VARIANTS[variant]

    @tool
    def list_containers() -> str:
        """List the containers of this deployment as JSON: early_list and late_list."""
        return handed_on(shorten(fetch(seed)))

    agent = agent_class(
        tools=[list_containers],
        model=OpenAIServerModel(model_id="gpt-4o", api_key="none"),
        verbosity_level=0,
    )
    agent.run(TASK)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
