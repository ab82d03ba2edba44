"""LlamaIndex: an agent or a workflow of agents whose results are cut, and requests shortened.

    from ullage.integrate.llama_index import Fitting, fit

    agent = fit(FunctionAgent(tools=tools, llm=llm), Fitting(results=2_000, history=32_000))

Streamed or not. The agent's tools and its model become copies of the same classes: the one cuts
what it returns, the other shortens what it is sent. The memory's own limit is lifted.
"""

import copy
import functools
from collections.abc import Callable
from typing import Any, TypeVar

try:
    from llama_index.core.agent.workflow import AgentWorkflow
    from llama_index.core.agent.workflow.base_agent import BaseWorkflowAgent
    from llama_index.core.memory import BaseMemory, ChatMemoryBuffer
    from llama_index.core.tools import FunctionTool
except ImportError as error:
    raise ImportError(
        "ullage.integrate.llama_index needs LlamaIndex: "
        f"pip install 'ullage[llama-index]' ({error})"
    ) from error

from ullage.integrate.adapters.adapter import Adapter
from ullage.integrate.adapters.fitting import Fitting
from ullage.integrate.adapters.llama_index_model import fitted_model
from ullage.integrate.adapters.llama_index_tools import (
    CALL_ID,
    FittedRetriever,
    fitted_tool,
    own_tool,
)

__all__ = ["Fitting", "fit"]

A = TypeVar("A")
NO_LIMIT = 10**12
"""The tokens of a memory that keeps every message."""


def fit(agent: A, fitting: Fitting) -> A:
    """Have an agent or a workflow of agents cut and record results, and shorten its requests.

    The agents of a workflow are fitted too, but for those that are already. The memory of a run
    keeps every message: where `history` is set, its own limit does not count. A run raises
    HistoryError where a history cannot be brought into its budget. Raises ValueError for one that
    is fitted, or that has a tool of the name of one of Ullage's.
    """
    if isinstance(agent, FittedFlow):
        raise ValueError(  # noqa: TRY004  # it is of the right type, once
            "this agent is fitted already: fit() is called once for each agent"
        )
    adapter = Adapter(fitting)
    members = agent.agents.values() if isinstance(agent, AgentWorkflow) else [agent]
    for member in members:
        if not isinstance(member, FittedFlow):
            fit_agent(member, adapter)
    if isinstance(agent, AgentWorkflow):
        agent.__class__ = fitted_flow(type(agent), fitting)
    return agent


def fit_agent(agent: Any, adapter: Adapter) -> None:
    """Fit one agent. Raises ValueError, TypeError."""
    if not isinstance(agent, BaseWorkflowAgent):
        raise TypeError(f"fit() takes an agent or an AgentWorkflow, not a {type(agent).__name__}")
    tools = [tool_of(one) for one in agent.tools or ()]
    own = adapter.own_tools()
    for name in {one.name for one in own} & {one.metadata.name for one in tools}:
        raise ValueError(f"the agent has a tool {name!r} already: rename it")
    agent.tools = [*(fitted_tool(one, adapter) for one in tools), *map(own_tool, own)]
    if agent.tool_retriever is not None:
        agent.tool_retriever = FittedRetriever(agent.tool_retriever, adapter)
    agent.llm = fitted_model(agent.llm, adapter)
    agent.__class__ = fitted_flow(type(agent), adapter.fitting)


def tool_of(tool: Any) -> Any:
    """Return a tool; the framework makes one of a function only where it is given at first."""
    return tool if hasattr(tool, "metadata") else FunctionTool.from_defaults(tool)


class FittedFlow:
    """What stands in front of the class of an agent or a workflow that is fitted."""


def fitted_flow(own: Any, fitting: Fitting) -> Any:
    """Return the class of a workflow with two of its steps wrapped; it has the same name."""
    members = {
        "__module__": own.__module__,
        "__qualname__": own.__qualname__,
        "__doc__": own.__doc__,
        "init_run": with_room(own.init_run, fitting),
        "call_tool": with_name(own.call_tool),
    }
    return type(own)(own.__name__, (FittedFlow, own), members)


def with_room(begin: Callable[..., Any], fitting: Fitting) -> Callable[..., Any]:
    """Return the step that begins a run, with a memory that drops nothing."""

    @functools.wraps(begin)
    async def init_run(self: Any, ctx: Any, ev: Any) -> Any:
        if fitting.history is not None:
            kept = await ctx.store.get("memory", default=None) or ev.get("memory", default=None)
            await ctx.store.set("memory", roomy(kept))
        return await begin(self, ctx, ev)

    return init_run


def with_name(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return the step that calls a tool; the tool is told the model's name for the call."""

    @functools.wraps(call)
    async def call_tool(self: Any, ctx: Any, ev: Any) -> Any:
        token = CALL_ID.set(ev.tool_id)
        try:
            return await call(self, ctx, ev)
        finally:
            CALL_ID.reset(token)

    return call_tool


def roomy(memory: BaseMemory | None) -> BaseMemory:
    """Return a memory over the same store whose limit nothing reaches; a new one for None.

    One with blocks stays as it is: what leaves its history is what those are given.
    """
    if memory is None:
        return ChatMemoryBuffer.from_defaults(token_limit=NO_LIMIT)
    limited = isinstance(getattr(memory, "token_limit", None), int)
    if not limited or getattr(memory, "memory_blocks", None):
        return memory
    made = copy.copy(memory)
    made.token_limit = NO_LIMIT
    return made
