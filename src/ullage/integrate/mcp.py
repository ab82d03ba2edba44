"""Servers of the official `mcp` package: what their tools return is recorded and cut.

    from ullage.integrate.mcp import Fitting, fit

    server = fit(MCPServer("clerk"), Fitting(results=2_000))

For `MCPServer` of mcp 2 and `FastMCP` of mcp 1. Neither has a place for this that both document, so
it stands where they call a tool by its name, which is the same in both.
"""

import functools
import inspect
from collections.abc import Sequence
from typing import Any, TypeVar

from ullage.integrate.adapters.adapter import Adapter
from ullage.integrate.adapters.fitting import Fitting
from ullage.integrate.adapters.mcp_answers import (
    Answer,
    adapter_of,
    call_id_of,
    fitted,
    refuse_namesakes,
)
from ullage.tap.calls import Call

__all__ = ["Fitting", "fit"]

S = TypeVar("S")


def fit(server: S, fitting: Fitting) -> S:
    """Have a server record and cut what its tools return; return it.

    Its tools may be added before or after. Where the settings have a store, it is given the tool
    `recall`. Raises TypeError for what is no such server; ValueError for one that is fitted, for
    settings with a budget of a history, which no server is sent, and for a tool named like ours.
    """
    given: Any = server
    manager: Any = getattr(given, "_tool_manager", None)
    if not callable(getattr(manager, "call_tool", None)):
        raise TypeError(
            f"fit takes MCPServer of mcp 2 or FastMCP of mcp 1, got {type(server).__name__}; for "
            "FastMCP's own package there is ullage.integrate.fastmcp, for all others `ullage tap`"
        )
    if hasattr(manager, "ullage_adapter"):
        raise ValueError("this server is fitted already: fit() is called once for each server")
    adapter = adapter_of(fitting)
    refuse_namesakes(adapter, [one.name for one in manager.list_tools()])
    for one in adapter.own_tools():
        given.add_tool(
            one.function, name=one.name, description=one.description, structured_output=False
        )
    manager.call_tool = around(adapter, manager)
    manager.ullage_adapter = adapter
    return server


def around(adapter: Adapter, manager: Any) -> Any:
    """Return what calls a tool of a server, its result recorded and cut."""
    call_tool = manager.call_tool
    signature = inspect.signature(call_tool)

    @functools.wraps(call_tool)
    async def call_fitted(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs).arguments
        name, arguments = given["name"], given["arguments"]
        with adapter.call(name, call_id_of(given.get("context"))) as call:
            made = await call_tool(*args, **kwargs)
        if not given.get("convert_result"):  # a value of Python's, which no client is sent
            return made
        schema = getattr(manager.get_tool(name), "output_schema", None)
        return handed_on(adapter, call, arguments, made, schema)

    return call_fitted


def handed_on(adapter: Adapter, call: Call, arguments: object, made: Any, schema: Any) -> Any:
    """Return what a tool's call gave, in the shape in which the server's package gave it."""
    if isinstance(made, tuple):  # mcp 1: content, and what it structures
        content, structured = made
        given = Answer(content=content, structured=structured)
        done = fitted(adapter, call, arguments, given, schema)
        return list(done.content), done.structured
    if isinstance(made, Sequence):  # mcp 1: content alone
        given = Answer(content=made, structured=None)
        return list(fitted(adapter, call, arguments, given, None).content)
    if not hasattr(made, "content"):  # a question to the client: the result comes later
        return made
    name = "structured_content" if hasattr(made, "structured_content") else "structuredContent"
    given = Answer(content=made.content, structured=getattr(made, name))
    done = fitted(adapter, call, arguments, given, schema)
    if done is given:
        return made
    return made.model_copy(update={"content": list(done.content), name: done.structured})
