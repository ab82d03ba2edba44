"""A ledger in trouble, or a killed proxy: clients get their replies, and losses are counted.

`ULLAGE_KILLS=200` kills the proxy at that many moments in each mode in place of a few.
"""

import asyncio
import os
import random
import re
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import pytest
from tests.tap.proxy_ends import EVENTS_HEAD, Wire, chunk, upstream_that

from ullage.ledger.store import Ledger
from ullage.ledger.writer import MOST_RECORDS

resource = pytest.importorskip("resource", reason="needs the limits of POSIX")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

KILLS = int(os.environ.get("ULLAGE_KILLS", "3"))
# Far more than a reply needs, far less than SQLite's own patience with a locked file.
PROMPT = 10.0
LIMITED = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.argv = ["ullage", *sys.argv[2:]]
runpy.run_module("ullage", run_name="__main__")
"""
UNLIMITED = 1 << 40


@dataclass
class Running:
    """A proxy in a process of its own, and what it has said so far."""

    url: str
    process: asyncio.subprocess.Process
    said: list[str] = field(default_factory=list)


@asynccontextmanager
async def proxy(
    upstream: str, ledger: Path, durability: str, *, largest_file: int = UNLIMITED
) -> AsyncIterator[Running]:
    options = ["--upstream", upstream, "--ledger", str(ledger), "--durability", durability]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", LIMITED, str(largest_file), "proxy", *options,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    running = Running("", process)

    async def listen(stderr: asyncio.StreamReader) -> None:
        while line := (await stderr.readline()).decode():
            running.said.append(line.rstrip("\n"))
            if found := re.fullmatch(r"listening on (http://\S+)\n", line):
                running.url = found[1]

    listening = asyncio.create_task(listen(process.stderr))
    try:
        async with asyncio.timeout(60):
            while not running.url:
                await asyncio.sleep(0.01)
        yield running
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await listening


def body_of(number: int) -> bytes:
    """A request of 20 KB that does not get smaller."""
    return b'{"n":%d,"text":"%b"}' % (
        number,
        random.Random(number).randbytes(10_000).hex().encode(),
    )


async def echo(got: Wire, writer: asyncio.StreamWriter) -> None:
    """Answer with a stream that says which request it answers."""
    number = re.findall(rb'"n":(\d+)', got.body)[0]
    # Said, so that nobody sends a second request on this connection.
    head = EVENTS_HEAD.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    writer.write(head + chunk(b"data: %b\n\n" % number))
    await writer.drain()
    await asyncio.sleep(0.002)
    writer.write(chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n")
    await writer.drain()


async def ask(session: aiohttp.ClientSession, url: str, number: int) -> bool:
    """Send one request; whether its whole reply came, and came in time."""
    async with asyncio.timeout(PROMPT), session.post(url, data=body_of(number)) as answer:
        return await answer.read() == b"data: %d\n\ndata: [DONE]\n\n" % number


async def ask_many(url: str, numbers: range, at_once: int = 16) -> int:
    """Send requests, so many at once; return how many whole replies came in time."""
    turn = asyncio.Semaphore(at_once)

    async def one(number: int) -> bool:
        async with turn:
            return await ask(session, f"{url}/run/T/x", number)

    async with aiohttp.ClientSession() as session:
        return sum(await asyncio.gather(*map(one, numbers)))


@contextmanager
def locked(place: Path) -> Iterator[None]:
    with closing(sqlite3.connect(place, isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        yield


def stored(place: Path) -> set[int]:
    with Ledger.read(place) as ledger:
        return {int(one.request_body.split(b",")[0][5:]) for one in ledger.exchanges()}


async def stop(running: Running) -> None:
    running.process.send_signal(signal.SIGINT)
    assert await asyncio.wait_for(running.process.wait(), 60) == 0


@asynccontextmanager
async def echoed(
    place: Path, durability: str, *, largest_file: int = UNLIMITED
) -> AsyncIterator[Running]:
    """A proxy in front of an upstream that echoes."""
    async with (
        upstream_that(echo) as upstream,
        proxy(upstream.url, place, durability, largest_file=largest_file) as running,
    ):
        yield running


@pytest.mark.parametrize("durability", ["async", "sync", "durable"])
def test_a_locked_ledger_keeps_no_client_waiting_and_is_written_later(
    tmp_path: Path, durability: str
) -> None:
    place = tmp_path / "a.ledger"

    async def main() -> list[str]:
        async with echoed(place, durability) as running:
            assert await ask_many(running.url, range(20)) == 20
            with locked(place):
                assert await ask_many(running.url, range(20, 140)) == 120
            assert await ask_many(running.url, range(140, 160)) == 20
            await stop(running)
        return running.said

    said = asyncio.run(main())

    assert stored(place) == set(range(160))
    faults = [line for line in said if "a reply went out unrecorded" in line]
    assert bool(faults) == (durability != "async")
    assert len(said) < 10
    with Ledger.read(place) as ledger:
        assert (ledger.verify().whole, ledger.faults()) == (True, 0)


@pytest.mark.parametrize("durability", ["async", "sync"])
def test_a_ledger_that_stays_locked_drops_what_finds_no_room_and_says_how_many(
    tmp_path: Path, durability: str
) -> None:
    place = tmp_path / "a.ledger"

    async def main() -> list[str]:
        async with echoed(place, durability) as running:
            with locked(place):
                assert await ask_many(running.url, range(400), at_once=32) == 400
                await asyncio.sleep(3)
            await stop(running)
        return running.said

    said = asyncio.run(main())

    with Ledger.read(place) as ledger:
        kept = len(list(ledger.exchanges()))
        assert kept == MOST_RECORDS
        assert kept + ledger.faults("T") == 400
        assert ledger.verify().whole
    assert len(said) < 12
    assert any("records wait" in line and f"({400 - kept} times so far)" in line for line in said)


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs limits of other processes")
@pytest.mark.parametrize("durability", ["async", "sync", "durable"])
def test_a_full_disk_fails_no_request_and_what_it_cost_is_counted_when_there_is_room(
    tmp_path: Path, durability: str
) -> None:
    place = tmp_path / "a.ledger"

    async def main() -> list[str]:
        async with echoed(place, durability, largest_file=400_000) as running:
            assert await ask_many(running.url, range(120)) == 120
            await asyncio.sleep(0.5)
            no_limit = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
            resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, no_limit)
            assert await ask_many(running.url, range(120, 130)) == 10
            await stop(running)
        return running.said

    said = asyncio.run(main())

    kept = stored(place)
    assert set(range(120, 130)) <= kept
    with Ledger.read(place) as ledger:
        assert ledger.verify().whole
        assert 0 < ledger.faults("T") == 130 - len(kept)
    assert len(said) < 12
    assert any("not recorded: POST /x: cannot write to" in line for line in said)


def test_what_a_disk_that_stays_full_cost_is_known_at_the_next_start(tmp_path: Path) -> None:
    place = tmp_path / "a.ledger"

    async def main() -> None:
        async with echoed(place, "async", largest_file=400_000) as running:
            assert await ask_many(running.url, range(60)) == 60
            await stop(running)

    asyncio.run(main())

    with Ledger(place) as ledger:
        kept = len(stored(place))
        assert ledger.faults("T") == 60 - kept > 0
        assert ledger.verify().whole


async def ask_until_killed(running: Running, moment: float) -> tuple[set[int], int]:
    """Ask with eight clients; which replies were whole by the kill, and how many were begun."""
    whole: set[int] = set()
    begun = 0

    async def client(session: aiohttp.ClientSession) -> None:
        nonlocal begun
        while True:
            number, begun = begun, begun + 1
            try:
                if not await ask(session, f"{running.url}/run/T/x", number):
                    return
            except aiohttp.ClientError:
                return
            whole.add(number)

    async with aiohttp.ClientSession() as session:
        clients = [asyncio.create_task(client(session)) for _ in range(8)]
        await asyncio.sleep(moment)
        running.process.kill()
        await asyncio.gather(*clients)
    return whole, begun


@pytest.mark.parametrize("durability", ["sync", "async"])
def test_a_killed_proxy_has_lost_no_more_than_its_mode_allows(
    tmp_path: Path, durability: str
) -> None:
    rng = random.Random(os.urandom(8))

    async def main(place: Path) -> tuple[set[int], int]:
        async with echoed(place, durability) as running:
            return await ask_until_killed(running, rng.uniform(0.02, 0.6))

    most = 0
    for turn in range(KILLS):
        place = tmp_path / f"{turn}.ledger"
        whole, begun = asyncio.run(main(place))

        with Ledger(place) as ledger:
            assert ledger.verify().whole
            lost = ledger.faults()
            assert bool(ledger.lost_before) == (lost > 0)
        kept = stored(place)
        missing = whole - kept
        if durability == "sync":
            assert missing == set()
        assert len(missing) <= lost <= MOST_RECORDS
        assert len(kept) + lost <= begun
        most = max(most, len(missing))
    print(f"{durability}: {KILLS} moments, at most {most} exchanges with a whole reply were lost")
