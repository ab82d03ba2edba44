"""Both ends of a proxy as plain sockets: an upstream and a client that see raw bytes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from ullage.ledger.records import ExchangeRecord
from ullage.tap.proxy.recordings import Recorder
from ullage.tap.proxy.service import Proxy, serving
from ullage.tap.proxy.settings import ProxySettings, parse_upstream

HOP_BY_HOP = (
    b"connection",
    b"keep-alive",
    b"transfer-encoding",
    b"te",
    b"trailer",
    b"upgrade",
    b"host",
)


@dataclass
class Wire:
    """One message: its first line, its headers as they stood, its body without the framing."""

    first_line: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes = b""
    whole: bool = True

    @property
    def about_the_message(self) -> list[tuple[bytes, bytes]]:
        return [
            (name, value)
            for name, value in self.headers
            if name.lower() not in HOP_BY_HOP and not name.lower().startswith(b"proxy-")
        ]

    def header(self, wanted: bytes) -> bytes | None:
        return next((value for name, value in self.headers if name.lower() == wanted), None)


async def read_message(reader: asyncio.StreamReader, *, to_end: bool = False) -> Wire:
    """Read one message; one that stops before its own end is not `whole`."""
    head = (await reader.readuntil(b"\r\n\r\n")).removesuffix(b"\r\n\r\n")
    first_line, *lines = head.split(b"\r\n")
    pairs = [line.split(b": ", 1) for line in lines]
    message = Wire(first_line, [(name, value) for name, value in pairs])
    length = message.header(b"content-length")
    if message.header(b"transfer-encoding") == b"chunked":
        message.whole = await read_chunks(reader, message)
    elif length is not None:
        message.body, message.whole = await read_up_to(reader, int(length))
    elif to_end:
        message.body = await reader.read()
    return message


async def read_chunks(reader: asyncio.StreamReader, message: Wire) -> bool:
    while size_line := await reader.readline():
        size = int(size_line, 16)
        data, whole = await read_up_to(reader, size)
        message.body += data
        if not whole or not await reader.readline():
            return False
        if size == 0:
            return True
    return False


async def read_up_to(reader: asyncio.StreamReader, size: int) -> tuple[bytes, bool]:
    try:
        return await reader.readexactly(size), True
    except asyncio.IncompleteReadError as error:
        return error.partial, False


Reply = Callable[[Wire, asyncio.StreamWriter], Awaitable[None]]


def plain(reply: bytes) -> Reply:
    """Send `reply` as it stands."""

    async def send(_: Wire, writer: asyncio.StreamWriter) -> None:
        writer.write(reply)
        await writer.drain()

    return send


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


EVENTS_HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
)


def streamed(pieces: list[bytes], head: bytes = EVENTS_HEAD) -> Reply:
    """Send each piece as a chunk of its own, which arrives apart from the others."""

    async def send(_: Wire, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        for piece in pieces:
            writer.write(chunk(piece))
            await writer.drain()
            await asyncio.sleep(0.001)
        writer.write(b"0\r\n\r\n")
        await writer.drain()

    return send


@dataclass
class Upstream:
    """What an upstream of plain sockets got, and where it listens."""

    port: int = 0
    got: list[Wire] = field(default_factory=list)
    closed_by_proxy: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@asynccontextmanager
async def upstream_that(reply: Reply) -> AsyncIterator[Upstream]:
    """Serve one request a connection with `reply`."""
    upstream = Upstream()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            upstream.got.append(await read_message(reader))
            await reply(upstream.got[-1], writer)
        except ConnectionError:
            upstream.closed_by_proxy.set()
        except asyncio.IncompleteReadError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1 << 20)
    upstream.port = server.sockets[0].getsockname()[1]
    try:
        yield upstream
    finally:
        server.close()


@dataclass
class Records:
    """A recorder that keeps what it is handed."""

    records: list[ExchangeRecord] = field(default_factory=list)

    async def __call__(self, record: ExchangeRecord) -> None:
        self.records.append(record)

    @property
    def only(self) -> ExchangeRecord:
        (record,) = self.records
        return record


@asynccontextmanager
async def proxy_to(
    url: str,
    recorder: Recorder,
    *,
    faults: list[str] | None = None,
    drain_seconds: float = 4,
    **more: Any,
) -> AsyncIterator[Proxy]:
    settings = ProxySettings(upstream=parse_upstream(url), drain_seconds=drain_seconds, **more)
    heard = [] if faults is None else faults
    async with serving(settings, recorder, report=heard.append) as proxy:
        yield proxy
    if faults is None:
        assert heard == [], heard


async def ask(port: int, request: bytes) -> Wire:
    """Send raw bytes, and read the reply."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        return await read_message(reader, to_end=True)
    finally:
        writer.close()


def post(path: bytes, body: bytes = b"{}", more: bytes = b"") -> bytes:
    """A whole request, after which the connection is closed."""
    return (
        b"POST %b HTTP/1.1\r\nHost: here\r\nConnection: close\r\n%bContent-Length: %d\r\n\r\n%b"
        % (path, more, len(body), body)
    )


async def left_by(leave: Callable[[asyncio.StreamWriter], None]) -> ExchangeRecord:
    """What is recorded where the client leaves while the upstream is silent."""
    asked = asyncio.Event()

    async def silent(_: Wire, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await asyncio.sleep(120)

    records = Records()
    async with upstream_that(silent) as upstream, proxy_to(upstream.url, records) as proxy:
        _, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(post(b"/x"))
        await asked.wait()
        leave(writer)
        while not records.records:
            await asyncio.sleep(0.01)
        writer.close()
    return records.only


async def through(reply: Reply, request: bytes) -> tuple[Wire, Wire, ExchangeRecord]:
    """What the upstream got, what the client got, and what was recorded."""
    records = Records()
    async with upstream_that(reply) as upstream, proxy_to(upstream.url, records) as proxy:
        answer = await ask(proxy.port, request)
    (got,) = upstream.got
    return got, answer, records.only
