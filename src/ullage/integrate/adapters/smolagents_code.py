"""What runs the code of a smolagents `CodeAgent`: what the code shows is one result.

The framework cuts it twice: printed lines to 50,000 characters where the code runs, the value of
the last line to 20,000 in the agent. Nothing is cut before us: the first limit is lifted, and what
the second one gave is replaced in the step before anybody reads it.
"""

import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from smolagents.local_python_executor import CodeOutput, LocalPythonExecutor, PythonExecutor
from smolagents.utils import truncate_content

from ullage.integrate.adapters.adapter import Adapter
from ullage.integrate.adapters.results import json_or_printed, keep_handed_on, keep_produced
from ullage.tap.auto.smolagents import FINAL_ANSWER, shows
from ullage.tap.calls import UNDER_WAY, Call
from ullage.tap.environment import recording_to

INTERPRETER = "python_interpreter"
LOGS, LAST = "Execution logs:\n", "Last output from code snippet:\n"
LIMIT = "max_print_outputs_length"
PRINTED = "_print_outputs"


@dataclass(slots=True, kw_only=True)
class Ran:
    """Code that ran: its call, what it showed, and the calls of tools that it made.

    `output` is None where the code failed: what it had printed is shown all the same.
    """

    code: str
    call: Call = field(default_factory=Call)
    tools: Call = field(default_factory=Call)
    logs: str = ""
    output: CodeOutput | None = None


class FittedExecutor(PythonExecutor):  # type: ignore[misc]  # smolagents has no types
    """An executor whose tools are recorded; the agent sees the other's attributes."""

    def __init__(self, executor: Any, adapter: Adapter) -> None:
        self._executor, self._adapter = executor, adapter
        self._ran: Ran | None = None
        self._limit: int | None = getattr(executor, LIMIT, None)
        if self._limit is not None:
            setattr(executor, LIMIT, sys.maxsize)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # of a copy that is being made
            raise AttributeError(name)
        return getattr(self._executor, name)

    def __call__(self, code_action: str) -> CodeOutput:
        """Run code; what it shows is kept for the step."""
        self._ran = ran = Ran(code=code_action)
        with self._adapter.call(INTERPRETER) as call:
            ran.call = call
            try:
                ran.output = self._executor(code_action)
                ran.logs = ran.output.logs
            except Exception:
                ran.logs = str(getattr(self._executor, "state", {}).get(PRINTED, ""))
                raise
        return ran.output

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Hand tools to the code, recorded; code that runs elsewhere has them as they are."""
        if is_local(self._executor):
            tools = {name: self._recorded(name, tool) for name, tool in tools.items()}
        self._executor.send_tools(tools)

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        """Hand variables to the code."""
        self._executor.send_variables(variables)

    def observed(self, step: Any) -> None:
        """Put what is handed on into a step, in the place of what the framework made of it."""
        ran, self._ran = self._ran, None
        if ran is None or step.observations is None:
            return
        output = [] if ran.output is None else [cut_by_them(ran.output.output)]
        theirs = framed(ran.logs, *output)
        ours = self._handed_on(ran)
        # A callback of the user's that came first may have added to it.
        step.observations = step.observations.replace(theirs, ours, 1)

    def _handed_on(self, ran: Ran) -> str:
        """Record what code showed, and return what the model is to see of it."""
        texts = [ran.logs, *([] if ran.output is None else [json_or_printed(ran.output.output)])]
        if self._adapter.fitting.results is None:
            printed = truncate_content(ran.logs, self._limit or sys.maxsize)
            handed = [printed, *([] if ran.output is None else [cut_by_them(ran.output.output)])]
        else:
            arguments = {"code": ran.code}
            handed = list(self._adapter.cut(texts, tool=INTERPRETER, arguments=arguments).texts)
        if ran.output is None or not ran.output.is_final_answer:
            self._record(ran, texts, handed)
        return framed(*handed)

    def _record(self, ran: Ran, produced: Sequence[str], handed: Sequence[str]) -> None:
        """Record what was shown, as the result of the tool that returned it to the code, if one."""
        with recording_to(self._adapter.fitting.recording()):
            output = None if ran.output is None else ran.output.output
            if shows(ran.tools, ran.logs, output):
                keep_handed_on(ran.tools, handed[-1 if shows(ran.tools, "", output) else 0])
            elif any(produced):
                keep_produced(ran.call, {"code": ran.code}, framed(*produced))
                keep_handed_on(ran.call, framed(*handed))

    def _recorded(self, name: str, tool: Any) -> Callable[..., Any]:
        """Return what calls a tool in code; all of its result goes to the code."""
        if name == FINAL_ANSWER:
            return tool  # type: ignore[no-any-return]  # any tool can be called

        @functools.wraps(tool, updated=())
        def call_recorded(*args: Any, **kwargs: Any) -> Any:
            around = UNDER_WAY.get()
            with self._adapter.call(name) as call:
                value = tool(*args, **kwargs)
            if not self._adapter.is_own(name):
                with recording_to(self._adapter.fitting.recording()):
                    keep_produced(call, named(tool, args, kwargs), json_or_printed(value))
            # The code may run in a thread that knows of no call.
            if around is not None:
                around.inside.append(value)
            if self._ran is not None:
                self._ran.tools.inside.append(value)
                self._ran.tools.made.extend(call.made)
            return value

        return call_recorded


def is_local(executor: Any) -> bool:
    """Whether code runs in this process, where it can call any function."""
    return isinstance(executor, LocalPythonExecutor)


def named(tool: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call by their names."""
    return {**dict(zip(tool.inputs, args, strict=False)), **kwargs}


def framed(logs: str, *output: str) -> str:
    """Return what code showed as the framework tells it; code that failed has no output."""
    return "".join([LOGS, logs, *(f"{LAST}{one}" for one in output)])


def cut_by_them(output: object) -> str:
    """Return what the framework makes of the value of the last line."""
    return str(truncate_content(str(output)))
