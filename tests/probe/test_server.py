"""The scripted model server, asked over real sockets."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import pytest

from ullage.errors import UllageError
from ullage.probe.script import Call, Plan, Turn
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
