"""Secrets that go through the proxy: in no file, and in no sentence for people."""

import asyncio
import json
from contextlib import closing
from pathlib import Path
from typing import get_args

import pytest
from tests.ledger.fake_secrets import Fake, fakes
from tests.tap.proxy_ends import Wire, ask, plain, post, proxy_to, streamed, upstream_that

from ullage.ledger.records import Durability, ExchangeRecord
from ullage.ledger.store import Ledger
from ullage.tap.proxy.recorder import LedgerRecorder


def files(place: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(place.parent.iterdir()))


def one_line(fake: Fake) -> str:
    """The secret as a header or a URL can hold it."""
    return fake.text.replace("\n", "")


def request(fake: Fake) -> bytes:
    line = one_line(fake).replace(" ", "%20")
    body = json.dumps({"messages": [{"role": "user", "content": f"my key is {fake.text}"}]})
    headers = f"Authorization: Bearer {line}\r\nX-Odd: {line}\r\n"
    return post(f"/v1/x?key={line}".encode(), body.encode(), headers.encode())


@pytest.mark.parametrize("durability", get_args(Durability))
@pytest.mark.parametrize("kind", fakes())
def test_a_secret_passes_whole_and_is_nowhere_in_the_ledger_wherever_a_chunk_ends(
    tmp_path: Path, kind: str, durability: Durability
) -> None:
    fake = fakes()[kind]
    secret = json.dumps(fake.text)[1:-1].encode()
    place = tmp_path / "a.ledger"

    async def through(recorder: LedgerRecorder, pieces: list[bytes]) -> Wire:
        async with (
            upstream_that(streamed(pieces)) as upstream,
            proxy_to(upstream.url, recorder) as proxy,
        ):
            return await ask(proxy.port, request(fake))

    with Ledger(place, durability=durability) as ledger:
        with closing(LedgerRecorder(ledger)) as recorder:
            for cut in (1, len(secret) // 2, len(secret) - 1):
                pieces = [b'data: {"d":"' + secret[:cut], secret[cut:] + b'"}\n\n']
                answer = asyncio.run(through(recorder, [*pieces, b"data: [DONE]\n\n"]))
                assert answer.body == b"".join(pieces) + b"data: [DONE]\n\n"
        while_open = files(place)
        stored = repr(list(ledger.exchanges()))

    for content in (while_open, files(place), stored.encode()):
        assert [piece for piece in fake.pieces() if piece in content] == []
    assert stored.count("secret:") >= 9


@pytest.mark.parametrize("kind", fakes())
def test_what_is_said_about_an_exchange_that_was_not_recorded_holds_no_secret(kind: str) -> None:
    fake = fakes()[kind]

    async def full(_: ExchangeRecord) -> None:
        raise OSError("disk full")

    async def main() -> list[str]:
        said: list[str] = []
        reply = plain(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        async with (
            upstream_that(reply) as upstream,
            proxy_to(upstream.url, full, faults=said) as proxy,
        ):
            await ask(proxy.port, request(fake))
        return said

    (sentence,) = asyncio.run(main())

    assert sentence.startswith("not recorded: POST /v1/x?key=[secret:")
    pieces = Fake(one_line(fake), fake.common).pieces()
    assert [piece for piece in pieces if piece in sentence.encode()] == []
