"""Recorded exchanges of four providers go through the proxy unchanged, both ways.

The corpora are read from outside the repository.
"""

import asyncio
from collections.abc import Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.cassettes import body_of, cassettes
from tests.tap.proxy_ends import (
    Records,
    Wire,
    ask,
    chunk,
    plain,
    proxy_to,
    upstream_that,
)

# Framing is made anew, and the bodies were recorded decoded.
FRAMING = ("connection", "content-encoding", "content-length", "host", "transfer-encoding")
SHAPES = {
    "chat": "/chat/completions",
    "responses": "/responses",
    "anthropic": "/messages",
    "gemini": ":streamGenerateContent",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One recorded exchange as it is to go over the wire again."""

    method: str
    target: str
    request_headers: list[tuple[bytes, bytes]]
    request_body: bytes
    status_line: bytes
    reply_headers: list[tuple[bytes, bytes]]
    reply_body: bytes

    @property
    def is_stream(self) -> bool:
        return (b"content-type", b"text/event-stream") in [
            (name.lower(), value.split(b";")[0]) for name, value in self.reply_headers
        ]

    def request(self, run: str) -> bytes:
        first = f"{self.method} /run/{run}{self.target} HTTP/1.1\r\nHost: here\r\n".encode()
        framing = b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(self.request_body)
        return first + lines(self.request_headers) + framing + self.request_body


def lines(headers: list[tuple[bytes, bytes]]) -> bytes:
    return b"".join(b"%b: %b\r\n" % pair for pair in headers)


def headers_of(side: Mapping[str, Any]) -> list[tuple[bytes, bytes]]:
    return [
        (name.encode(), value.strip().encode())
        for name, values in side["headers"].items()
        for value in values
        if name.lower() not in FRAMING and value.strip()
    ]


def recorded_as(one: Mapping[str, Any]) -> Recorded:
    url = urlsplit(one["request"]["uri"])
    status = one["response"]["status"]
    return Recorded(
        method=one["request"]["method"].upper(),  # two were recorded before their client did so
        target=url.path + (f"?{url.query}" if url.query else ""),
        request_headers=headers_of(one["request"]),
        request_body=body_of(one["request"]),
        status_line=f"HTTP/1.1 {status['code']} {status['message']}".encode(),
        reply_headers=headers_of(one["response"]),
        reply_body=body_of(one["response"]),
    )


@pytest.fixture(scope="module")
def recorded() -> list[Recorded]:
    return [recorded_as(one) for _, held in cassettes() for one in held["interactions"]]


async def send(one: Recorded, writer: asyncio.StreamWriter, size: int) -> None:
    """Send the reply; a stream as chunks of `size` bytes, each of which goes out alone."""
    writer.write(one.status_line + b"\r\n" + lines(one.reply_headers))
    if not one.is_stream:
        await plain(b"Content-Length: %d\r\n\r\n%b" % (len(one.reply_body), one.reply_body))(
            Wire(b"", []), writer
        )
        return
    writer.write(b"Transfer-Encoding: chunked\r\n\r\n")
    for at in range(0, len(one.reply_body), size):
        writer.write(chunk(one.reply_body[at : at + size]))
        await writer.drain()
        await asyncio.sleep(0)
    writer.write(b"0\r\n\r\n")
    await writer.drain()


@asynccontextmanager
async def replaying(exchanges: list[Recorded], size: int) -> Any:
    """An upstream that answers the requests in the order of `exchanges`."""
    left = iter(exchanges)

    async def reply(_: Wire, writer: asyncio.StreamWriter) -> None:
        await send(next(left), writer, size)

    async with upstream_that(reply) as upstream:
        yield upstream


def replayed(exchanges: list[Recorded], size: int) -> tuple[list[Wire], list[Wire], Records]:
    """What the upstream got, what the client got, and what was recorded."""

    async def main() -> tuple[list[Wire], list[Wire], Records]:
        records = Records()
        async with (
            replaying(exchanges, size) as upstream,
            proxy_to(upstream.url, records) as proxy,
        ):
            answers = [
                await ask(proxy.port, one.request(str(number)))
                for number, one in enumerate(exchanges)
            ]
            return upstream.got, answers, records

    return asyncio.run(main())


def assert_unchanged(exchanges: list[Recorded], size: int) -> None:
    got, answers, records = replayed(exchanges, size)
    assert len(got) == len(answers) == len(records.records) == len(exchanges)
    for one, sent, came, record in zip(exchanges, got, answers, records.records, strict=True):
        assert sent.first_line == f"{one.method} {one.target} HTTP/1.1".encode()
        length = (b"Content-Length", b"%d" % len(one.request_body))
        assert sent.about_the_message == [*one.request_headers, length]
        assert sent.body == one.request_body == record.request_body
        assert came.first_line == one.status_line
        assert [
            pair for pair in came.about_the_message if pair[0] != b"Content-Length"
        ] == one.reply_headers
        assert came.body == one.reply_body == record.response_body
        assert came.whole
        assert record.error is None


def test_every_recorded_exchange_goes_through_unchanged(recorded: list[Recorded]) -> None:
    assert len(recorded) == 505
    assert sum(one.is_stream for one in recorded) >= 46

    assert_unchanged(recorded, size=500)


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_a_stream_of_each_shape_goes_through_split_at_every_byte(
    recorded: list[Recorded], shape: str
) -> None:
    streams = [
        one
        for one in recorded
        if one.is_stream and urlsplit(one.target).path.endswith(SHAPES[shape]) and one.reply_body
    ]
    assert streams

    assert_unchanged([min(streams, key=lambda one: len(one.reply_body))], size=1)
