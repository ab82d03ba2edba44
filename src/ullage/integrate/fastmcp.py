"""FastMCP: a middleware of a server that records and cuts what its tools return.

    from ullage.integrate.fastmcp import Fitting, UllageMiddleware

    server.add_middleware(UllageMiddleware(Fitting(results=2_000)))

Add it last: the last one is the nearest to the tools, so that no other one cuts before it. For the
servers of the official `mcp` package there is `ullage.integrate.mcp`.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

try:
    from fastmcp.exceptions import NotFoundError
    from fastmcp.server.middleware import Middleware
    from fastmcp.tools import Tool
except ImportError as error:
    raise ImportError(
        f"ullage.integrate.fastmcp needs FastMCP: pip install 'ullage[fastmcp]' ({error})"
    ) from error
try:
    from fastmcp.tools import ToolResult
except ImportError:  # before FastMCP 3
    from fastmcp.tools.tool import ToolResult

from ullage.integrate.adapters.fitting import Fitting
from ullage.integrate.adapters.mcp_answers import (
    Answer,
    adapter_of,
    call_id_of,
    fitted,
    refuse_namesakes,
)

if TYPE_CHECKING:
    from fastmcp.server.middleware import MiddlewareContext

__all__ = ["Fitting", "UllageMiddleware"]


class UllageMiddleware(Middleware):  # type: ignore[misc]  # FastMCP is not there for mypy
    """Records what tools return, cuts it, and offers `recall` where the settings have a store.

    A server is never sent a history: raises ValueError where the settings have a budget for one.
    """

    def __init__(self, fitting: Fitting) -> None:
        self.adapter = adapter_of(fitting)
        self._own = {
            one.name: Tool.from_function(
                one.function, name=one.name, description=one.description, output_schema=None
            )
            for one in self.adapter.own_tools()
        }

    async def on_list_tools(
        self,
        context: "MiddlewareContext[Any]",
        call_next: Callable[["MiddlewareContext[Any]"], Awaitable[Sequence[Any]]],
    ) -> Sequence[Any]:
        """List Ullage's own tools behind the server's. Raises ValueError for two of one name."""
        tools = await call_next(context)
        refuse_namesakes(self.adapter, [one.name for one in tools])
        return [*tools, *self._own.values()]

    async def on_call_tool(
        self,
        context: "MiddlewareContext[Any]",
        call_next: Callable[["MiddlewareContext[Any]"], Awaitable[Any]],
    ) -> Any:
        """Record a result as the tool made it, and hand on what fits its budget."""
        name, arguments = context.message.name, context.message.arguments or {}
        if name in self._own:
            return await self._own[name].run(arguments)
        with self.adapter.call(name, call_id_of(context.fastmcp_context)) as call:
            result = await call_next(context)
        # A task that was started, or a question to the client: the result comes later.
        if not isinstance(result, ToolResult) or hasattr(result, "input_required"):
            return result
        given = Answer(content=result.content, structured=result.structured_content)
        schema = None if given.structured is None else await schema_of(context, name)
        done = fitted(self.adapter, call, arguments, given, schema)
        return result if done is given else remade(result, done)


async def schema_of(context: "MiddlewareContext[Any]", name: str) -> Mapping[str, Any] | None:
    """Return what a tool declares that its structured content is."""
    try:
        tool = await context.fastmcp_context.fastmcp.get_tool(name)
    except NotFoundError:  # one that another middleware answers for
        return None
    return getattr(tool, "output_schema", None)


def remade(result: Any, done: Answer) -> Any:
    """Return a result with another content; what it says of itself stays."""
    kept = {one: getattr(result, one) for one in ("meta", "is_error") if hasattr(result, one)}
    return ToolResult(content=list(done.content), structured_content=done.structured, **kept)
