"""The scripted model server, asked over real sockets."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import pytest
import yarl

from ullage.errors import UllageError
from ullage.probe.script import Call, Plan, Refusal, Turn
from ullage.probe.server import ScriptedModel, serving

HELLO: dict[str, Any] = {"messages": [{"role": "user", "content": "hello"}]}
FETCH = Plan(turns=(Turn(calls=(Call(name="fetch"),)),) * 1000)


def served(model: ScriptedModel, use: Callable[[aiohttp.ClientSession], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        async with serving(model) as url, aiohttp.ClientSession(url) as session:
            return await use(session)

    return asyncio.run(main())


async def said(session: aiohttp.ClientSession, path: str, body: Any = HELLO) -> str:
    async with session.post(path, json=body) as answer:
        assert answer.status == 200
        message = (await answer.json())["choices"][0]["message"]
        return str(message["content"] or message["tool_calls"][0]["function"]["name"])


def test_each_run_has_its_plan_and_the_others_the_default_one() -> None:
    model = ScriptedModel(
        {"a": Plan(turns=(Turn(text="A"),))}, default=Plan(turns=(Turn(text="D"),))
    )
    paths = ["/run/a/v1", "/run/b/v1", "/v1"]

    async def use(session: aiohttp.ClientSession) -> list[str]:
        return [await said(session, f"{path}/chat/completions") for path in paths]

    assert served(model, use) == ["A", "D", "D"]
    assert [asked.run for asked in model.asked] == ["a", "b", "default"]
    assert model.asked[0].body == HELLO


@pytest.mark.parametrize("stream", [False, True])
def test_every_reply_carries_the_mark(stream: bool) -> None:
    async def use(session: aiohttp.ClientSession) -> str | None:
        async with session.post("/v1/chat/completions", json=HELLO | {"stream": stream}) as answer:
            return answer.headers.get("x-ullage-cohort")

    assert served(ScriptedModel(), use) == "scripted"


def test_past_the_cap_a_run_gets_a_text_that_says_so() -> None:
    reports: list[str] = []
    model = ScriptedModel(default=FETCH, cap=2, report=reports.append)

    async def use(session: aiohttp.ClientSession) -> list[str]:
        runs = ["a", "a", "a", "a", "b"]
        return [await said(session, f"/run/{run}/v1/chat/completions") for run in runs]

    text = "scripted: the cap of 2 tool calls for run 'a' is reached"
    assert served(model, use) == ["fetch", "fetch", text, text, "fetch"]
    assert model.capped == {"a": 2}
    assert model.tool_calls == {"a": 2, "b": 1}
    assert reports == [text]


def test_a_tool_that_is_not_offered_is_a_text_and_no_call() -> None:
    model = ScriptedModel(default=FETCH)
    body = HELLO | {"tools": [{"type": "function", "function": {"name": "search"}}]}

    answer = served(model, lambda session: said(session, "/v1/chat/completions", body))

    assert "does not offer" in answer
    assert model.tool_calls["default"] == 0


@pytest.mark.parametrize("path", ["/v1/models", "/run/x/v1/models"])
def test_the_models_are_listed(path: str) -> None:
    async def use(session: aiohttp.ClientSession) -> Any:
        async with session.get(path) as answer:
            return await answer.json()

    assert [model["id"] for model in served(ScriptedModel(), use)["data"]] == ["scripted"]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/v1/embeddings", b"{}", 404),
        ("/v1/models", b"{}", 405),
        ("/v1/chat/completions", b"{", 400),
        ("/v1/chat/completions", b"\xff", 400),
        ("/v1/chat/completions", b"[]", 400),
    ],
)
def test_what_cannot_be_answered_is_an_error_in_json(path: str, body: bytes, status: int) -> None:
    async def use(session: aiohttp.ClientSession) -> tuple[int, Any]:
        async with session.post(path, data=body) as answer:
            return answer.status, await answer.json()

    got, answer = served(ScriptedModel(), use)

    assert got == status
    assert answer["error"]["message"].startswith("scripted model server: ")


PATHS = [
    ("/v1/chat/completions", "default", "openai-chat"),
    ("/run/r/v1/chat/completions", "r", "openai-chat"),
    ("/run/r/chat/completions", "r", "openai-chat"),
    ("/run/r/openai/deployments/d/chat/completions?api-version=1", "r", "openai-chat"),
    ("/v1/responses", "default", "openai-responses"),
    ("/run/r/v1/responses", "r", "openai-responses"),
    ("/run/r/responses", "r", "openai-responses"),
    ("/v1/messages?beta=true", "default", "anthropic"),
    ("/run/r/v1/messages", "r", "anthropic"),
    ("/run/r/v1/v1/messages", "r", "anthropic"),
    ("/run/r/v1beta/models/m:generateContent", "r", "gemini"),
    ("/run/r/v1/models/m:generateContent?key=fake", "r", "gemini"),
    ("/v1beta/models/m%3AgenerateContent", "default", "gemini"),
]


@pytest.mark.parametrize(("path", "run", "protocol"), PATHS)
def test_a_path_says_the_run_and_the_protocol(path: str, run: str, protocol: str) -> None:
    model = ScriptedModel()

    async def use(session: aiohttp.ClientSession) -> int:
        async with session.post(yarl.URL(path, encoded=True), json={}) as answer:
            return answer.status

    assert served(model, use) == 200
    (asked,) = model.asked
    assert (asked.run, asked.protocol) == (run, protocol)
    assert "?" not in asked.path


ERRORS: list[tuple[str, dict[str, str], str]] = [
    ("/v1/chat/completions", {}, "error.type=invalid_request_error"),
    ("/v1/responses", {}, "error.type=invalid_request_error"),
    ("/v1/messages", {}, "type=error"),
    ("/v1beta/models/m:generateContent", {}, "error.status=INVALID_ARGUMENT"),
    ("/v1/nothing", {"anthropic-version": "1"}, "error.type=not_found_error"),
    ("/v1/nothing", {"x-goog-api-key": "fake"}, "error.status=NOT_FOUND"),
    ("/v1beta/nothing", {}, "error.code=404"),
]


@pytest.mark.parametrize(("path", "headers", "shape"), ERRORS)
def test_an_error_has_the_shape_of_its_provider(
    path: str, headers: dict[str, str], shape: str
) -> None:
    async def use(session: aiohttp.ClientSession) -> Any:
        async with session.post(path, data=b"{", headers=headers) as answer:
            assert answer.headers["x-ullage-cohort"] == "scripted"
            return await answer.json()

    found = served(ScriptedModel(), use)

    names, _, value = shape.partition("=")
    for name in names.split("."):
        found = found[name]
    assert str(found) == value


@pytest.mark.parametrize(("path", "kind"), [("/v1/messages", "anthropic"), ("/x", "openai-chat")])
def test_a_body_that_is_too_large_is_refused_and_kept(path: str, kind: str) -> None:
    model = ScriptedModel(largest=1000)

    async def use(session: aiohttp.ClientSession) -> tuple[int, Any]:
        async with session.post(path, data=b'{"a": "' + b"x" * 2000 + b'"}') as answer:
            return answer.status, await answer.json()

    status, answer = served(model, use)

    assert status == 413
    assert "larger than 1000 bytes" in answer["error"]["message"]
    assert [(one.protocol, one.size) for one in model.asked] == [(kind, 2009)]


@pytest.mark.parametrize(("query", "starts"), [("?alt=sse", b"data: {"), ("", b"[{")])
def test_geminis_stream_is_events_only_where_they_are_asked_for(query: str, starts: bytes) -> None:
    async def use(session: aiohttp.ClientSession) -> bytes:
        path = f"/v1beta/models/m:streamGenerateContent{query}"
        async with session.post(path, json={}) as answer:
            return await answer.read()

    assert served(ScriptedModel(), use).startswith(starts)


def test_a_failure_of_the_plan_says_when_to_try_again() -> None:
    busy = Turn(refused=Refusal(status=429, kind="planned", message="scripted: busy"))
    model = ScriptedModel(default=Plan(turns=(busy, busy, Turn(text="well"))))

    async def use(session: aiohttp.ClientSession) -> list[tuple[int, str | None]]:
        found = []
        for _ in range(3):
            async with session.post("/run/r/v1/messages", json=HELLO) as answer:
                found.append((answer.status, answer.headers.get("Retry-After")))
        return found

    assert served(model, use) == [(429, "1"), (429, "1"), (200, None)]
    assert model.failed == {"r": 2}


def test_the_cap_counts_the_calls_of_all_protocols() -> None:
    model = ScriptedModel(default=FETCH, cap=2)
    paths = ["/v1/responses", "/v1/messages", "/v1/models/m:generateContent"]

    async def use(session: aiohttp.ClientSession) -> list[str]:
        found = []
        for path in paths:
            async with session.post(f"/run/r{path}", json={}) as answer:
                found.append(await answer.text())
        return found

    *called, capped = served(model, use)

    assert all('"fetch"' in one for one in called)
    assert "the cap of 2 tool calls" in capped
    assert model.capped == {"r": 1}


def test_a_client_that_goes_away_leaves_the_server_well(caplog: pytest.LogCaptureFixture) -> None:
    model = ScriptedModel(default=Plan(turns=(Turn(text="x" * 3_000_000),)))

    async def use(session: aiohttp.ClientSession) -> str:
        async with session.post("/v1/chat/completions", json=HELLO | {"stream": True}) as answer:
            await answer.content.readany()
            answer.close()
        await asyncio.sleep(0.2)
        model._default = Plan(turns=(Turn(text="well"),))
        return await said(session, "/v1/chat/completions")

    assert served(model, use) == "well"
    assert caplog.text == ""


@pytest.mark.parametrize(
    ("headers", "key"), [({"anthropic-version": "1"}, "data"), ({"x-goog-api-key": "k"}, "models")]
)
def test_each_provider_lists_models_in_its_own_form(headers: dict[str, str], key: str) -> None:
    async def use(session: aiohttp.ClientSession) -> Any:
        async with session.get("/run/r/v1/models", headers=headers) as answer:
            return await answer.json()

    (model,) = served(ScriptedModel(), use)[key]
    assert "scripted" in (model.get("id"), model.get("displayName"))


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/messages"])
def test_a_path_that_is_posted_to_cannot_be_got(path: str) -> None:
    async def use(session: aiohttp.ClientSession) -> int:
        async with session.get(path) as answer:
            return answer.status

    assert served(ScriptedModel(), use) == 405


def test_a_body_of_odd_shape_is_answered_all_the_same() -> None:
    body = {"messages": [7, {"role": "user", "content": {"x": 1}}], "tools": "all", "stream": 1}

    answer = served(ScriptedModel(), lambda s: said(s, "/v1/chat/completions", body))

    assert answer == "done"


def test_a_port_in_use_is_said_with_what_to_do() -> None:
    async def main() -> None:
        async with serving(ScriptedModel()) as url:
            port = int(url.rpartition(":")[2])
            with pytest.raises(UllageError, match=rf"127\.0\.0\.1:{port}.*another port"):
                async with serving(ScriptedModel(), port=port):
                    pass

    asyncio.run(main())


def test_a_client_that_goes_away_in_the_middle_of_its_body_is_no_fault(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def main() -> None:
        async with serving(ScriptedModel()) as url:
            address = yarl.URL(url)
            _, writer = await asyncio.open_connection(address.host, address.port)
            head = "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{"
            writer.write(head.encode())
            await writer.drain()
            await asyncio.sleep(0.05)
            writer.close()
            await writer.wait_closed()
            await asyncio.sleep(0.05)

    asyncio.run(main())

    assert caplog.messages == []
