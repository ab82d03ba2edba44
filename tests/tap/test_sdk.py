"""The wire tap inside a program: real SDKs, a scripted server, a real ledger."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import openai
import pytest
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, DefaultHttpxClient, OpenAI

from ullage import Ledger, RecordingWarning, record_client
from ullage.ledger.records import StoredExchange

CHUNKS = [
    b'data: {"id":"c","object":"chat.completion.chunk","created":0,"model":"scripted","choices":'
    b'[{"index":0,"delta":{"role":"assistant","content":"'
    + word
    + b'"},"finish_reason":null}]}\n\n'
    for word in (b"one ", b"two ", b"three")
] + [b"data: [DONE]\n\n"]
COMPLETION = json.dumps(
    {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": "one two three"},
            }
        ],
    }
).encode()
MESSAGE = json.dumps(
    {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [{"type": "text", "text": "one two three"}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 3},
    }
).encode()


def event(name: str, **members: object) -> bytes:
    return f"event: {name}\ndata: {json.dumps({'type': name, **members})}\n\n".encode()


EVENTS = [
    event("message_start", message={**json.loads(MESSAGE), "content": [], "stop_reason": None}),
    event("content_block_start", index=0, content_block={"type": "text", "text": ""}),
    *(
        event("content_block_delta", index=0, delta={"type": "text_delta", "text": word})
        for word in ("one ", "two ", "three")
    ),
    event("content_block_stop", index=0),
    event("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 3}),
    event("message_stop"),
]


class Provider(BaseHTTPRequestHandler):
    """Answers as the two providers do; `/broken` stops in the middle, `/refused` says no."""

    protocol_version = "HTTP/1.1"
    seen: ClassVar[list[bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.seen.append(body)
        if "/refused/" in self.path:
            self.whole(401, b'{"error": {"message": "no such key"}}')
        elif not json.loads(body).get("stream"):
            self.whole(200, MESSAGE if "messages" in self.path else COMPLETION)
        else:
            self.stream(EVENTS if "messages" in self.path else CHUNKS)

    def whole(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, chunks: list[bytes]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for chunk in chunks[:2] if "/broken/" in self.path else chunks:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        if "/broken/" in self.path:
            self.close_connection = True
            return
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *args: object) -> None:
        pass


class Address(str):
    """Where a provider answers, and the bodies that it was sent."""

    seen: list[bytes]

    def __new__(cls, url: str, seen: list[bytes]) -> Self:
        made = super().__new__(cls, url)
        made.seen = seen
        return made


@pytest.fixture
def provider() -> Iterator[Address]:
    class Own(Provider):
        seen: ClassVar[list[bytes]] = []

    server = ThreadingHTTPServer(("127.0.0.1", 0), Own)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield Address(f"http://127.0.0.1:{server.server_address[1]}", Own.seen)
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "test.ledger") as opened:
        yield opened


OPENED: list[Any] = []


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Close what a test opened: a client that is left open is said much later, elsewhere."""
    yield
    while OPENED:
        OPENED.pop().close()


def opened(made: Any) -> Any:
    OPENED.append(made)
    return made


KEY = "sk-" + "a1B2" * 8
ASK: Any = {"model": "gpt-4o", "messages": [{"role": "user", "content": "count"}]}


def client(provider: str, ledger: Any, prefix: str = "") -> OpenAI:
    return OpenAI(
        api_key=KEY,
        base_url=f"{provider}{prefix}/v1",
        max_retries=0,
        http_client=record_client(opened(DefaultHttpxClient()), ledger=ledger, run="r"),
    )


def async_client(provider: str, ledger: Any, prefix: str = "") -> AsyncOpenAI:
    return AsyncOpenAI(
        api_key=KEY,
        base_url=f"{provider}{prefix}/v1",
        max_retries=0,
        http_client=record_client(DefaultAsyncHttpxClient(), ledger=ledger, run="r"),
    )


def only(ledger: Ledger) -> StoredExchange:
    (one,) = ledger.exchanges("r")
    return one


def test_a_whole_reply_is_recorded_with_its_request(provider: str, ledger: Ledger) -> None:
    said = client(provider, ledger).chat.completions.create(**ASK)

    one = only(ledger)
    assert said.choices[0].message.content == "one two three"
    assert (one.method, one.path, one.upstream) == ("POST", "/v1/chat/completions", provider)
    assert json.loads(one.request_body) == ASK
    assert (one.status, one.response_body, one.error) == (200, COMPLETION, None)
    assert one.first_byte is not None
    assert one.started <= one.first_byte <= one.ended


def test_a_streamed_reply_is_recorded_byte_for_byte(provider: str, ledger: Ledger) -> None:
    stream = client(provider, ledger).chat.completions.create(**ASK, stream=True)
    words = [chunk.choices[0].delta.content for chunk in stream]

    one = only(ledger)
    assert words == ["one ", "two ", "three"]
    assert (one.response_body, one.error) == (b"".join(CHUNKS), None)


def test_an_async_client_is_recorded_whole_and_streamed(provider: str, ledger: Ledger) -> None:
    async def ask() -> tuple[str | None, list[str | None]]:
        async with async_client(provider, ledger) as asking:
            whole = await asking.chat.completions.create(**ASK)
            stream = await asking.chat.completions.create(**ASK, stream=True)
            words = [chunk.choices[0].delta.content async for chunk in stream]
            return whole.choices[0].message.content, words

    said, words = asyncio.run(ask())

    whole, streamed = ledger.exchanges("r")
    assert (said, words) == ("one two three", ["one ", "two ", "three"])
    assert (whole.response_body, whole.error) == (COMPLETION, None)
    assert (streamed.response_body, streamed.error) == (b"".join(CHUNKS), None)


def test_the_provider_gets_the_same_request_with_and_without(
    provider: Address, ledger: Ledger
) -> None:
    client(provider, ledger).chat.completions.create(**ASK)
    bare = opened(OpenAI(api_key=KEY, base_url=f"{provider}/v1"))
    bare.chat.completions.create(**ASK)

    first, second = provider.seen
    assert first == second == only(ledger).request_body


def test_a_refusal_is_the_programs_error_and_recorded(provider: str, ledger: Ledger) -> None:
    with pytest.raises(openai.AuthenticationError, match="no such key"):
        client(provider, ledger, "/refused").chat.completions.create(**ASK)

    one = only(ledger)
    assert one.status == 401
    assert one.response_body == b'{"error": {"message": "no such key"}}'


def test_a_server_that_is_not_there_is_the_programs_error_and_recorded(ledger: Ledger) -> None:
    with pytest.raises(openai.APIConnectionError):
        client("http://127.0.0.1:9", ledger).chat.completions.create(**ASK)

    one = only(ledger)
    assert one.status is None
    assert one.error is not None
    assert one.error.startswith("ConnectError")


def test_a_stream_that_breaks_is_the_programs_error_and_recorded_as_far_as_it_came(
    provider: str, ledger: Ledger
) -> None:
    stream = client(provider, ledger, "/broken").chat.completions.create(**ASK, stream=True)

    with pytest.raises(openai.APIConnectionError) as caught:
        list(stream)

    one = only(ledger)
    assert one.response_body == b"".join(CHUNKS[:2])
    assert one.error is not None
    assert one.error == f"RemoteProtocolError: {caught.value.__cause__}"


def test_a_stream_that_the_program_leaves_is_said_to_be_cut_off(
    provider: str, ledger: Ledger
) -> None:
    with client(provider, ledger).chat.completions.create(**ASK, stream=True) as stream:
        next(iter(stream))

    one = only(ledger)
    assert one.error == "the program closed the reply before its end"


def test_secrets_are_taken_out(provider: str, ledger: Ledger) -> None:
    client(provider, ledger).chat.completions.create(**ASK, user=f"me {KEY}")

    one = only(ledger)
    assert KEY.encode() not in one.request_body
    assert KEY not in str(one.request_headers)


def test_without_a_ledger_nothing_is_recorded(
    provider: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("ULLAGE_LEDGER", raising=False)
    asking = client(provider, None)

    asking.chat.completions.create(**ASK)
    monkeypatch.setenv("ULLAGE_LEDGER", str(tmp_path / "later.ledger"))
    asking.chat.completions.create(**ASK)

    with Ledger.read(tmp_path / "later.ledger") as found:
        assert found.stats().exchanges == 1


def test_what_the_pass_through_of_ullage_run_records_is_not_recorded_twice(
    provider: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ULLAGE_LEDGER", str(tmp_path / "run.ledger"))
    monkeypatch.setenv("ULLAGE_RUN", "r")

    client(provider, None, "/run/r").chat.completions.create(**ASK)

    assert not (tmp_path / "run.ledger").exists()


def test_a_ledger_that_cannot_be_written_is_a_warning_and_the_reply_comes(
    provider: str, tmp_path: Path
) -> None:
    path = tmp_path / "no.ledger"
    path.write_bytes(b"this is no ledger at all" * 99)

    with pytest.warns(RecordingWarning, match="not recorded"):
        said = client(provider, path).chat.completions.create(**ASK)

    assert said.choices[0].message.content == "one two three"


def test_a_client_of_something_else_is_refused() -> None:
    with pytest.raises(TypeError, match=r"OpenAI is no client of httpx.*DefaultHttpxClient"):
        record_client(opened(OpenAI(api_key="none")))


@pytest.mark.parametrize("kind", [DefaultHttpxClient, DefaultAsyncHttpxClient])
def test_a_client_that_is_recorded_twice_has_each_exchange_once(
    provider: str, ledger: Ledger, kind: Any
) -> None:
    own = kind()
    for run in ("first", "second"):
        record_client(own, ledger=ledger, run=run)

    if kind is DefaultHttpxClient:
        own.post(f"{provider}/v1/chat/completions", json=ASK)
        own.close()
    else:

        async def main() -> None:
            await own.post(f"{provider}/v1/chat/completions", json=ASK)
            await own.aclose()

        asyncio.run(main())

    assert [one.run for one in ledger.exchanges()] == ["second"]


def test_the_client_is_the_same_object() -> None:
    own = opened(DefaultHttpxClient())

    assert record_client(own) is own


def anthropic_client(provider: str, ledger: Ledger) -> Any:
    sdk = pytest.importorskip(
        "anthropic", reason="anthropic is not installed (make frameworks installs it)"
    )
    own = record_client(opened(sdk.DefaultHttpxClient()), ledger=ledger, run="r")
    return sdk.Anthropic(api_key="none", base_url=provider, http_client=own)


SAY: Any = {
    "model": "claude-scripted",
    "max_tokens": 9,
    "messages": [{"role": "user", "content": "count"}],
}


def test_anthropics_client_is_recorded(provider: str, ledger: Ledger) -> None:
    said = anthropic_client(provider, ledger).messages.create(**SAY)

    one = only(ledger)
    assert said.content[0].text == "one two three"
    assert (one.path, one.response_body, one.error) == ("/v1/messages", MESSAGE, None)


def test_anthropics_streams_are_recorded(provider: str, ledger: Ledger) -> None:
    with anthropic_client(provider, ledger).messages.stream(**SAY) as stream:
        words = "".join(cast("Any", stream).text_stream)

    one = only(ledger)
    assert words == "one two three"
    assert (one.response_body, one.error) == (b"".join(EVENTS), None)


def test_a_reply_that_is_there_at_once_is_recorded(ledger: Ledger) -> None:
    httpx = pytest.importorskip("httpx2", reason="httpx2 comes with the OpenAI SDK")
    answer: Callable[[Any], Any] = lambda request: httpx.Response(200, content=b"at once")  # noqa: E731
    own = opened(httpx.Client(transport=httpx.MockTransport(answer)))

    said = record_client(own, ledger=ledger, run="r").post("http://model.test/v1", content=b"go")

    one = only(ledger)
    assert said.content == b"at once"
    assert (one.request_body, one.response_body) == (b"go", b"at once")
