"""The floor, asyncio streams that pass bytes on and keep a copy: python raw_relay.py PORT UPSTREAM.

It reads heads only, and knows no errors, no other framing, no TLS: a floor, not a proxy.
"""

import asyncio
import contextlib
import sys

from wire import content_length, run

END = b"\r\n0\r\n\r\n"
KEPT = 500
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]

idle: list[Stream] = []
recorded: list[tuple[bytes, bytes]] = []


async def relay_chunks(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> bytes:
    """Pass a chunked body on up to its end, and return it."""
    parts, tail = [], b""
    while not tail.endswith(END):
        data = await source.read(65536)
        if not data:
            break
        target.write(data)
        await target.drain()
        parts.append(data)
        tail = (tail + data)[-len(END) :]
    return b"".join(parts)


async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass one request and its reply on."""
    head = await reader.readuntil(b"\r\n\r\n")
    body = await reader.readexactly(content_length(head))
    source, target = (
        idle.pop() if idle else await asyncio.open_connection("127.0.0.1", int(sys.argv[2]))
    )
    target.write(head + body)
    answer = await source.readuntil(b"\r\n\r\n")
    writer.write(answer)
    if b"chunked" in answer.lower():
        reply = await relay_chunks(source, writer)
    else:
        reply = await source.readexactly(content_length(answer))
        writer.write(reply)
    idle.append((source, target))
    recorded.append((body, reply))
    del recorded[:-KEPT]


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Relay the requests of one connection."""
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            await relay(reader, writer)
    writer.close()


async def main() -> None:
    """Serve until the process is ended."""
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]), backlog=1024)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    run(main())
