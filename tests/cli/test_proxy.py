"""`ullage proxy` as a whole command, in front of a scripted model."""

import asyncio
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import aiohttp
import pytest

from ullage import Ledger
from ullage.probe.server import ScriptedModel
from ullage.probe.server import serving as scripted

pytestmark = pytest.mark.slow

PROXY = [sys.executable, "-m", "ullage", "proxy"]
HELLO = {"messages": [{"role": "user", "content": "hello"}]}


@asynccontextmanager
async def proxy(
    *options: str, **environment: str
) -> AsyncIterator[tuple[str, asyncio.subprocess.Process, str]]:
    """A running proxy: its address, its process, and the line that says what to set."""
    process = await asyncio.create_subprocess_exec(
        *PROXY,
        *options,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **environment},
    )
    assert process.stderr is not None
    try:
        first = (await process.stderr.readline()).decode()
        found = re.fullmatch(r"listening on (http://127\.0\.0\.1:\d+)\n", first)
        assert found is not None, first + (await process.stderr.read()).decode()
        yield found[1], process, (await process.stderr.readline()).decode()
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def ask(url: str) -> str:
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{url}/chat/completions", json=HELLO) as answer,
    ):
        return str((await answer.json())["choices"][0]["message"]["content"])


def exchanges(ledger: Path) -> list[tuple[str, str, int, str]]:
    with closing(sqlite3.connect(ledger)) as db:
        return db.execute("SELECT run, path, status, cohort FROM exchange").fetchall()


@pytest.mark.parametrize("durability", ["sync", "durable"])
def test_what_goes_through_is_in_the_ledger_as_soon_as_it_is_answered(
    tmp_path: Path, durability: str
) -> None:
    ledger = tmp_path / "a.ledger"
    options = ("--ledger", str(ledger), "--durability", durability)

    async def main() -> None:
        async with (
            scripted(ScriptedModel()) as model,
            proxy("--upstream", f"{model}/v1", *options) as (url, process, _),
        ):
            assert await ask(f"{url}/run/T/v1") == "done"
            process.kill()

    asyncio.run(main())

    assert exchanges(ledger) == [("T", "/v1/chat/completions", 200, "scripted")]


def test_it_says_what_to_set_and_where_the_records_go(tmp_path: Path) -> None:
    async def main() -> None:
        ledger = str(tmp_path / "b.ledger")
        upstream = "https://api.example.test/api/v1"
        async with proxy("--upstream", upstream, ULLAGE_LEDGER=ledger) as (url, _, line):
            assert f"OPENAI_BASE_URL={url}/api/v1" in line
            assert "ANTHROPIC" not in line
            assert f"records go to {ledger}" in line

    asyncio.run(main())


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_waits_for_what_is_in_flight_and_ends_with_0(
    tmp_path: Path, number: signal.Signals
) -> None:
    ledger = tmp_path / "a.ledger"

    async def main() -> str:
        asked = asyncio.Event()

        async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            asked.set()
            await asyncio.sleep(0.5)
            body = b'{"choices":[{"message":{"content":"late"}}]}'
            head = (
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            )
            writer.write(head % len(body) + body)
            writer.close()

        server = await asyncio.start_server(slow, "127.0.0.1", 0)
        upstream = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with proxy("--upstream", upstream, "--ledger", str(ledger)) as (url, process, _):
            answer = asyncio.create_task(ask(url))
            await asked.wait()
            process.send_signal(number)
            said = await answer
            assert await asyncio.wait_for(process.wait(), 60) == 0
        server.close()
        return said

    assert asyncio.run(main()) == "late"
    assert [status for _, _, status, _ in exchanges(ledger)] == [200]


TOKEN = "t0ken-" + "x" * 16


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_a_signal_switches_the_recorder_and_what_went_by_is_said_at_the_end(
    tmp_path: Path,
) -> None:
    ledger = tmp_path / "a.ledger"

    async def main() -> str:
        async with (
            scripted(ScriptedModel()) as model,
            proxy("--upstream", f"{model}/v1", "--ledger", str(ledger)) as (url, process, _),
        ):
            await ask(f"{url}/run/on/v1")
            process.send_signal(signal.SIGUSR1)
            assert process.stderr is not None
            said = (await process.stderr.readline()).decode()
            await ask(f"{url}/run/off/v1")
            await ask(f"{url}/run/off/v1")
            process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(process.wait(), 60) == 0
            return said + (await process.stderr.read()).decode()

    said = asyncio.run(main())

    assert "recorder off: requests go through and are not recorded" in said
    assert "2 exchanges went through unrecorded while the recorder was off" in said
    assert [run for run, _, _, _ in exchanges(ledger)] == ["on"]
    with closing(sqlite3.connect(ledger)) as db:
        noted = db.execute("SELECT run, records, what FROM lost").fetchall()
    assert noted == [("off", 2, "recorder off: 2 exchanges went through unrecorded")]
    with Ledger.read(ledger) as found:
        assert found.stats().not_recorded == 2


def test_a_recorder_may_start_switched_off(tmp_path: Path) -> None:
    ledger = tmp_path / "a.ledger"

    async def main() -> None:
        options = ("--ledger", str(ledger), "--recorder", "off")
        async with (
            scripted(ScriptedModel()) as model,
            proxy("--upstream", f"{model}/v1", *options) as (url, _, _),
        ):
            assert await ask(f"{url}/v1") == "done"

    asyncio.run(main())

    assert exchanges(ledger) == []


def test_an_upstream_with_a_prefix_is_said_with_its_base_url(tmp_path: Path) -> None:
    async def main() -> str:
        options = ("--upstream", "/b=https://b.example.test/v2", "--ledger", str(tmp_path / "l"))
        async with (
            scripted(ScriptedModel()) as model,
            proxy("--upstream", f"{model}/v1", *options) as (url, process, first),
        ):
            assert process.stderr is not None
            second = (await process.stderr.readline()).decode()
            assert first == f"set OPENAI_BASE_URL={url}/v1\n"
            assert await ask(f"{url}/v1") == "done"
            return second.replace(url, "URL")

    said = asyncio.run(main())

    assert said.startswith("for https://b.example.test set the base URL URL/b/v2; records go to ")


def test_a_token_is_asked_for_and_is_not_printed(tmp_path: Path) -> None:
    async def main() -> str:
        options = ("--token-env", "MY_TOKEN", "--ledger", str(tmp_path / "l"))
        async with (
            scripted(ScriptedModel()) as model,
            proxy("--upstream", f"{model}/v1", *options, MY_TOKEN=TOKEN) as (url, _, line),
        ):
            assert await ask(f"{url}/token/{TOKEN}/v1") == "done"
            return line

    assert "/token/$MY_TOKEN/v1; records go to " in asyncio.run(main())


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--host", "0.0.0.0"], "host '0.0.0.0' can be reached from other machines"),
        (["--token-env", "NO_SUCH_VARIABLE"], "there is no variable 'NO_SUCH_VARIABLE'"),
        (["--upstream", "http://b.test"], "there are two upstreams without a prefix"),
    ],
)
def test_what_cannot_be_served_is_wrong_usage(
    tmp_path: Path, options: list[str], says: str
) -> None:
    ledger = tmp_path / "a.ledger"

    done = ended("--upstream", "http://a.test", "--ledger", str(ledger), *options)

    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert says in done.stderr
    assert not ledger.exists()


def ended(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROXY, *options], capture_output=True, text=True, timeout=30, check=False
    )


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("127.0.0.1:8000", "upstream '127.0.0.1:8000' has no scheme: write http:// or https://"),
        ("ftp://h/x", "upstream 'ftp://h/x': scheme 'ftp' is not http or https"),
    ],
)
def test_a_bad_upstream_is_wrong_usage(tmp_path: Path, url: str, says: str) -> None:
    done = ended("--upstream", url, "--ledger", str(tmp_path / "a.ledger"))

    assert done.returncode == 2
    assert f"Invalid value for '--upstream': {says}" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_port_in_use_is_one_line_and_3(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        ledger = str(tmp_path / "a.ledger")
        done = ended("--upstream", "http://127.0.0.1:1", "--port", port, "--ledger", ledger)

    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"ullage: cannot listen on 127.0.0.1:{port}: ")
    assert "choose another port, or --port 0" in done.stderr


def test_with_keep_counts_only_figures_are_in_the_ledger_when_it_has_ended(
    tmp_path: Path,
) -> None:
    ledger = tmp_path / "a.ledger"
    options = ("--ledger", str(ledger), "--keep", "counts")

    async def main() -> None:
        async with (
            scripted(ScriptedModel()) as model,
            proxy("--upstream", f"{model}/v1", *options) as (url, process, line),
        ):
            await ask(f"{url}/run/monday/v1")
            assert "records go to " in line
            assert ".a.ledger.proxy." in line  # where tools record, until it is measured
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 0

    asyncio.run(main())
    assert [file.name for file in tmp_path.iterdir()] == ["a.ledger"]
    with closing(sqlite3.connect(ledger)) as db:
        assert db.execute("SELECT length FROM blob").fetchall() == [(0,)]
        (found,) = db.execute("SELECT run, keep, request_bytes FROM exchange").fetchall()
        ((document,),) = db.execute("SELECT document FROM figures").fetchall()
    assert found == ("monday", "counts", 52)
    assert json.loads(document)["read"]["messages"] == 1
