"""smolagents: tools, managed agents, and the code of a `CodeAgent`.

The model's name for a call stays outside of all three.
"""

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from ullage.tap.auto.points import NOTHING, Arguments, Called, Framework, Point
from ullage.tap.calls import UNDER_WAY, Call

FINAL_ANSWER = "final_answer"


def tool_called(given: Arguments) -> Called | None:
    """Read a call; the tool that ends a run gives the model nothing."""
    tool = given["self"]
    if tool.name == FINAL_ANSWER:
        return None
    named = dict(given.get("kwargs", {}))
    positional = given.get("args", ())
    if positional:
        named |= dict(zip(tool.inputs, positional, strict=False))
    return Called(tool=tool.name, arguments=named)


def tool_value(result: object, call: Call, given: Arguments) -> object:
    """Return the tool's own value: the framework puts it into a type of its own."""
    return getattr(result, "_value", result) if is_wrapped(result) else result


def is_wrapped(result: object) -> bool:
    """Whether a value is one of the framework's types (AgentText, AgentImage, AgentAudio)."""
    return any(one.__name__ == "AgentType" for one in type(result).__mro__)


def agent_called(given: Arguments) -> Called:
    """Read the call of a managed agent: its report is the result."""
    agent = given["self"]
    named = {"task": given["task"], **given.get("kwargs", {})}
    return Called(tool=agent.name or type(agent).__name__, arguments=named)


def code_called(given: Arguments) -> Called:
    """Read a call: the code is its argument."""
    return Called(tool="python_interpreter", arguments={"code": given["code_action"]})


def observation(result: object, call: Call, given: Arguments) -> object:
    """Return what the code printed and gave, as the framework would write it without its cut.

    Nothing where that is what a tool returned to the code: it is recorded as the tool's.
    """
    logs, output = getattr(result, "logs", ""), getattr(result, "output", None)
    if getattr(result, "is_final_answer", False) or shows(call, logs, output):
        return NOTHING
    return f"Execution logs:\n{logs}Last output from code snippet:\n{output}"


def shows(call: Call, logs: str, output: object) -> bool:
    """Whether what a tool returned to the code is what the code gave on."""
    for one in call.inside:
        text = str(one)
        if one is output or (text and (text in logs or text in str(output))):
            return True
    return False


def into_the_thread(module: ModuleType) -> None:
    """Tell the thread in which code runs against the clock which call it belongs to.

    Nothing else is carried over: the program's own context variables stay as they are.
    """
    timeout = getattr(module, "timeout", None)
    if not callable(timeout):
        return

    @functools.wraps(timeout)
    def with_call(*args: Any, **kwargs: Any) -> Callable[..., Any]:
        decorate = timeout(*args, **kwargs)

        @functools.wraps(decorate)
        def decorated(function: Callable[..., Any]) -> Any:
            return decorate(in_call(function, UNDER_WAY.get()))

        return decorated

    module.timeout = with_call  # type: ignore[attr-defined]  # any module has what is put into it


def in_call(function: Callable[..., Any], call: Call | None) -> Callable[..., Any]:
    """Return a function that runs as part of a call, in whatever thread."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        token = UNDER_WAY.set(call)
        try:
            return function(*args, **kwargs)
        finally:
            UNDER_WAY.reset(token)

    return run


TOOLS = Framework(
    points=(
        Point(
            path="Tool.__call__",
            needs=("args", "sanitize_inputs_outputs", "kwargs"),
            called=tool_called,
            value=tool_value,
        ),
    )
)
TEAM = Framework(
    points=(Point(path="MultiStepAgent.__call__", needs=("task",), called=agent_called),)
)
CODE = Framework(
    points=(
        Point(
            path="LocalPythonExecutor.__call__",
            needs=("code_action",),
            called=code_called,
            value=observation,
        ),
    ),
    also=into_the_thread,
)
