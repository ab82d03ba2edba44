"""What an MCP server returned over HTTP, from recorded exchanges. Pure.

Streamable HTTP (2025-03-26 and later): a POST whose reply is JSON or a stream of events; a stream
that broke off is gone on with by a GET. HTTP+SSE (2024-11-05): a POST is answered by 202, and the
reply comes on a GET that stays open, so it is known when that one ends.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from ullage.tap.mcp.calls import Calls
from ullage.tap.mcp.messages import Message, NotJsonRpcError, messages
from ullage.tap.mcp.results import Produced
from ullage.wire.events import events

SESSION = "mcp-session-id"
SESSION_IN_QUERY = ("session_id", "sessionId", "sessionid")
MOST_SESSIONS = 1000
"""Sessions whose open calls are remembered; past that the one unused for longest is forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpExchange:
    """One request and its reply; bodies are decoded, header names in lower case."""

    run: str
    method: str
    path: str
    request_headers: Mapping[str, str]
    request_body: bytes
    response_headers: Mapping[str, str]
    response_body: bytes


class HttpCalls:
    """Pairs calls with results over the exchanges of many sessions."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[tuple[str, str], Calls] = OrderedDict()

    def is_worth_a_look(self, method: str, body: bytes) -> bool:
        """Say at once that an exchange is no MCP, as nearly all of a model API are."""
        if method == "GET":
            return bool(self._sessions)
        return method == "POST" and b'"jsonrpc"' in body

    def take(self, exchange: HttpExchange) -> list[Produced]:
        """Return the results that an exchange gave; none where it is no MCP."""
        asked = list(said(exchange.request_body)) if exchange.method == "POST" else []
        streamed = "text/event-stream" in exchange.response_headers.get("content-type", "")
        if not asked and not (exchange.method == "GET" and streamed):
            return []
        calls = self._calls(exchange)
        for message in asked:
            calls.from_client(message)
        results = [calls.from_server(message) for message in answered(exchange, streamed=streamed)]
        return [result for result in results if result is not None]

    def _calls(self, exchange: HttpExchange) -> Calls:
        session = session_of(exchange)
        if session is None:
            return Calls()  # nothing tells this client from the others
        key = (exchange.run, session)
        calls = self._sessions.setdefault(key, Calls())
        self._sessions.move_to_end(key)
        if len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return calls


def session_of(exchange: HttpExchange) -> str | None:
    """Return what a server calls its conversation with one client."""
    for headers in (exchange.request_headers, exchange.response_headers):
        if SESSION in headers:
            return headers[SESSION]
    places = [exchange.path]
    if exchange.method == "GET":
        places += [
            event.data for event in events(exchange.response_body) if event.name == "endpoint"
        ]
    for place in places:
        query = parse_qs(urlsplit(place).query)
        for name in SESSION_IN_QUERY:
            if name in query:
                return query[name][0]
    return None


def answered(exchange: HttpExchange, *, streamed: bool) -> Iterator[Message]:
    """Give what the server said."""
    if not streamed:
        yield from said(exchange.response_body)
        return
    for event in events(exchange.response_body):
        if event.name in (None, "message"):
            yield from said(event.data.encode())


def said(data: bytes) -> Sequence[Message]:
    """Read messages; nothing where it is something else: most of what passes is."""
    try:
        return messages(data)
    except NotJsonRpcError:
        return []
