"""Where a harness gets its case and its payloads, asked over real sockets."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp

from ullage.probe.bench import Bench, benching
from ullage.probe.canary import payload
from ullage.probe.case import Case
from ullage.probe.desk import Desk
from ullage.probe.scripts import Words
from ullage.probe.stage import Stage

CASE = Case(tag="one", kind="result", size=1000)


def served(
    folder: Path, use: Callable[[aiohttp.ClientSession, Bench, Stage], Awaitable[Any]]
) -> Any:
    async def main() -> Any:
        async with benching(Bench(cap=5)) as bench, aiohttp.ClientSession(bench.url) as session:
            return await use(session, bench, Stage(bench, Words(), folder))

    return asyncio.run(main())


def test_a_case_says_where_to_ask_and_what_to_say(tmp_path: Path) -> None:
    async def use(session: aiohttp.ClientSession, bench: Bench, stage: Stage) -> Any:
        stage.begin(CASE)
        async with session.get("/case/one") as reply:
            return bench.url, await reply.json()

    url, case = served(tmp_path, use)

    assert case["base_url"] == f"{url}/run/one/v1"
    assert case["root_url"] == f"{url}/run/one"
    assert case["url"] == f"{url}/case/one"
    assert (case["kind"], case["returns"], len(case["prompts"])) == ("result", "text", 1)
    assert Path(case["file"]).read_text(encoding="utf-8") == payload(CASE, 0).text


def test_each_payload_is_new_and_counted(tmp_path: Path) -> None:
    async def use(session: aiohttp.ClientSession, bench: Bench, stage: Stage) -> Any:
        seen = stage.begin(CASE)
        texts = []
        for _ in range(2):
            async with session.get("/case/one/payload") as reply:
                texts.append(await reply.text())
        return texts, seen.payloads

    texts, made = served(tmp_path, use)

    assert texts == [payload(CASE, 0).text, payload(CASE, 1).text]
    assert [one.text for one in made] == texts


def test_answers_and_errors_are_kept(tmp_path: Path) -> None:
    async def use(session: aiohttp.ClientSession, bench: Bench, stage: Stage) -> Any:
        seen = stage.begin(CASE)
        statuses = []
        for body in (b'{"answer": "x"}', b'{"error": "E: y"}', b"[", b"{}"):
            async with session.post("/case/one/answer", data=body) as reply:
                statuses.append(reply.status)
        return statuses, stage.observed(seen, "done")

    statuses, observed = served(tmp_path, use)

    assert statuses == [204, 204, 400, 400]
    assert (observed.answers, observed.error) == (["x"], "E: y")


def test_what_names_no_case_is_said(tmp_path: Path) -> None:
    async def use(session: aiohttp.ClientSession, bench: Bench, stage: Stage) -> Any:
        found = []
        for path in ("/case/none", "/case/none/payload"):
            async with session.get(path) as reply:
                found.append((reply.status, await reply.text()))
        async with session.get("/worker/none/next") as reply:
            found.append((reply.status, ""))
        return found

    assert served(tmp_path, use) == [
        (404, "/case/none: there is no case of this name"),
        (404, "/case/none/payload: there is no case of this name"),
        (204, ""),
    ]


def test_a_worker_gets_case_after_case_and_then_none(tmp_path: Path) -> None:
    async def use(session: aiohttp.ClientSession, bench: Bench, stage: Stage) -> Any:
        desk = bench.desks["w"] = Desk()
        stage.begin(CASE)
        desk.give(CASE)
        async with session.get("/worker/w/next") as reply:
            first = (await reply.json())["tag"]
        busy = desk.idle.is_set()
        waiting = asyncio.ensure_future(session.get("/worker/w/next"))
        await desk.idle.wait()
        desk.give(None)
        async with await waiting as reply:
            return first, busy, reply.status

    assert served(tmp_path, use) == ("one", False, 204)


def test_a_file_that_was_printed_counts_as_produced(tmp_path: Path) -> None:
    async def use(session: aiohttp.ClientSession, bench: Bench, stage: Stage) -> Any:
        seen = stage.begin(CASE)
        body = {"messages": [{"role": "user", "content": payload(CASE, 0).text}]}
        async with session.post("/run/one/v1/chat/completions", json=body) as reply:
            assert reply.status == 200
        return stage.observed(seen, "done")

    observed = served(tmp_path, use)

    assert [one.text for one in observed.payloads] == [payload(CASE, 0).text]


def test_requests_of_a_case_that_is_over_are_not_those_of_the_next(tmp_path: Path) -> None:
    other = Case(tag="two", kind="result", size=1000)

    async def use(session: aiohttp.ClientSession, bench: Bench, stage: Stage) -> Any:
        stage.begin(CASE)
        bench.close(CASE)
        seen = stage.begin(other)
        body = {"messages": [{"role": "user", "content": "hello"}]}
        for path in ("/run/one/v1", "/run/two/v1", "/v1"):
            async with session.post(f"{path}/chat/completions", json=body) as reply:
                assert reply.status == 200
        return [one.run for one in bench.asked_in(seen)]

    assert served(tmp_path, use) == ["two", "default"]
