"""Results over HTTP, from what a proxy recorded."""

import json
from typing import Any

import pytest

from ullage.tap.mcp import http
from ullage.tap.mcp.http import HttpCalls, HttpExchange

EVENTS = {"content-type": "text/event-stream"}


def call(number: int, tool: str = "list") -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool}}


def answer(number: int, text: str) -> dict[str, Any]:
    result = {"content": [{"type": "text", "text": text}]}
    return {"jsonrpc": "2.0", "id": number, "result": result}


def events(*messages: object) -> bytes:
    return b"".join(b"event: message\ndata: %s\n\n" % json.dumps(m).encode() for m in messages)


def exchange(asked: object, came: object, **changes: Any) -> HttpExchange:
    members: dict[str, Any] = {
        "run": "r",
        "method": "POST",
        "path": "/mcp",
        "request_headers": {},
        "request_body": json.dumps(asked).encode() if asked is not None else b"",
        "response_headers": {"content-type": "application/json"},
        "response_body": came if isinstance(came, bytes) else json.dumps(came).encode(),
    }
    return HttpExchange(**(members | changes))


def texts(state: HttpCalls, one: HttpExchange) -> list[str]:
    return [result.text for result in state.take(one)]


def test_a_reply_as_json_is_a_result() -> None:
    assert texts(HttpCalls(), exchange(call(1), answer(1, "x"))) == ["x"]


def test_a_reply_as_events_is_a_result_whatever_comes_before_it() -> None:
    progress = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {}}
    came = events(progress, answer(1, "x"))

    assert texts(HttpCalls(), exchange(call(1), came, response_headers=EVENTS)) == ["x"]


def test_a_batch_gives_every_result() -> None:
    one = exchange([call(1), call(2)], [answer(2, "b"), answer(1, "a")])

    assert texts(HttpCalls(), one) == ["b", "a"]


def test_a_stream_that_broke_off_is_gone_on_with_by_a_get() -> None:
    state = HttpCalls()
    session = {"mcp-session-id": "s1"}
    first = exchange(call(1), b": hello\n\n", response_headers=EVENTS, request_headers=session)
    rest = exchange(
        None,
        events(answer(1, "late")),
        method="GET",
        response_headers=EVENTS,
        request_headers=session,
    )

    assert texts(state, first) == []
    assert texts(state, rest) == ["late"]


def test_the_reply_of_the_older_transport_comes_on_the_stream_that_stays_open() -> None:
    state = HttpCalls()
    posted = exchange(call(1), b"Accepted", path="/messages/?session_id=abc")
    stream = exchange(
        None,
        b"event: endpoint\ndata: /messages/?session_id=abc\n\n" + events(answer(1, "x")),
        method="GET",
        path="/sse",
        response_headers=EVENTS,
    )

    assert texts(state, posted) == []
    assert texts(state, stream) == ["x"]


def test_calls_of_two_sessions_with_one_id_are_not_mixed_up() -> None:
    state = HttpCalls()
    for session in ("a", "b"):
        headers = {"mcp-session-id": session}
        state.take(exchange(call(1, session), b"", request_headers=headers))

    (found,) = state.take(
        exchange(
            None,
            events(answer(1, "x")),
            method="GET",
            request_headers={"mcp-session-id": "a"},
            response_headers=EVENTS,
        )
    )

    assert found.tool == "a"


def test_calls_of_clients_without_a_session_are_not_mixed_up() -> None:
    state = HttpCalls()
    state.take(exchange(call(1), b""))

    assert (
        texts(state, exchange(None, events(answer(1, "x")), method="GET", response_headers=EVENTS))
        == []
    )


def test_sessions_are_remembered_up_to_a_bound() -> None:
    state = HttpCalls()
    for number in range(http.MOST_SESSIONS + 10):
        headers = {"mcp-session-id": str(number)}
        state.take(exchange(call(1), b"", request_headers=headers))

    assert len(state._sessions) == http.MOST_SESSIONS


@pytest.mark.parametrize(
    ("asked", "came"),
    [
        ({"messages": [{"role": "user", "content": '"jsonrpc" tools/call'}]}, {"choices": []}),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, answer(1, "x")),
        (call(1), b"<html>"),
        (call(1), {"error": {"message": "not MCP"}}),
        (None, b""),
    ],
)
def test_everything_else_is_no_result(asked: object, came: object) -> None:
    assert texts(HttpCalls(), exchange(asked, came)) == []


def test_an_exchange_with_a_model_is_told_at_once() -> None:
    state = HttpCalls()

    assert not state.is_worth_a_look("POST", b'{"messages": []}')
    assert not state.is_worth_a_look("GET", b"")
    assert state.is_worth_a_look("POST", json.dumps(call(1)).encode())


def test_a_get_is_looked_at_once_there_are_sessions() -> None:
    state = HttpCalls()
    state.take(exchange(call(1), b"", request_headers={"mcp-session-id": "a"}))

    assert state.is_worth_a_look("GET", b"")
