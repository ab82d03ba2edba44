"""A run recorded inside this process, with a real client and a scripted model."""

import asyncio
import json
import os
import threading
from pathlib import Path

import pytest
from openai import APIConnectionError, AsyncOpenAI, DefaultHttpxClient, OpenAI

from ullage import ProxyError, RecordedRun, record_run, record_tool
from ullage.integrate.background import Background
from ullage.probe import server
from ullage.probe.script import Plan, Turn
from ullage.tap.tool import OPEN

ROWS = json.dumps([{"id": f"ORD-{n}", "total": n * 3} for n in range(80)])


@record_tool(key="id")
def list_orders() -> str:
    return ROWS


def ask(delivered: str, client: OpenAI | None = None) -> str | None:
    messages = [
        {"role": "user", "content": "Which orders are late?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "list_orders", "arguments": "{}"},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": delivered},
    ]
    with client or OpenAI() as opened:
        reply = opened.chat.completions.create(model="m", messages=messages)  # type: ignore[arg-type]  # plain dicts
    return reply.choices[0].message.content


def test_a_client_that_knows_nothing_is_recorded_without_network_or_key(tmp_path: Path) -> None:
    with record_run(tmp_path / "l") as run:
        answer = ask(list_orders())

        assert answer == "done"
        assert [body["model"] for body in run.requests] == ["m"]
        assert run.measurement.requests.cohorts == ["scripted"]
        run.assert_arrived(tool="list_orders")
        assert run.findings == []


def test_what_the_harness_cut_is_found_and_named(tmp_path: Path) -> None:
    with record_run(tmp_path / "l") as run:
        ask(list_orders()[:900])

        with pytest.raises(AssertionError, match=r"list_orders: \d+ of 80 records") as failed:
            run.assert_arrived()
        assert "missing: id ORD-" in str(failed.value)
        assert "invalid-syntax" in [one.check for one in run.findings]


def test_an_async_client_in_a_loop_of_the_tests_own_is_recorded(tmp_path: Path) -> None:
    async def main() -> None:
        async with AsyncOpenAI() as client:
            await client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": list_orders()}]
            )

    with record_run(tmp_path / "l") as run:
        asyncio.run(main())

        run.assert_arrived()


def test_a_client_whose_address_is_fixed_is_recorded_once(tmp_path: Path) -> None:
    model = server.ScriptedModel(default=Plan(turns=(Turn(text="hello"),)))
    with Background() as background, record_run(tmp_path / "l") as run:
        url = background.enter(server.serving(model))
        client = OpenAI(base_url=f"{url}/v1", http_client=run.record_client(DefaultHttpxClient()))
        assert ask(list_orders(), client) == "hello"

        through = OpenAI(http_client=run.record_client(DefaultHttpxClient()))
        assert ask(list_orders(), through) == "done"

        assert len(run.requests) == 2
        run.assert_arrived()


def test_an_upstream_of_ones_own_answers(tmp_path: Path) -> None:
    model = server.ScriptedModel(default=Plan(turns=(Turn(text="from upstream"),)))
    with Background() as background:
        url = background.enter(server.serving(model))
        with record_run(tmp_path / "l", upstream=f"{url}/v1") as run:
            assert run.base_url.endswith("/run/test/v1")
            assert ask("[]", OpenAI(base_url=run.base_url, api_key="none")) == "from upstream"


def failing(ledger: Path, seen: list[str]) -> None:
    with record_run(ledger) as run:
        seen.append(run.base_url)
        list_orders()
        raise ZeroDivisionError


def test_nothing_is_left_behind_when_the_block_fails(tmp_path: Path) -> None:
    before, threads = dict(os.environ), set(threading.enumerate())
    seen: list[str] = []

    with pytest.raises(ZeroDivisionError):
        failing(tmp_path / "l", seen)

    assert dict(os.environ) == before
    assert set(threading.enumerate()) <= threads
    assert tmp_path / "l" not in OPEN
    with pytest.raises(APIConnectionError):
        ask("[]", OpenAI(base_url=seen[0], api_key="none", max_retries=0))


def test_after_the_block_a_tool_records_nothing(tmp_path: Path) -> None:
    with record_run(tmp_path / "l"):
        pass
    list_orders()

    with record_run(tmp_path / "l", run="second") as run:
        assert run.measurement.results == []


def test_a_key_that_is_there_stays_and_is_not_in_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "sk-" + "fake" * 8
    monkeypatch.setenv("OPENAI_API_KEY", secret)
    with record_run(tmp_path / "l") as run:
        assert os.environ["OPENAI_API_KEY"] == secret
        ask(f"the key is {secret}")

        assert secret not in json.dumps(list(run.requests))


def test_an_upstream_that_is_no_address_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(ProxyError, match="has no scheme"), record_run(tmp_path / "l", upstream="x"):
        pass


def test_the_run_has_its_public_class(tmp_path: Path) -> None:
    with record_run(tmp_path / "l") as run:
        assert isinstance(run, RecordedRun)
