"""What the proxy records, and when: before the end of a reply, after everything else."""

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from tests.tap.proxy_ends import (
    EVENTS_HEAD,
    Records,
    Reply,
    Wire,
    ask,
    chunk,
    plain,
    post,
    proxy_to,
    read_message,
    streamed,
    through,
    upstream_that,
)

from ullage.ledger.records import ExchangeRecord
from ullage.ledger.store import Ledger
from ullage.tap.proxy.recorder import LedgerRecorder

REPLY = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
DONE = b"data: [DONE]\n\n"


class Gate(Records):
    """A recorder that commits when it is let, and says when it was asked to."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.let = asyncio.Event(), asyncio.Event()

    async def __call__(self, record: ExchangeRecord) -> None:
        self.asked.set()
        await self.let.wait()
        await super().__call__(record)


@asynccontextmanager
async def connected(port: int, request: bytes) -> AsyncIterator[asyncio.StreamReader]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    try:
        yield reader
    finally:
        writer.close()


def body_in(seen: bytes) -> bytes:
    """The body in a chunked reply, or in as much of it as was seen."""
    body, rest = b"", seen.partition(b"\r\n\r\n")[2]
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        body, rest = body + rest[: int(size, 16)], rest[int(size, 16) + 2 :]
    return body


async def seen_before_the_commit(reply: Reply) -> tuple[bytes, bytes]:
    """What a client has seen while the record waits to be committed, and what it sees then."""
    gate = Gate()
    async with (
        upstream_that(reply) as upstream,
        proxy_to(upstream.url, gate) as proxy,
        connected(proxy.port, post(b"/x")) as reader,
    ):
        await gate.asked.wait()
        await asyncio.sleep(0.05)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await reader.readuntil(b"THERE IS NO SUCH TEXT")
        before = bytes(reader._buffer)  # type: ignore[attr-defined] # the only way to look without reading
        gate.let.set()
        everything = await reader.read()
    return before, everything


def test_all_but_the_last_byte_of_a_reply_flows_before_the_commit() -> None:
    before, everything = asyncio.run(seen_before_the_commit(plain(REPLY)))

    assert before.endswith(b"\r\n\r\no")
    assert everything.endswith(b"\r\n\r\nok")


def test_all_but_the_terminating_chunk_of_a_stream_flows_before_the_commit() -> None:
    before, everything = asyncio.run(seen_before_the_commit(streamed([b"one", b"two"])))

    assert body_in(before) == b"onetwo"
    assert everything == before + b"0\r\n\r\n"


@pytest.mark.parametrize("size", [1, 4, 1000])
def test_the_done_event_waits_for_the_commit_wherever_it_is_split(size: int) -> None:
    text = b"data: 1\n\n" + DONE
    pieces = [text[at : at + size] for at in range(0, len(text), size)]

    before, everything = asyncio.run(seen_before_the_commit(streamed(pieces)))

    assert b"data: 1\n\n" in body_in(before)
    assert b"[DONE]" not in body_in(before)
    assert body_in(everything) == text
    assert everything.endswith(b"0\r\n\r\n")


def test_the_head_of_a_reply_without_a_body_waits_for_the_commit() -> None:
    before, everything = asyncio.run(
        seen_before_the_commit(plain(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    )

    assert before == b""
    assert everything.startswith(b"HTTP/1.1 200 OK\r\n")


def test_an_event_arrives_before_the_upstream_has_sent_the_next_one() -> None:
    async def main() -> list[bytes]:
        arrived = asyncio.Event()

        async def one_by_one(_: Wire, writer: asyncio.StreamWriter) -> None:
            writer.write(EVENTS_HEAD)
            for event in (b"data: 1\n\n", b"data: 2\n\n", b"data: 3\n\n"):
                writer.write(chunk(event))
                await asyncio.wait_for(arrived.wait(), 60)
                arrived.clear()
            writer.write(b"0\r\n\r\n")

        seen = []
        async with (
            upstream_that(one_by_one) as upstream,
            proxy_to(upstream.url, Records()) as proxy,
            connected(proxy.port, post(b"/x")) as reader,
        ):
            await reader.readuntil(b"\r\n\r\n")
            for _ in range(3):
                seen.append(await reader.readuntil(b"\n\n\r\n"))
                arrived.set()
            assert await reader.read() == b"0\r\n\r\n"
        return seen

    assert asyncio.run(main()) == [chunk(b"data: %d\n\n" % number) for number in (1, 2, 3)]


def test_a_piece_of_a_request_arrives_before_the_client_has_sent_the_next_one() -> None:
    async def main() -> None:
        arrived = asyncio.Event()

        async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(chunk(b"one"))
            arrived.set()
            await reader.readuntil(b"0\r\n\r\n")
            writer.write(REPLY)
            writer.close()

        server = await asyncio.start_server(listen, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with proxy_to(f"http://127.0.0.1:{port}", Records()) as proxy:
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            writer.write(b"POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
            writer.write(chunk(b"one"))
            await asyncio.wait_for(arrived.wait(), 60)
            writer.write(b"0\r\n\r\n")
            assert (await read_message(reader)).body == b"ok"
            writer.close()
        server.close()

    asyncio.run(main())


def test_a_record_holds_both_sides_and_its_times_in_order() -> None:
    got, answer, record = asyncio.run(
        through(streamed([b"data: 1\n\n", DONE]), post(b"/run/T/v1/c?x=1", b'{"a":1}'))
    )

    assert (record.run, record.method, record.path) == ("T", "POST", "/v1/c?x=1")
    assert record.request_body == got.body == b'{"a":1}'
    assert ("Content-Length", "7") in record.request_headers
    assert (record.status, record.response_body) == (200, answer.body)
    assert ("Content-Type", "text/event-stream") in record.response_headers
    assert record.first_byte is not None
    assert record.started <= record.first_byte <= record.ended
    assert record.error is None


@pytest.mark.parametrize(
    ("mark", "cohort"), [(b"X-Ullage-Cohort: scripted\r\n", "scripted"), (b"", "external")]
)
def test_a_record_says_what_kind_of_model_answered(mark: bytes, cohort: str) -> None:
    reply = b"HTTP/1.1 200 OK\r\n" + mark + b"Content-Length: 2\r\n\r\nok"

    _, _, record = asyncio.run(through(plain(reply), post(b"/x")))

    assert record.cohort == cohort


SECRET = b"sk-" + b"a1B2" * 8


@pytest.mark.parametrize(
    ("encoding", "encode"), [(b"gzip", gzip.compress), (b"deflate", zlib.compress)]
)
def test_an_encoded_reply_passes_as_it_is_and_is_kept_decoded_and_redacted(
    tmp_path: Path, encoding: bytes, encode: Callable[[bytes], bytes]
) -> None:
    body = encode(b'{"key":"' + SECRET + b'"}')
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: %b\r\nContent-Length: %d\r\n\r\n"
    more = b"Content-Encoding: %b\r\n" % encoding

    async def main(recorder: LedgerRecorder) -> tuple[Wire, Wire]:
        async with (
            upstream_that(plain(head % (encoding, len(body)) + body)) as upstream,
            proxy_to(upstream.url, recorder) as proxy,
        ):
            answer = await ask(proxy.port, post(b"/x", body, more))
        return upstream.got[0], answer

    with Ledger(tmp_path / "a.ledger") as ledger, closing(LedgerRecorder(ledger)) as recorder:
        got, answer = asyncio.run(main(recorder))
        (stored,) = ledger.exchanges()

    assert got.body == answer.body == body
    assert answer.header(b"content-encoding") == encoding
    for kept in (stored.request_body, stored.response_body):
        assert kept is not None
        assert kept.startswith(b'{"key":"[secret:')
        assert SECRET not in kept


def test_a_reply_that_cannot_be_decoded_is_said_and_counted(tmp_path: Path) -> None:
    reply = b"HTTP/1.1 200 OK\r\nContent-Encoding: odd\r\nContent-Length: 35\r\n\r\n" + SECRET

    async def main(recorder: LedgerRecorder) -> tuple[Wire, int, list[str]]:
        faults: list[str] = []
        async with (
            upstream_that(plain(reply)) as upstream,
            proxy_to(upstream.url, recorder, faults=faults) as proxy,
        ):
            answer = await ask(proxy.port, post(b"/x"))
        return answer, proxy.faults, faults

    with Ledger(tmp_path / "a.ledger") as ledger, closing(LedgerRecorder(ledger)) as recorder:
        answer, count, faults = asyncio.run(main(recorder))
        (stored,) = ledger.exchanges()
        in_ledger = ledger.faults()

    assert answer.body == SECRET
    assert (count, in_ledger) == (1, 1)
    assert stored.response_body == b""
    assert faults == [
        "recorded in part: POST /x: reply: a body of 35 bytes was not kept: "
        "its content encoding 'odd' is not known here"
    ]


@pytest.mark.parametrize("reply", [plain(REPLY), streamed([b"data: 1\n\n", DONE])])
def test_a_recorder_that_fails_does_not_fail_the_request(reply: Reply) -> None:
    async def full(_: ExchangeRecord) -> None:
        raise OSError("disk full")

    async def main() -> tuple[Wire, int, list[str]]:
        faults: list[str] = []
        async with (
            upstream_that(reply) as upstream,
            proxy_to(upstream.url, full, faults=faults) as proxy,
        ):
            answer = await ask(proxy.port, post(b"/x"))
        return answer, proxy.faults, faults

    answer, count, faults = asyncio.run(main())

    assert answer.whole
    assert answer.body in (b"ok", b"data: 1\n\n" + DONE)
    assert count == 1
    assert faults == ["not recorded: POST /x: disk full"]


def test_a_stream_that_goes_on_after_done_is_not_kept_from_the_client() -> None:
    async def lingering(_: Wire, writer: asyncio.StreamWriter) -> None:
        writer.write(EVENTS_HEAD + chunk(DONE))
        await asyncio.sleep(0.6)
        writer.write(chunk(b": late\n") + b"0\r\n\r\n")

    async def main() -> tuple[bytes, bytes, Records, list[str]]:
        records, faults = Records(), list[str]()
        async with (
            upstream_that(lingering) as upstream,
            proxy_to(upstream.url, records, faults=faults) as proxy,
            connected(proxy.port, post(b"/x")) as reader,
        ):
            async with asyncio.timeout(0.5):
                done = await reader.readuntil(chunk(DONE))
            return done, await reader.read(), records, faults

    done, rest, records, faults = asyncio.run(main())

    assert done.endswith(chunk(DONE))
    assert rest == chunk(b": late\n") + b"0\r\n\r\n"
    assert records.only.response_body == DONE
    assert "7 bytes" in faults[0]


def test_32_streams_at_once_are_not_mixed_up() -> None:
    async def echo(got: Wire, writer: asyncio.StreamWriter) -> None:
        writer.write(EVENTS_HEAD)
        for number in range(40):
            writer.write(chunk(b"data: %b %d\n\n" % (got.body, number)))
            await writer.drain()
            await asyncio.sleep(0.001)
        writer.write(chunk(DONE) + b"0\r\n\r\n")

    async def main() -> tuple[list[Wire], Records, dict[str, int]]:
        records = Records()
        async with upstream_that(echo) as upstream, proxy_to(upstream.url, records) as proxy:
            asks = [ask(proxy.port, post(b"/run/r%d/x" % n, b"%d" % n)) for n in range(32)]
            answers = await asyncio.gather(*asks)
        return answers, records, dict(proxy.requests)

    answers, records, requests = asyncio.run(main())

    def text(number: int) -> bytes:
        return b"".join(b"data: %d %d\n\n" % (number, event) for event in range(40)) + DONE

    assert [answer.body for answer in answers] == [text(number) for number in range(32)]
    by_run = {record.run: record.response_body for record in records.records}
    assert by_run == {f"r{number}": text(number) for number in range(32)}
    assert requests == {f"r{number}": 1 for number in range(32)}


def test_requests_in_flight_are_waited_for_at_the_end() -> None:
    async def main() -> tuple[Wire, Records]:
        started, go_on = asyncio.Event(), asyncio.Event()

        async def slow(_: Wire, writer: asyncio.StreamWriter) -> None:
            started.set()
            await go_on.wait()
            writer.write(REPLY)

        records = Records()
        async with upstream_that(slow) as upstream:
            async with proxy_to(upstream.url, records) as proxy:
                asked = asyncio.create_task(ask(proxy.port, post(b"/x")))
                await started.wait()
                asyncio.get_running_loop().call_later(0.2, go_on.set)
            return await asked, records

    answer, records = asyncio.run(main())

    assert answer.body == b"ok"
    assert records.only.error is None


def test_a_request_that_outlasts_the_drain_is_broken_off_and_recorded() -> None:
    async def main() -> tuple[Wire, Records]:
        started = asyncio.Event()

        async def endless(_: Wire, writer: asyncio.StreamWriter) -> None:
            writer.write(EVENTS_HEAD + chunk(b"one"))
            started.set()
            await asyncio.sleep(60)

        records = Records()
        async with upstream_that(endless) as upstream:
            async with proxy_to(upstream.url, records, drain_seconds=0.2) as proxy:
                asked = asyncio.create_task(ask(proxy.port, post(b"/x")))
                await started.wait()
                await asyncio.sleep(0.05)
            return await asked, records

    answer, records = asyncio.run(main())

    assert (answer.body, answer.whole) == (b"one", False)
    assert records.only.response_body == b"one"
    assert "proxy was stopped" in str(records.only.error)
