"""OpenAI Agents SDK: every function tool is called by one function of `agents.tool`.

The package's name is a common word, so it is told by what it has from a program's own `agents`.
"""

from types import ModuleType

from ullage.tap.auto.blocks import as_blocks
from ullage.tap.auto.points import Arguments, Called, Framework, Point
from ullage.tap.calls import Call

OWN = ("FunctionTool", "FunctionToolResult", "default_tool_error_function")


def called(given: Arguments) -> Called:
    """Read a call; the arguments are the text that the model wrote."""
    return Called(
        tool=given["function_tool"].name,
        arguments=given["arguments"],
        call_id=given["context"].tool_call_id,
    )


def value(result: object, call: Call, given: Arguments) -> object:
    """Return the tool's own value."""
    return as_blocks(getattr(result, "output", result))


def is_it(module: ModuleType) -> bool:
    """Whether a module `agents.tool` is the SDK's."""
    return all(hasattr(module, name) for name in OWN)


FRAMEWORK = Framework(
    points=(
        Point(
            path="_invoke_function_tool_with_metadata",
            needs=("function_tool", "context", "arguments"),
            called=called,
            value=value,
        ),
    ),
    is_it=is_it,
)
