import gzip
import sys
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.ledger.encodings import Decoded, decoded
from ullage.ledger.records import ExchangeRecord
from ullage.ledger.store import Ledger

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Exchange = Callable[..., ExchangeRecord]

SK = "sk-" + "a1B2" * 8
OWN = "q7Zk2Wx9" + "vB4nM1tR"
TEXT = f'{{"note": "é {SK}", "own": "{OWN}"}}'.encode() * 40


def raw_deflate(text: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-15)
    return stream.compress(text) + stream.flush()


def in_two_members(text: bytes) -> bytes:
    return gzip.compress(text[:100]) + gzip.compress(text[100:])


def in_two_frames(text: bytes) -> bytes:
    return zstd.compress(text[:100]) + zstd.compress(text[100:])


ENCODINGS: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("gzip", gzip.compress),
    ("x-gzip", gzip.compress),
    ("GZIP", in_two_members),
    ("deflate", zlib.compress),
    ("deflate", raw_deflate),
    ("zstd", zstd.compress),
    ("zstd", in_two_frames),
    ("gzip, zstd", lambda text: zstd.compress(gzip.compress(text))),
    ("identity, gzip", gzip.compress),
    ("", gzip.compress),
    ("", zstd.compress),
]


def headers(encoding: str) -> list[tuple[str, str]]:
    return [("Content-Encoding", encoding)] if encoding else []


@pytest.mark.parametrize(("encoding", "encode"), ENCODINGS)
def test_an_encoded_body_is_decoded(encoding: str, encode: Callable[[bytes], bytes]) -> None:
    assert decoded(encode(TEXT), headers(encoding)) == Decoded(content=TEXT)


def test_encodings_in_several_headers_are_undone_in_their_order() -> None:
    body = zstd.compress(gzip.compress(TEXT))

    assert decoded(body, [*headers("gzip"), ("content-encoding", "zstd")]).content == TEXT


@given(text=st.binary(max_size=300))
def test_any_bytes_come_back(text: bytes) -> None:
    for encoding, encode in ENCODINGS:
        if encoding:
            assert decoded(encode(text), headers(encoding)) == Decoded(content=text)


def test_a_large_body_comes_back() -> None:
    text = bytes(range(256)) * 20_000

    for encoding, encode in ENCODINGS:
        assert decoded(encode(text), headers(encoding)) == Decoded(content=text)


@pytest.mark.parametrize("encoding", ["gzip", "br", "made-up"])
def test_no_body_is_no_fault(encoding: str) -> None:
    assert decoded(b"", headers(encoding)) == Decoded(content=b"")


@pytest.mark.parametrize(("encoding", "encode"), ENCODINGS)
def test_a_body_that_ends_early_is_decoded_as_far_as_it_goes(
    encoding: str, encode: Callable[[bytes], bytes]
) -> None:
    text = b"".join(b"row %d of it\n" % number for number in range(20_000))
    found = decoded(encode(text)[:-9], headers(encoding))

    assert text.startswith(found.content)
    assert "ends early" in str(found.fault)


@pytest.mark.parametrize(
    ("encoding", "body", "says"),
    [
        ("gzip", TEXT, "it is not gzip"),
        ("deflate", b"\x07" + TEXT, "it is not deflate"),
        ("zstd", TEXT, "it is not zstd"),
        ("made-up", TEXT, "its content encoding 'made-up' is not known"),
        ("gzip," * 9, TEXT, "9 content encodings on top of each other"),
        ("", b"\x1f\x8b\x08" + TEXT, "it is not gzip"),
    ],
)
def test_what_cannot_be_decoded_is_not_kept(encoding: str, body: bytes, says: str) -> None:
    found = decoded(body, headers(encoding))

    assert found.content == b""
    assert f"a body of {len(body)} bytes was not kept: {says}" in str(found.fault)


def test_bytes_behind_the_end_are_said() -> None:
    found = decoded(gzip.compress(TEXT) + SK.encode(), headers("gzip"))

    assert found.content == TEXT
    assert found.fault == f"{len(SK)} bytes after the end of a gzip body were not kept"


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "zstd"])
def test_a_bomb_does_not_go_off(encoding: str) -> None:
    encode = dict(ENCODINGS)[encoding]
    bomb = encode(bytes(100_000_000))

    tracemalloc.start()
    found = decoded(bomb, headers(encoding), largest=1_000_000)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert found.content == b""
    assert f"as {encoding} it decodes to more than 1000000 bytes" in str(found.fault)
    assert most < 10_000_000


def test_br_is_decoded_where_a_decoder_is_installed() -> None:
    brotli = pytest.importorskip("brotli")

    assert decoded(brotli.compress(TEXT), headers("br")) == Decoded(content=TEXT)


@pytest.mark.parametrize(("encoding", "encode"), ENCODINGS)
def test_an_encoded_body_is_kept_decoded_and_redacted(
    place: Path, exchange: Exchange, encoding: str, encode: Callable[[bytes], bytes]
) -> None:
    body = encode(TEXT)
    record = exchange(
        request_headers=[("Authorization", f"Bearer {OWN}"), *headers(encoding)],
        request_body=body,
        response_headers=headers(encoding),
        response_body=body,
    )
    with Ledger(place) as ledger:
        ledger.add_exchange(record)
        (stored,) = ledger.exchanges()
        stats = ledger.stats()

    assert stats.not_recorded == 0
    for kept in (stored.request_body, stored.response_body):
        assert kept is not None
        assert kept.count(b"[secret:") == 80
        assert SK.encode() not in kept
        assert OWN.encode() not in kept


def test_a_body_that_cannot_be_decoded_is_counted_said_and_not_kept(
    place: Path, exchange: Exchange
) -> None:
    body = b"\x00" + SK.encode()
    said: list[str] = []
    with Ledger(place) as ledger:
        ledger.add_exchange(
            exchange(response_headers=headers("br"), response_body=body), report=said.append
        )
        (stored,) = ledger.exchanges()

        assert stored.response_body == b""
        assert ledger.faults("r1") == 1
        assert ledger.verify().whole
    assert len(said) == 1
    assert said[0].startswith("POST /v1/chat/completions: reply: a body of 36 bytes was not kept")
    content = b"".join(file.read_bytes() for file in place.parent.iterdir())
    assert SK.encode() not in content
