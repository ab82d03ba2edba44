"""Agno: an agent or a team whose results are cut and whose requests are shortened.

    from ullage.integrate.agno import Fitting, fit

    agent = fit(Agent(model=model, tools=tools), Fitting(results=2_000, history=32_000))

Sync, async and streamed runs alike. All of it happens in a copy of the agent's model, where the
framework calls tools and sends requests.
"""

import copy
import inspect
import logging
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

try:
    from agno.models.base import Model
    from agno.models.utils import get_model
    from agno.tools.function import Function, FunctionCall, ToolResult
except ImportError as error:
    raise ImportError(
        f"ullage.integrate.agno needs Agno: pip install 'ullage[agno]' ({error})"
    ) from error
from pydantic import BaseModel

from ullage.integrate.adapters.adapter import Adapter
from ullage.integrate.adapters.agno_messages import KIND, as_chat, as_messages
from ullage.integrate.adapters.entries import Fitted
from ullage.integrate.adapters.fitting import Fitting
from ullage.integrate.adapters.raised import Said, raise_to_warning
from ullage.integrate.adapters.results import json_or_printed, keep_produced
from ullage.tap.calls import Call
from ullage.tap.environment import recording_to

__all__ = ["Fitting", "fit"]

A = TypeVar("A")
LINES = (
    *("Token limit hit: ", "Tool count limit hit: ", "Compaction: token count "),
    *("Compacting conversation history", "Auto-compacting conversation history", "Compacted "),
)
TRIMS = tuple(Said(logger=name, begins=LINES, level=logging.INFO) for name in ("agno", "agno-team"))
LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
"""What models call the room for the reply."""


def fit(agent: A, fitting: Fitting) -> A:
    """Have an agent or a team cut and record results, and shorten what its model is sent.

    The members of a team are fitted too, each for itself, but for those that are already. A
    session keeps every message. A run fails with HistoryError where a history cannot be brought
    into its budget. Raises ValueError for one that is fitted, or has no model yet.
    """
    fitted: Any = agent
    model = get_model(fitted.model) if isinstance(fitted.model, str) else fitted.model
    if model is None:
        raise ValueError("give the agent its model before fit(): the default one comes later")
    if isinstance(model, FittedModel):
        raise ValueError(  # noqa: TRY004  # it is of the right type, once
            "this agent is fitted already: fit() is called once for each agent"
        )
    adapter = Adapter(fitting)
    for one in adapter.own_tools():
        fitted.add_tool(
            Function(
                name=one.name,
                description=one.description,
                parameters=dict(one.parameters),
                entrypoint=one.function,
                skip_entrypoint_processing=True,
            )
        )
    fitted.model = fitted_model(model, adapter)
    for said in TRIMS:
        raise_to_warning(said)
    members = getattr(fitted, "members", None)
    for member in members if isinstance(members, list) else ():
        if getattr(member, "model", None) is not None and not isinstance(member.model, FittedModel):
            fit(member, fitting)
    return agent


class FittedModel(Model):  # type: ignore[misc]  # Agno is not there for mypy
    """What stands in front of a model's own class: its requests are shortened, results cut."""

    ullage: ClassVar[Adapter]

    def invoke(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
        """Send what fits the budget of the history."""
        return super().invoke(*args, messages=self._sent(messages, kwargs), **kwargs)

    async def ainvoke(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
        """Do the same to a model that is awaited."""
        sent = await self._sent_async(messages, kwargs)
        return await super().ainvoke(*args, messages=sent, **kwargs)

    def invoke_stream(self, messages: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
        """Do the same to a reply in pieces."""
        yield from super().invoke_stream(*args, messages=self._sent(messages, kwargs), **kwargs)

    async def ainvoke_stream(self, messages: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        """Do the same to a reply in pieces that are awaited."""
        sent = await self._sent_async(messages, kwargs)
        async for one in super().ainvoke_stream(*args, messages=sent, **kwargs):
            yield one

    def run_function_call(self, function_call: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
        """Stand around a call of a tool."""
        around(self.ullage, function_call, is_async=False)
        yield from super().run_function_call(function_call, *args, **kwargs)

    async def arun_function_call(self, function_call: Any) -> Any:
        """Do the same to one that may be awaited."""
        around(self.ullage, function_call, is_async=is_async(function_call.function))
        return await super().arun_function_call(function_call)

    def create_function_call_result(
        self, function_call: Any, success: Any, output: Any = None, *args: Any, **kwargs: Any
    ) -> Any:
        """Make the message of a result of what fits its budget."""
        if success:
            output = handed_on(self.ullage, function_call, output)
        return super().create_function_call_result(function_call, success, output, *args, **kwargs)

    def _sent(self, messages: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        given, document = self._read(messages, kwargs)
        fitted = None if document is None else self.ullage.history(document)
        return sent_of(given, document, fitted)

    async def _sent_async(self, messages: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        given, document = self._read(messages, kwargs)
        fitted = None if document is None else await self.ullage.history_async(document)
        return sent_of(given, document, fitted)

    def _read(
        self, messages: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[list[Any], dict[str, Any] | None]:
        """Return the messages of a request with what is handed on, and what is measured of it.

        What the framework asks the same model beside the agent's run is no request of the agent's:
        summaries of a session, memories, compressed results.
        """
        if kwargs.get("run_response") is None:
            return list(messages), None
        given = self.ullage.carried.among(messages, KIND)
        chat = as_chat(given, compressed=bool(kwargs.get("compress_tool_results")))
        document: dict[str, Any] = {
            "messages": self.ullage.carried.marked(chat),
            "tools": kwargs.get("tools") or [],
        }
        limits = (getattr(self, name, None) for name in LIMITS)
        limit = next((one for one in limits if isinstance(one, int)), None)
        return given, document if limit is None else {**document, "max_tokens": limit}


def fitted_model(model: Model, adapter: Adapter) -> Model:
    """Return a copy of a model whose class is made of ours and its own, and has that one's name."""
    made = copy.copy(model)
    own = type(model)
    members = {"ullage": adapter, "__module__": own.__module__, "__doc__": own.__doc__}
    made.__class__ = type(own.__name__, (FittedModel, own), members)
    return made


def sent_of(
    given: list[Any], document: Mapping[str, Any] | None, fitted: Fitted | None
) -> list[Any]:
    """Return the messages to send."""
    if document is None or fitted is None:
        return given
    return as_messages(given, document["messages"], fitted.entries)


class Around:
    """A hook of the framework's, the nearest one to a tool, for one call."""

    def __init__(self, adapter: Adapter, function_call: FunctionCall) -> None:
        self.adapter, self.name = adapter, function_call.function.name
        self.call = Call(call_id=function_call.call_id, tool=self.name)

    def hook(self, func: Any, args: Mapping[str, Any]) -> Any:
        """Call a tool, and record what it returned."""
        with self.adapter.call(self.name, self.call.call_id) as self.call:
            value = func(**args)
        return self._recorded(args, value)

    async def hook_async(self, func: Any, args: Mapping[str, Any]) -> Any:
        """Do the same to a tool that is awaited."""
        with self.adapter.call(self.name, self.call.call_id) as self.call:
            value = func(**args)
            value = await value if inspect.isawaitable(value) else value
        return self._recorded(args, value)

    def _recorded(self, args: Mapping[str, Any], value: Any) -> Any:
        if not comes_in_pieces(value) and not self.adapter.is_own(self.name):
            with recording_to(self.adapter.fitting.recording()):
                keep_produced(self.call, args, text_of(value))
        return value


def around(adapter: Adapter, function_call: FunctionCall, *, is_async: bool) -> None:
    """Stand around a call, inside of all hooks; the function itself is other calls' as well."""
    stands = Around(adapter, function_call)
    hook = stands.hook_async if is_async else stands.hook
    function = function_call.function
    function_call.function = copy.copy(function)
    function_call.function.tool_hooks = [*(function.tool_hooks or ()), hook]


def is_async(function: Function) -> bool:
    """Whether the framework will await a call."""
    points = (function.entrypoint, *(function.tool_hooks or ()))
    return any(map(inspect.iscoroutinefunction, points)) or inspect.isasyncgenfunction(
        function.entrypoint
    )


def comes_in_pieces(value: object) -> bool:
    """Whether a tool yields its result, as a team's member does."""
    return isinstance(value, Iterator | AsyncIterator)


def text_of(value: Any) -> str:
    """Return a value as text: models, objects and lists as JSON."""
    if isinstance(value, ToolResult):
        return str(value.content)
    return json_or_printed(value.model_dump(mode="json") if isinstance(value, BaseModel) else value)


def handed_on(adapter: Adapter, function_call: FunctionCall, output: Any) -> Any:
    """Return what the model is to get of what the framework made of a tool's value.

    A result that ends the run is the answer, and stays. One that the framework has put aside, to
    be read back, is what it left in the place of it.
    """
    hooks = function_call.function.tool_hooks or [None]
    stands = getattr(hooks[-1], "__self__", None)
    if not isinstance(stands, Around) or function_call.function.stop_after_tool_call:
        return output
    value = function_call.result
    text = str(output)
    if not comes_in_pieces(value) and text == printed(value):
        text = text_of(value)
    handed = adapter.texts(stands.call, function_call.arguments, [text])
    return handed.text


def printed(value: Any) -> str:
    """Return a value as the framework writes it."""
    return str(value.content if isinstance(value, ToolResult) else value)
