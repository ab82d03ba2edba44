"""LangChain and LangGraph: every tool is run by `BaseTool.run` or `BaseTool.arun`.

`_format_output` is given the tool's own value; where it is not there, what it made of that counts.
"""

from collections.abc import Mapping

from ullage.tap.auto.blocks import as_blocks
from ullage.tap.auto.points import NOTHING, Arguments, Called, Framework, Glance, Point
from ullage.tap.calls import Call


def called(given: Arguments) -> Called:
    """Read a call; what the framework injects (its state, its store) is no argument."""
    tool, arguments = given["self"], given["tool_input"]
    if isinstance(arguments, Mapping):
        arguments = {name: value for name, value in arguments.items() if name in tool.args}
    return Called(tool=tool.name, arguments=arguments, call_id=given.get("tool_call_id"))


def value(result: object, call: Call, given: Arguments) -> object:
    """Return the tool's own value: as it was before it became a message, else that message's."""
    raw = call.raw[-1] if call.raw else result
    if is_command(raw):
        return in_command(raw, call.call_id)
    return as_blocks(getattr(raw, "content", raw))


def is_command(value: object) -> bool:
    """Whether a tool returned instructions to the graph, which hold its message."""
    return type(value).__name__ == "Command" and hasattr(value, "update")


def in_command(command: object, call_id: str | None) -> object:
    """Return the content of the message that answers a call."""
    update = getattr(command, "update", None)
    messages = update.get("messages") if isinstance(update, Mapping) else None
    for message in messages if isinstance(messages, list) else ():
        if call_id is not None and getattr(message, "tool_call_id", None) == call_id:
            return as_blocks(message.content)
    return NOTHING


FRAMEWORK = Framework(
    points=(
        Point(
            path="BaseTool.run", needs=("tool_input", "tool_call_id"), called=called, value=value
        ),
        Point(
            path="BaseTool.arun", needs=("tool_input", "tool_call_id"), called=called, value=value
        ),
    ),
    glances=(Glance(path="_format_output", parameter="content"),),
)
