"""LlamaIndex: `FunctionTool.call` and `.acall`; the agents around them know the call's id."""

from ullage.tap.auto.points import NOTHING, Arguments, Called, Framework, Point
from ullage.tap.calls import Call


def tool_called(given: Arguments) -> Called:
    """Read a call; the framework's context is no argument."""
    tool = given["self"]
    named = {
        name: value
        for name, value in given.get("kwargs", {}).items()
        if name != getattr(tool, "ctx_param_name", None)
    }
    positional = given.get("args", ())
    return Called(
        tool=tool.metadata.get_name(),
        arguments={**named, **({"args": list(positional)} if positional else {})},
    )


def value(result: object, call: Call, given: Arguments) -> object:
    """Return the tool's own value."""
    return getattr(result, "raw_output", result)


def step_called(given: Arguments) -> Called:
    """Read a step of an agent that calls a tool."""
    event = given["ev"]
    return Called(tool=event.tool_name, arguments=event.tool_kwargs, call_id=event.tool_id)


def step_value(result: object, call: Call, given: Arguments) -> object:
    """Return the own value of a tool of any kind."""
    return getattr(getattr(result, "tool_output", None), "raw_output", NOTHING)


TOOLS = Framework(
    points=(
        Point(path="FunctionTool.call", needs=("args", "kwargs"), called=tool_called, value=value),
        Point(path="FunctionTool.acall", needs=("args", "kwargs"), called=tool_called, value=value),
    )
)
AGENT = Framework(
    points=(
        Point(
            path="BaseWorkflowAgent.call_tool",
            needs=("ev",),
            called=step_called,
            value=step_value,
            names_inner=True,
        ),
    )
)
TEAM = Framework(
    points=(
        Point(
            path="AgentWorkflow.call_tool",
            needs=("ev",),
            called=step_called,
            value=step_value,
            names_inner=True,
        ),
    )
)
