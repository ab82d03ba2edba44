"""smolagents: every tool is called by `Tool.__call__`, without the model's name for the call."""

from ullage.tap.auto.points import Arguments, Called, Framework, Point
from ullage.tap.calls import Call

FINAL_ANSWER = "final_answer"


def called(given: Arguments) -> Called | None:
    """Read a call; the tool that ends a run gives the model nothing."""
    tool = given["self"]
    if tool.name == FINAL_ANSWER:
        return None
    named = dict(given.get("kwargs", {}))
    positional = given.get("args", ())
    if positional:
        named |= dict(zip(tool.inputs, positional, strict=False))
    return Called(tool=tool.name, arguments=named)


def value(result: object, call: Call, given: Arguments) -> object:
    """Return the tool's own value: the framework puts it into a type of its own."""
    return getattr(result, "_value", result) if is_wrapped(result) else result


def is_wrapped(result: object) -> bool:
    """Whether a value is one of the framework's types (AgentText, AgentImage, AgentAudio)."""
    return any(one.__name__ == "AgentType" for one in type(result).__mro__)


FRAMEWORK = Framework(
    points=(
        Point(
            path="Tool.__call__",
            needs=("args", "sanitize_inputs_outputs", "kwargs"),
            called=called,
            value=value,
        ),
    )
)
