"""The proxy changes nothing on the way, either way."""

import asyncio
import gzip

import pytest
from tests.tap.proxy_ends import (
    EVENTS_HEAD,
    Records,
    chunk,
    plain,
    post,
    proxy_to,
    read_message,
    streamed,
    through,
    upstream_that,
)

REPLY = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
STREAM = (
    'data: {"choices":[{"delta":{"content":"Grüße "}}]}\n\n'
    'data: {"choices":[{"delta":{"content":"データ: [DONE] "}}]}\r\n\r\n'
    ": comment\n\n"
    "data: [DONE]\n\n"
).encode()


@pytest.mark.parametrize(
    "path",
    [
        b"/v1/chat/completions",
        b"/v1/models/a%2Fb%2f%C3%BC?x=%20&y=a+b&y=&&z",
        b"/no/such//path/../here/.",
        b"/lone?",
        b"/{curly}|[x]?a=b?c&d=/run/x/",
    ],
)
def test_a_path_goes_through_as_it_came(path: bytes) -> None:
    got, _, record = asyncio.run(through(plain(REPLY), post(path)))

    assert got.first_line == b"POST " + path + b" HTTP/1.1"
    assert record.path == path.decode()
    assert record.run == "default"


def test_the_tag_is_taken_off_the_path_and_the_rest_is_not_touched() -> None:
    request = post(b"/run/my%20run/v1/a%2Fb?q=/run/x")

    got, _, record = asyncio.run(through(plain(REPLY), request))

    assert got.first_line == b"POST /v1/a%2Fb?q=/run/x HTTP/1.1"
    assert record.run == "my run"
    assert record.path == "/v1/a%2Fb?q=/run/x"


@pytest.mark.parametrize("method", [b"GET", b"PUT", b"PATCH", b"DELETE", b"OPTIONS", b"PROPFIND"])
def test_any_method_goes_through(method: bytes) -> None:
    request = b"%b /x HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi"

    got, answer, _ = asyncio.run(through(plain(REPLY), request % method))

    assert got.first_line == method + b" /x HTTP/1.1"
    assert got.body == b"hi"
    assert answer.body == b"ok"


def test_request_headers_keep_their_case_their_order_and_their_duplicates() -> None:
    odd = (
        b"X-oDd: 1\r\nx-odd: 2\r\nAccept: a\r\nX-ODD: 3\r\nauthorization: Bearer k\r\nX-Odd: 1\r\n"
    )

    got, _, _ = asyncio.run(through(plain(REPLY), post(b"/x", more=odd)))

    assert got.about_the_message == [
        (b"X-oDd", b"1"),
        (b"x-odd", b"2"),
        (b"Accept", b"a"),
        (b"X-ODD", b"3"),
        (b"authorization", b"Bearer k"),
        (b"X-Odd", b"1"),
        (b"Content-Length", b"2"),
    ]


def test_no_request_header_is_added() -> None:
    request = b"GET /x HTTP/1.1\r\nHost: here\r\n\r\n"

    got, _, _ = asyncio.run(through(plain(REPLY), request))

    assert [name for name, _ in got.headers] == [b"Host"]


def test_the_host_header_names_the_upstream() -> None:
    got, _, record = asyncio.run(through(plain(REPLY), post(b"/x")))

    assert got.header(b"host") == record.upstream.removeprefix("http://").encode()


def test_headers_about_the_connection_stay_with_their_connection() -> None:
    request = post(b"/x", more=b"Connection: X-Mine\r\nX-Mine: 1\r\nTE: trailers\r\nX-Other: 2\r\n")

    got, _, _ = asyncio.run(through(plain(REPLY), request))

    assert [name for name, _ in got.about_the_message] == [b"X-Other", b"Content-Length"]


@pytest.mark.parametrize(
    "body", [b"", b'{"a": 1.0, "a": "\\u00fc",\t"b":1e400}\n', bytes(range(256)) * 1000]
)
def test_a_request_body_goes_through_byte_for_byte(body: bytes) -> None:
    got, _, record = asyncio.run(through(plain(REPLY), post(b"/x", body)))

    assert got.body == body
    assert record.request_body == body


def test_a_compressed_request_body_stays_compressed() -> None:
    body = gzip.compress(b"{}" * 100)
    request = post(b"/x", body, b"Content-Encoding: gzip\r\n")

    got, _, _ = asyncio.run(through(plain(REPLY), request))

    assert got.body == body
    assert got.header(b"content-encoding") == b"gzip"


def test_a_chunked_request_stays_chunked() -> None:
    head = b"POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    request = head + chunk(b"one") + chunk(b"\x00two") + b"0\r\n\r\n"

    got, _, record = asyncio.run(through(plain(REPLY), request))

    assert got.body == b"one\x00two"
    assert got.header(b"transfer-encoding") == b"chunked"
    assert got.header(b"content-length") is None
    assert record.request_body == b"one\x00two"


@pytest.mark.parametrize(
    "status_line",
    [
        b"HTTP/1.1 200 OK",
        b"HTTP/1.1 200 Sehr gut, danke",
        b"HTTP/1.1 302 Found",
        b"HTTP/1.1 404 Not Found",
        b"HTTP/1.1 422 Unprocessable Content",
        b"HTTP/1.1 429 Too Many",
        b"HTTP/1.1 503 Slow down",
        b"HTTP/1.1 599 Odd",
    ],
)
def test_a_status_line_and_its_body_come_back_as_they_are(status_line: bytes) -> None:
    reply = status_line + b"\r\nLocation: /other\r\nContent-Length: 4\r\n\r\nnull"

    _, answer, record = asyncio.run(through(plain(reply), post(b"/x")))

    assert answer.first_line == status_line
    assert answer.about_the_message == [(b"Location", b"/other"), (b"Content-Length", b"4")]
    assert answer.body == b"null"
    assert record.status == int(status_line.split()[1])


def test_reply_headers_keep_their_case_their_order_and_their_duplicates() -> None:
    odd = b"sErVer: x\r\nSet-Cookie: a=1\r\nx-Odd: 1\r\nSet-Cookie: b=2\r\nX-ODD: 2\r\n"
    reply = b"HTTP/1.1 200 OK\r\n" + odd + b"Content-Length: 2\r\n\r\nok"

    _, answer, _ = asyncio.run(through(plain(reply), post(b"/x")))

    assert answer.about_the_message == [
        (b"sErVer", b"x"),
        (b"Set-Cookie", b"a=1"),
        (b"x-Odd", b"1"),
        (b"Set-Cookie", b"b=2"),
        (b"X-ODD", b"2"),
        (b"Content-Length", b"2"),
    ]


def test_no_reply_header_is_added() -> None:
    _, answer, _ = asyncio.run(through(plain(REPLY), post(b"/x")))

    assert answer.about_the_message == [(b"Content-Length", b"2")]


def test_a_gzipped_reply_stays_gzipped() -> None:
    body = gzip.compress(STREAM)
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body)

    _, answer, record = asyncio.run(through(plain(head + body), post(b"/x")))

    assert answer.body == body
    assert record.response_body == body


@pytest.mark.parametrize("size", [0, 1, 2, 70_000, 3_000_000])
def test_a_reply_with_a_length_comes_back_byte_for_byte(size: int) -> None:
    body = (bytes(range(256)) * (size // 256 + 1))[:size]
    reply = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (size, body)

    _, answer, record = asyncio.run(through(plain(reply), post(b"/x")))

    assert answer.whole
    assert answer.body == body
    assert answer.header(b"content-length") == b"%d" % size
    assert record.response_body == body
    assert record.error is None


@pytest.mark.parametrize("size", [1, 2, 5, 13, 10_000])
def test_a_stream_comes_back_byte_for_byte_wherever_it_is_split(size: int) -> None:
    pieces = [STREAM[at : at + size] for at in range(0, len(STREAM), size)]

    _, answer, record = asyncio.run(through(streamed(pieces), post(b"/x")))

    assert answer.whole
    assert answer.body == STREAM
    assert answer.header(b"transfer-encoding") == b"chunked"
    assert record.response_body == STREAM


def test_a_reply_that_ends_with_its_connection_comes_back_whole() -> None:
    reply = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nuntil the end"

    _, answer, record = asyncio.run(through(plain(reply), post(b"/x")))

    assert answer.whole
    assert answer.body == b"until the end"
    assert record.response_body == b"until the end"


def test_a_reply_to_head_keeps_its_length_and_has_no_body() -> None:
    request = b"HEAD /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
    reply = b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"

    _, answer, record = asyncio.run(through(plain(reply), request))

    assert answer.header(b"content-length") == b"500"
    assert answer.body == b""
    assert record.error is None


@pytest.mark.parametrize("status", [b"204 No Content", b"304 Not Modified"])
def test_a_reply_without_a_body_has_none(status: bytes) -> None:
    reply = b"HTTP/1.1 " + status + b'\r\nETag: "1"\r\n\r\n'

    _, answer, _ = asyncio.run(through(plain(reply), post(b"/x")))

    assert answer.first_line == b"HTTP/1.1 " + status
    assert answer.about_the_message == [(b"ETag", b'"1"')]
    assert answer.header(b"transfer-encoding") is None


def test_a_client_of_http_1_0_gets_a_stream_without_chunks() -> None:
    request = b"POST /x HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}"

    got, answer, _ = asyncio.run(through(streamed([STREAM]), request))

    assert got.body == b"{}"
    assert answer.body == STREAM
    assert answer.header(b"transfer-encoding") is None


def test_a_request_without_a_body_gets_no_length_added() -> None:
    request = b"POST /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"

    got, answer, record = asyncio.run(through(plain(REPLY), request))

    assert got.header(b"content-length") is None
    assert answer.body == b"ok"
    assert record.request_body == b""


def test_a_length_of_nothing_goes_through() -> None:
    got, _, _ = asyncio.run(through(plain(REPLY), post(b"/x", b"")))

    assert got.header(b"content-length") == b"0"


def test_a_client_that_waits_to_be_asked_for_its_body_is_asked() -> None:
    async def main() -> tuple[bytes, bytes]:
        async with (
            upstream_that(plain(REPLY)) as upstream,
            proxy_to(upstream.url, Records()) as proxy,
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            head = (
                b"POST /x HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
            )
            writer.write(head)
            interim = await reader.readuntil(b"\r\n\r\n")
            writer.write(b"{}")
            answer = await read_message(reader)
            writer.close()
        return interim, answer.body

    assert asyncio.run(main()) == (b"HTTP/1.1 100 Continue\r\n\r\n", b"ok")


def test_a_request_line_and_headers_of_100_kb_go_through() -> None:
    long = b"x" * 100_000

    got, _, _ = asyncio.run(
        through(plain(REPLY), post(b"/" + long, more=b"X-Long: " + long + b"\r\n"))
    )

    assert got.first_line == b"POST /" + long + b" HTTP/1.1"
    assert got.header(b"x-long") == long


def test_an_event_stream_with_a_length_comes_back_byte_for_byte() -> None:
    head = EVENTS_HEAD.replace(b"Transfer-Encoding: chunked", b"Content-Length: %d" % len(STREAM))

    _, answer, record = asyncio.run(through(plain(head + STREAM), post(b"/x")))

    assert answer.body == STREAM
    assert record.response_body == STREAM
