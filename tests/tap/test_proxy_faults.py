"""A fault at either end is told to the other end, and recorded."""

import asyncio
import json
import socket

import pytest
from tests.tap.proxy_ends import (
    EVENTS_HEAD,
    Records,
    Reply,
    Wire,
    ask,
    chunk,
    left_by,
    plain,
    post,
    proxy_to,
    streamed,
    through,
    upstream_that,
)

from ullage.errors import ProxyError
from ullage.ledger.records import ExchangeRecord

REPLY = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


async def ask_through(url: str, request: bytes) -> tuple[Wire, ExchangeRecord]:
    records = Records()
    async with proxy_to(url, records) as proxy:
        answer = await ask(proxy.port, request)
    return answer, records.only


def message(answer: Wire) -> str:
    text = json.loads(answer.body)["error"]["message"]
    assert isinstance(text, str)
    return text


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        assert isinstance(port, int)
        return port


def test_an_upstream_that_is_down_is_a_502_that_says_which_and_what_to_do() -> None:
    url = f"http://127.0.0.1:{free_port()}"

    answer, record = asyncio.run(ask_through(url, post(b"/v1/x", b'{"a":1}')))

    assert answer.first_line == b"HTTP/1.1 502 Bad Gateway"
    assert answer.header(b"content-type") == b"application/json; charset=utf-8"
    assert f"{url} cannot be reached" in message(answer)
    assert "start it, or correct --upstream" in message(answer)
    assert (record.status, record.response_body, record.cohort) == (None, b"", None)
    assert url in str(record.error)


def test_an_upstream_whose_name_is_not_found_is_a_502() -> None:
    answer, record = asyncio.run(ask_through("http://no-such-host.invalid", post(b"/x")))

    assert answer.first_line == b"HTTP/1.1 502 Bad Gateway"
    assert "http://no-such-host.invalid cannot be reached" in str(record.error)


def test_an_upstream_that_closes_without_an_answer_is_a_502() -> None:
    async def main() -> tuple[Wire, ExchangeRecord]:
        async with upstream_that(plain(b"")) as upstream:
            return await ask_through(upstream.url, post(b"/x", b"sent"))

    answer, record = asyncio.run(main())

    assert answer.first_line == b"HTTP/1.1 502 Bad Gateway"
    assert "closed the connection before it answered" in message(answer)
    assert record.request_body == b"sent"


def test_an_upstream_that_does_not_speak_http_is_a_502() -> None:
    async def main() -> tuple[Wire, ExchangeRecord]:
        async with upstream_that(plain(b"220 mail.test ESMTP\r\n\r\n")) as upstream:
            return await ask_through(upstream.url, post(b"/x"))

    answer, record = asyncio.run(main())

    assert answer.first_line == b"HTTP/1.1 502 Bad Gateway"
    assert record.error is not None


@pytest.mark.parametrize(
    ("reply", "came"),
    [
        (plain(EVENTS_HEAD + chunk(b"data: 1\n\n")), b"data: 1\n\n"),
        (
            plain(EVENTS_HEAD + chunk(b"data: 1\n\n") + b"40\r\nhalf a chu"),
            b"data: 1\n\nhalf a chu",
        ),
        (plain(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf"), b"half"),
        (plain(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n"), b""),
        (plain(EVENTS_HEAD + chunk(b"data: [DONE]\n\n")), b"data: [DONE]\n\n"),
    ],
)
@pytest.mark.parametrize("version", [b"HTTP/1.1", b"HTTP/1.0"])
def test_a_reply_that_breaks_off_does_not_end_cleanly_at_the_client(
    reply: Reply, came: bytes, version: bytes
) -> None:
    async def main() -> tuple[Wire | None, ExchangeRecord]:
        async with upstream_that(reply) as upstream:
            records = Records()
            async with proxy_to(upstream.url, records) as proxy:
                request = post(b"/x").replace(b"HTTP/1.1", version)
                try:
                    answer = await ask(proxy.port, request)
                except ConnectionResetError:
                    answer = None
            return answer, records.only

    answer, record = asyncio.run(main())

    assert answer is None or not answer.whole
    if version == b"HTTP/1.1":
        assert answer is not None
        assert answer.body == came
    assert record.status == 200
    assert record.response_body == came
    assert "broke off in the middle of its reply" in str(record.error)


def test_a_stream_that_breaks_after_done_was_forwarded_is_reported() -> None:
    async def main() -> tuple[Wire, ExchangeRecord, list[str]]:
        async def lingering(_: Wire, writer: asyncio.StreamWriter) -> None:
            writer.write(EVENTS_HEAD + chunk(b"data: [DONE]\n\n"))
            await asyncio.sleep(0.5)

        records, faults = Records(), list[str]()
        async with (
            upstream_that(lingering) as upstream,
            proxy_to(upstream.url, records, faults=faults) as proxy,
        ):
            return await ask(proxy.port, post(b"/x")), records.only, faults

    answer, record, faults = asyncio.run(main())

    assert (answer.body, answer.whole) == (b"data: [DONE]\n\n", False)
    assert record.error is None
    assert len(faults) == 1
    assert faults[0].startswith("recorded as whole before it broke: ")


def test_bytes_that_came_before_the_break_reach_a_slow_client() -> None:
    body = bytes(range(256)) * 48_000

    async def main() -> tuple[bytes, ExchangeRecord]:
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"
        records = Records()
        async with (
            upstream_that(plain(head + body)) as upstream,
            proxy_to(upstream.url, records) as proxy,
        ):
            # Small and slow, so that the break comes while bytes still wait to be read.
            wire = socket.socket()
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
            wire.connect(("127.0.0.1", proxy.port))
            reader, writer = await asyncio.open_connection(sock=wire, limit=1 << 16)
            writer.write(post(b"/x"))
            got = b""
            while piece := await reader.read(1 << 17):
                got += piece
                await asyncio.sleep(0.002)
            writer.close()
        return got.partition(b"\r\n\r\n")[2], records.only

    got, record = asyncio.run(main())

    assert len(got) == len(body)
    assert got == body
    assert record.response_body == body


def test_a_client_that_leaves_closes_the_upstream_and_what_came_is_recorded() -> None:
    async def main() -> ExchangeRecord:
        async def endless(_: Wire, writer: asyncio.StreamWriter) -> None:
            writer.write(EVENTS_HEAD + chunk(b"data: 1\n\n"))
            while True:
                await writer.drain()
                await asyncio.sleep(0.01)
                writer.write(chunk(b": ping\n"))

        records = Records()
        async with upstream_that(endless) as upstream, proxy_to(upstream.url, records) as proxy:
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            writer.write(post(b"/x"))
            await reader.readuntil(b"data: 1")
            writer.close()
            await asyncio.wait_for(upstream.closed_by_proxy.wait(), 60)
        return records.only

    record = asyncio.run(main())

    assert record.response_body.startswith(b"data: 1\n\n")
    assert "the client went away" in str(record.error)


def test_a_client_that_leaves_while_the_upstream_is_silent_is_recorded() -> None:
    record = asyncio.run(left_by(lambda writer: writer.close()))

    assert (record.status, record.cohort) == (None, None)
    assert "the client went away" in str(record.error)


def test_a_client_that_leaves_in_the_middle_of_its_request_is_recorded() -> None:
    async def main() -> ExchangeRecord:
        records = Records()
        async with (
            upstream_that(plain(REPLY)) as upstream,
            proxy_to(upstream.url, records) as proxy,
        ):
            _, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            writer.write(b"POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf")
            await asyncio.sleep(0.1)
            writer.close()
            while not records.records:
                await asyncio.sleep(0.01)
        return records.only

    record = asyncio.run(asyncio.wait_for(main(), 60))

    assert record.request_body == b"half"
    assert record.error is not None


def test_a_websocket_is_refused_and_the_refusal_is_recorded() -> None:
    async def main() -> tuple[Wire, ExchangeRecord, dict[str, int]]:
        records = Records()
        async with (
            upstream_that(plain(REPLY)) as upstream,
            proxy_to(upstream.url, records) as proxy,
        ):
            answer = await ask(
                proxy.port,
                b"GET /run/T/v1/realtime HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\n"
                b"Upgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n",
            )
            assert upstream.got == []
        return answer, records.only, dict(proxy.requests)

    answer, record, requests = asyncio.run(main())

    assert answer.first_line.startswith(b"HTTP/1.1 426 ")
    assert "plain HTTP requests" in message(answer)
    assert "websockets are not relayed" in str(record.error)
    assert requests == {}


def test_an_offer_of_http_2_is_passed_over() -> None:
    offer = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
    request = b"GET /x HTTP/1.1\r\nHost: h\r\n" + offer + b"\r\n"

    got, answer, _ = asyncio.run(through(plain(REPLY), request))

    assert got.about_the_message == []
    assert answer.body == b"ok"


def test_use_as_an_http_proxy_is_refused_with_a_hint() -> None:
    async def main() -> Wire:
        async with proxy_to("http://127.0.0.1:1", Records()) as proxy:
            return await ask(
                proxy.port, b"GET http://other.test/x HTTP/1.1\r\nHost: other.test\r\n\r\n"
            )

    answer = asyncio.run(main())

    assert answer.first_line.startswith(b"HTTP/1.1 400 ")
    assert "use this address as a base URL" in message(answer)


def test_a_header_that_is_not_utf_8_is_reported() -> None:
    async def main() -> tuple[Wire, ExchangeRecord, list[str]]:
        reply = b"HTTP/1.1 200 OK\r\nX-Name: J\xe9r\xf4me\r\nContent-Length: 2\r\n\r\nok"
        records, faults = Records(), list[str]()
        async with (
            upstream_that(plain(reply)) as upstream,
            proxy_to(upstream.url, records, faults=faults) as proxy,
        ):
            return await ask(proxy.port, post(b"/x")), records.only, faults

    answer, record, faults = asyncio.run(main())

    assert answer.body == b"ok"
    assert ("X-Name", "Jérôme") in record.response_headers
    assert faults == ["reply header 'X-Name' holds bytes that are not UTF-8: relayed without them"]


def test_a_port_in_use_is_said_with_what_to_do() -> None:
    async def main() -> None:
        from ullage.tap.proxy.service import serving
        from ullage.tap.proxy.settings import ProxySettings, parse_upstream

        async with upstream_that(plain(REPLY)) as upstream:
            settings = ProxySettings(upstream=parse_upstream("http://h"), port=upstream.port)
            with pytest.raises(ProxyError, match=rf"127\.0\.0\.1:{upstream.port}.*another port"):
                async with serving(settings, Records(), report=print):
                    pass

    asyncio.run(main())


def test_cookies_redirects_and_the_environment_do_not_change_what_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    reply = b"HTTP/1.1 307 T\r\nLocation: /y\r\nSet-Cookie: a=1\r\nContent-Length: 0\r\n\r\n"

    async def main() -> list[Wire]:
        async with upstream_that(plain(reply)) as upstream:
            async with proxy_to(upstream.url, Records()) as proxy:
                await ask(proxy.port, post(b"/x"))
                await ask(proxy.port, post(b"/x"))
            return upstream.got

    got = asyncio.run(main())

    assert [wire.first_line for wire in got] == [b"POST /x HTTP/1.1"] * 2
    assert [wire.header(b"cookie") for wire in got] == [None, None]


def test_streams_of_one_run_are_counted() -> None:
    async def main() -> dict[str, int]:
        async with upstream_that(streamed([b"x"])) as upstream:
            async with proxy_to(upstream.url, Records()) as proxy:
                await ask(proxy.port, post(b"/run/a/x"))
                await ask(proxy.port, post(b"/run/a/x"))
                await ask(proxy.port, post(b"/x"))
            return dict(proxy.requests)

    assert asyncio.run(main()) == {"a": 2, "default": 1}
