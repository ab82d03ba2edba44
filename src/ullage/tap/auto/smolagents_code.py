"""smolagents: what the code of a `CodeAgent` printed and gave, as the framework would write it.

Recorded only where it is not what a tool returned to the code: that is recorded as the tool's.
"""

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from ullage.tap.auto.points import NOTHING, Arguments, Called, Framework, Point
from ullage.tap.calls import UNDER_WAY, Call


def called(given: Arguments) -> Called:
    """Read a call: the code is its argument."""
    return Called(tool="python_interpreter", arguments={"code": given["code_action"]})


def value(result: object, call: Call, given: Arguments) -> object:
    """Return the observation before it is cut."""
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


FRAMEWORK = Framework(
    points=(
        Point(
            path="LocalPythonExecutor.__call__",
            needs=("code_action",),
            called=called,
            value=value,
        ),
    ),
    also=into_the_thread,
)
