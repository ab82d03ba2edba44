"""Large bodies and slow ends: everything passes, and the proxy never holds much of it."""

import asyncio
import hashlib
import socket
import struct
from contextlib import closing
from pathlib import Path

import pytest
from blake3 import blake3
from tests.tap.proxy_ends import (
    EVENTS_HEAD,
    Records,
    Wire,
    ask,
    chunk,
    left_by,
    plain,
    post,
    proxy_to,
    read_chunks,
    read_message,
    through,
    upstream_that,
)

from ullage.ledger.records import LeftOut
from ullage.ledger.store import Ledger
from ullage.tap.proxy.recorder import LedgerRecorder

REPLY = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
PIECE = bytes(range(256)) * 256
PIECES = 400
"""About 26 MB: far more than two sockets and the proxy between them hold."""

AT_MOST = 12 << 20
"""Bytes that both kernels' buffers and the proxy may take in while nobody reads."""


async def still(count: list[int]) -> int:
    """Wait until nothing more is taken in, and return how much was."""
    before = -1
    while count[0] != before:
        before = count[0]
        await asyncio.sleep(0.3)
    return before


def test_a_reply_that_the_client_does_not_read_is_not_taken_in() -> None:
    sent = [0]

    async def large(_: Wire, writer: asyncio.StreamWriter) -> None:
        writer.write(EVENTS_HEAD)
        for _number in range(PIECES):
            writer.write(chunk(PIECE))
            await writer.drain()
            sent[0] += len(PIECE)
        writer.write(b"0\r\n\r\n")
        await writer.drain()

    async def main() -> tuple[int, Wire, Records, list[str]]:
        records, faults = Records(), list[str]()
        async with (
            upstream_that(large) as upstream,
            proxy_to(upstream.url, records, faults=faults, largest_body=1 << 20) as proxy,
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            writer.write(post(b"/x"))
            await reader.readuntil(b"\r\n\r\n")
            taken = await still(sent)
            body = Wire(b"", [(b"transfer-encoding", b"chunked")])
            body.whole = await read_chunks(reader, body)
            writer.close()
            return taken, body, records, faults

    taken, answer, records, _ = asyncio.run(main())

    assert taken < AT_MOST
    assert answer.whole
    assert hashlib.sha256(answer.body).digest() == hashlib.sha256(PIECE * PIECES).digest()
    assert records.only.response_body == b""
    assert records.only.response_left_out == LeftOut(
        size=len(PIECE) * PIECES, digest=blake3(PIECE * PIECES).digest(), limit=1 << 20
    )


def test_a_request_that_the_upstream_does_not_read_is_not_taken_in() -> None:
    sent = [0]
    go_on = asyncio.Event()

    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await go_on.wait()
        message = await read_message(reader)
        writer.write(REPLY if message.body == PIECE * PIECES else b"HTTP/1.1 500 Changed\r\n\r\n")
        writer.close()

    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(b"POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(PIECES):
            writer.write(chunk(PIECE))
            await writer.drain()
            sent[0] += len(PIECE)
        writer.write(b"0\r\n\r\n")

    async def main() -> tuple[int, Wire, Records]:
        records = Records()
        server = await asyncio.start_server(slow, "127.0.0.1", 0, limit=1 << 16)
        port = server.sockets[0].getsockname()[1]
        async with proxy_to(f"http://127.0.0.1:{port}", records, largest_body=1 << 20) as proxy:
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            sending = asyncio.create_task(send(writer))
            taken = await still(sent)
            go_on.set()
            await sending
            answer = await read_message(reader)
            writer.close()
        server.close()
        return taken, answer, records

    taken, answer, records = asyncio.run(main())

    assert taken < AT_MOST
    assert answer.body == b"ok"
    assert records.only.request_body == b""
    assert records.only.request_left_out is not None
    assert records.only.request_left_out.size == len(PIECE) * PIECES


def test_of_a_body_over_the_limit_size_and_hash_are_kept_and_that_is_counted(
    tmp_path: Path,
) -> None:
    async def main(recorder: LedgerRecorder) -> tuple[Wire, list[str]]:
        faults: list[str] = []
        async with (
            upstream_that(plain(REPLY)) as upstream,
            proxy_to(upstream.url, recorder, faults=faults, largest_body=10) as proxy,
        ):
            answer = await ask(proxy.port, post(b"/x", b"12345678901"))
            assert upstream.got[0].body == b"12345678901"
        return answer, faults

    with Ledger(tmp_path / "a.ledger") as ledger, closing(LedgerRecorder(ledger)) as recorder:
        answer, faults = asyncio.run(main(recorder))
        (stored,) = ledger.exchanges()
        with ledger._session.reading() as db:
            size, kept = db.execute("SELECT request_bytes, request_hash FROM exchange").fetchone()
        counted = ledger.faults()

    assert answer.body == b"ok"
    assert (stored.request_body, stored.response_body) == (b"", b"ok")
    assert (size, len(kept), counted) == (11, 32, 1)
    assert kept != blake3(b"12345678901").digest()
    assert faults == [
        "recorded in part: POST /x: request: a body of 11 bytes is over the 10 of --largest-body: "
        "only its size and its hash are kept"
    ]


@pytest.mark.parametrize("size", [10, 9])
def test_a_body_up_to_the_limit_is_kept(size: int) -> None:
    async def main() -> Records:
        records = Records()
        async with (
            upstream_that(plain(REPLY)) as upstream,
            proxy_to(upstream.url, records, largest_body=10) as proxy,
        ):
            await ask(proxy.port, post(b"/x", b"x" * size))
        return records

    assert asyncio.run(main()).only.request_body == b"x" * size


def test_an_upstream_that_resets_its_connection_does_not_end_a_reply_cleanly() -> None:
    async def resetting(_: Wire, writer: asyncio.StreamWriter) -> None:
        writer.write(EVENTS_HEAD + chunk(b"data: 1\n\n"))
        await writer.drain()
        await asyncio.sleep(0.05)
        wire = writer.get_extra_info("socket")
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    async def main() -> tuple[Wire, Records]:
        records = Records()
        async with upstream_that(resetting) as upstream, proxy_to(upstream.url, records) as proxy:
            return await ask(proxy.port, post(b"/x")), records

    answer, records = asyncio.run(main())

    assert (answer.body, answer.whole) == (b"data: 1\n\n", False)
    assert records.only.response_body == b"data: 1\n\n"
    assert records.only.error is not None


def test_an_upstream_that_answers_before_it_has_read_the_request_is_passed_on() -> None:
    async def eager(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 413 Too large\r\nContent-Length: 2\r\n\r\nno")
        await writer.drain()
        await asyncio.sleep(0.5)
        writer.close()

    async def main() -> tuple[Wire, Records]:
        records = Records()
        server = await asyncio.start_server(eager, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with proxy_to(f"http://127.0.0.1:{port}", records) as proxy:
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            writer.write(b"POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf")
            answer = await read_message(reader)
            writer.close()
        server.close()
        return answer, records

    answer, records = asyncio.run(main())

    assert (answer.first_line, answer.body) == (b"HTTP/1.1 413 Too large", b"no")
    assert records.only.status == 413
    assert records.only.request_body == b"half"


def test_a_client_that_closes_its_sending_side_is_taken_as_gone_and_recorded() -> None:
    record = asyncio.run(left_by(lambda writer: writer.write_eof()))

    assert "the client went away" in str(record.error)


def test_a_small_exchange_leaves_nothing_out() -> None:
    _, _, record = asyncio.run(through(plain(REPLY), post(b"/x")))

    assert (record.request_left_out, record.response_left_out) == (None, None)
