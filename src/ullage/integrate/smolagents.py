"""smolagents: an agent whose results are cut and whose requests are shortened.

    from ullage.integrate.smolagents import Fitting, fit

    agent = fit(ToolCallingAgent(tools, model), Fitting(results=2_000, history=32_000))

For a `CodeAgent` too: what the code prints and gives is one result, while the code itself computes
with all that a tool returned.
"""

import copy
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MethodType
from typing import Any, TypeVar

try:
    from smolagents import Tool
    from smolagents.agent_types import AgentAudio, AgentImage
    from smolagents.memory import ActionStep
    from smolagents.models import ChatMessage, get_tool_json_schema
except ImportError as error:
    raise ImportError(
        f"ullage.integrate.smolagents needs smolagents: pip install 'ullage[smolagents]' ({error})"
    ) from error

from ullage.integrate.adapters.adapter import Adapter, OwnTool
from ullage.integrate.adapters.fitting import Fitting
from ullage.integrate.adapters.results import json_or_printed
from ullage.integrate.adapters.smolagents_code import FittedExecutor, is_local
from ullage.integrate.adapters.smolagents_messages import KIND, as_chat, as_messages
from ullage.tap.auto.smolagents import FINAL_ANSWER

__all__ = ["Fitting", "fit"]

A = TypeVar("A")
FITTED = "ullage_adapter"
"""Where an agent keeps its adapter: what is fitted already is not fitted again."""


def fit(agent: A, fitting: Fitting) -> A:
    """Have an agent cut and record results, and shorten what its model is sent; return it.

    The agents that it manages are fitted too, each for itself, but for those that are already. Its
    memory keeps every step. Where a history cannot be brought into its budget, the run raises
    AgentGenerationError, caused by a HistoryError. Raises ValueError for an agent that is fitted,
    that has a tool of the name of one of Ullage's, or whose code runs where that cannot be called.
    """
    fitted: Any = agent
    if hasattr(fitted, FITTED):
        raise ValueError("this agent is fitted already: fit() is called once for each agent")
    adapter = Adapter(fitting)
    add_own_tools(fitted, adapter)
    if hasattr(fitted, "execute_tool_call"):
        fitted.execute_tool_call = around_tools(adapter, fitted.execute_tool_call)
    if getattr(fitted, "python_executor", None) is not None:
        fitted.python_executor = FittedExecutor(fitted.python_executor, adapter)
        fitted.step_callbacks.register(ActionStep, fitted.python_executor.observed)
    fitted.model = fitted_model(fitted.model, adapter)
    setattr(fitted, FITTED, adapter)
    for managed in fitted.managed_agents.values():
        if not hasattr(managed, FITTED):
            fit(managed, fitting)
    return agent


class FittedTool(Tool):  # type: ignore[misc]  # smolagents has no types
    """A tool of Ullage's as one of the framework's."""

    skip_forward_signature_validation = True

    def __init__(self, own: OwnTool) -> None:
        self.name, self.description, self.output_type = own.name, own.description, "string"
        self.inputs = dict(inputs_of(own.parameters))
        self._function = own.function
        super().__init__()

    def forward(self, *args: Any, **kwargs: Any) -> str:
        """Answer a call."""
        return self._function(*args, **kwargs)


def inputs_of(parameters: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the parameters of a tool as the framework describes them."""
    for name, told in parameters["properties"].items():
        yield name, {**told} if name in parameters["required"] else {**told, "nullable": True}


def add_own_tools(agent: Any, adapter: Adapter) -> None:
    """Give an agent the tools that the settings ask for. Raises ValueError."""
    own = adapter.own_tools()
    executor = getattr(agent, "python_executor", None)
    if own and executor is not None and not is_local(executor):
        raise ValueError(
            f"{own[0].name} cannot be called by code in a {type(executor).__name__}: leave out "
            "store and handoff, or run the code locally"
        )
    for one in own:
        if one.name in agent.tools or one.name in agent.managed_agents:
            raise ValueError(f"the agent has a tool {one.name!r} already: rename it")
        agent.tools[one.name] = FittedTool(one)


def around_tools(adapter: Adapter, execute: Callable[..., Any]) -> Callable[..., Any]:
    """Return what calls a tool or a managed agent, its result recorded and cut.

    The tool that ends a run gives the model nothing.
    """

    @functools.wraps(execute)
    def execute_fitted(tool_name: str, arguments: Any) -> Any:
        if tool_name == FINAL_ANSWER:
            return execute(tool_name, arguments)
        # The framework knows the model's name for the call, and tells it to nobody.
        with adapter.call(tool_name) as call:
            value = execute(tool_name, arguments)
        if isinstance(value, AgentImage | AgentAudio):
            return value
        text = json_or_printed(value)
        handed = adapter.texts(call, arguments, [text])
        return value if not handed.cut and text == str(value) else handed.text

    return execute_fitted


def fitted_model(model: Any, adapter: Adapter) -> Any:
    """Return a copy of a model that is sent what fits the budget; other agents may share its own.

    It is of the same class: the framework saves an agent with the name of that.
    """
    made = copy.copy(model)
    for name in ("generate", "generate_stream"):
        ask = getattr(model, name, None)
        if callable(ask):
            own = MethodType(ask.__func__, made) if isinstance(ask, MethodType) else ask
            setattr(made, name, around_model(adapter, made, own))
    return made


def around_model(adapter: Adapter, model: Any, ask: Callable[..., Any]) -> Callable[..., Any]:
    """Return what asks a model, with a shorter request."""

    @functools.wraps(ask)
    def ask_fitted(messages: Sequence[ChatMessage], *args: Any, **kwargs: Any) -> Any:
        limits = {**kwargs, **(getattr(model, "kwargs", None) or {})}
        tools = kwargs.get("tools_to_call_from") or ()
        return ask(sent_of(adapter, messages, tools, limits.get("max_tokens")), *args, **kwargs)

    return ask_fitted


def sent_of(
    adapter: Adapter, messages: Sequence[ChatMessage], tools: Sequence[Any], limit: Any
) -> list[ChatMessage]:
    """Return the messages to send: what is handed on among them, and what fits the budget."""
    given = adapter.carried.among(messages, KIND)
    chat = as_chat(given)
    document: dict[str, Any] = {
        "messages": adapter.carried.marked(chat.messages),
        "tools": [get_tool_json_schema(one) for one in tools],
    }
    fitted = adapter.history(
        {**document, "max_tokens": limit} if isinstance(limit, int) else document
    )
    return given if fitted is None else as_messages(given, chat, fitted.entries)
