"""A stand-in for a provider: python upstream.py PORT.

A request says in its body which stream it wants: `{"id": …, "events": …, "gap": …}`. Each event
carries the stream's id, its number and the time it was sent, so that a client on the same machine
can tell what was lost, reordered, mixed up or late. With `"bytes"` the reply is that many bytes.
"""

import asyncio
import contextlib
import json
import sys
import time
from typing import Any

from wire import content_length, run

# Words, as a model writes them: a letter repeated is no text that the recorder will ever see.
TEXT = "the invoice of order 1234 was paid by card on Monday, two days after it had come. " * 2
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
PIECE = bytes(range(256)) * 256


async def stream(wanted: dict[str, Any], writer: asyncio.StreamWriter) -> None:
    """Send the events that were asked for, then the end of the stream."""
    writer.write(HEAD)
    for number in range(wanted["events"]):
        if wanted["gap"]:
            await asyncio.sleep(wanted["gap"])
        value = {"id": wanted["id"], "n": number, "t": time.perf_counter_ns(), "c": TEXT}
        write_chunk(writer, b"data: %b\n\n" % json.dumps(value).encode())
        await writer.drain()
    write_chunk(writer, b"data: [DONE]\n\n")
    writer.write(b"0\r\n\r\n")
    await writer.drain()


async def bulk(size: int, writer: asyncio.StreamWriter) -> None:
    """Send that many bytes in one reply."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size)
    for _ in range(size // len(PIECE)):
        writer.write(PIECE)
        await writer.drain()


def write_chunk(writer: asyncio.StreamWriter, data: bytes) -> None:
    """Write one piece of a chunked body."""
    writer.write(b"%x\r\n%b\r\n" % (len(data), data))


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the requests of one connection."""
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            body = await reader.readexactly(content_length(head))
            wanted = json.loads(body) if body else {}
            if "bytes" in wanted:
                await bulk(wanted["bytes"] // len(PIECE) * len(PIECE), writer)
            elif "events" in wanted:
                await stream(wanted, writer)
            else:
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    writer.close()


async def main() -> None:
    """Serve until the process is ended."""
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]), backlog=1024)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    run(main())
