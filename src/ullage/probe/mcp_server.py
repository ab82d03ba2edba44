"""An MCP server with one tool, `fetch_rows`, that returns what a probe looks for."""

from collections.abc import Callable, Iterator

from ullage.tap.mcp.server import Server, Tool

TOOL = "fetch_rows"

Fetch = Callable[[], str]
"""Returns the next payload; raises UllageError where there is none."""


def answers(line: bytes, fetch: Fetch) -> Iterator[bytes]:
    """Give the answers to a line of a client, each a line; a notification has none."""
    yield from server(fetch).answers(line)


def server(fetch: Fetch) -> Server:
    """Return the server."""
    tool = Tool(
        name=TOOL,
        description="Fetch the rows.",
        schema={"type": "object", "properties": {}},
        call=lambda _: fetch(),
    )
    return Server(name="ullage-probe", tools=(tool,))
