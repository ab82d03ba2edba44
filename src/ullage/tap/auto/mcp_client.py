"""The MCP client: every tool of a server is called by `ClientSession.call_tool`.

In an agent this happens inside a framework's call, and is that call's result.
"""

from ullage.tap.auto.blocks import as_blocks
from ullage.tap.auto.points import NOTHING, Arguments, Called, Framework, Point
from ullage.tap.calls import Call


def called(given: Arguments) -> Called:
    """Read a call."""
    return Called(tool=given["name"], arguments=given.get("arguments") or {})


def value(result: object, call: Call, given: Arguments) -> object:
    """Return the content that the server gave: its texts, or all of it where there is more."""
    content = getattr(result, "content", None)
    if content is None:
        return NOTHING  # the server asks for more before it answers
    if not content:
        return ""
    found = as_blocks(list(content))
    return found if isinstance(found, str) else [one.model_dump(mode="json") for one in content]


FRAMEWORK = Framework(
    points=(
        Point(
            path="ClientSession.call_tool",
            needs=("name", "arguments"),
            called=called,
            value=value,
            inner=True,
        ),
    )
)
