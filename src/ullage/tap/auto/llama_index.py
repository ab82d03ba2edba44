"""LlamaIndex: `FunctionTool.call` and `.acall`, without the model's name for the call."""

from ullage.tap.auto.points import Arguments, Called, Framework, Point
from ullage.tap.calls import Call


def called(given: Arguments) -> Called:
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


FRAMEWORK = Framework(
    points=(
        Point(path="FunctionTool.call", needs=("args", "kwargs"), called=called, value=value),
        Point(path="FunctionTool.acall", needs=("args", "kwargs"), called=called, value=value),
    )
)
