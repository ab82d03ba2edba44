"""pydantic-ai: every function tool, from whatever toolset, is called by `ToolManager`.

Taken before the hooks that run after a tool: some of them shorten its result.
"""

import sys
from typing import Any

from ullage.tap.auto.points import Arguments, Called, Framework, Point
from ullage.tap.calls import Call


def called(given: Arguments) -> Called:
    """Read a call."""
    validated = given["validated"]
    return Called(
        tool=validated.call.tool_name,
        arguments=validated.validated_args,
        call_id=validated.call.tool_call_id,
    )


def value(result: object, call: Call, given: Arguments) -> object:
    """Return the tool's own value; models and dataclasses as the JSON that the framework makes."""
    inner = getattr(result, "return_value", result)  # of a ToolReturn
    if isinstance(inner, str | bytes):
        return inner
    to_json: Any = getattr(sys.modules.get("pydantic_core"), "to_jsonable_python", None)
    return inner if to_json is None else to_json(inner)


FRAMEWORK = Framework(
    points=(
        Point(path="ToolManager._raw_execute", needs=("validated",), called=called, value=value),
    )
)
