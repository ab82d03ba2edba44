"""The proxy's decisions that need no socket."""

import asyncio
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.errors import ProxyError
from ullage.ledger.records import ExchangeRecord
from ullage.tap.proxy.hold import HoldBack
from ullage.tap.proxy.recorder import LedgerRecorder
from ullage.tap.proxy.settings import parse_upstream
from ullage.tap.proxy.target import split_target

EVENTS = st.lists(
    st.sampled_from([b"data: x\n", b"\n", b"data: [DONE", b"]", b"data: [DONE]\n", b"x", b"\r"])
)


def pieces(text: bytes, cuts: list[int]) -> list[bytes]:
    ends = [*sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    starts = [0, *ends[:-1]]
    parts = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    return [part for part in parts if part]


@given(events=EVENTS, cuts=st.lists(st.integers(min_value=0)))
def test_a_stream_flows_up_to_its_done_line_wherever_it_is_split(
    events: list[bytes], cuts: list[int]
) -> None:
    text = b"".join(events)
    hold = HoldBack(length=None, events=True)

    flowed = b"".join(map(hold.take, pieces(text, cuts)))

    assert flowed + hold.held == text
    whole = b"\n" + text.replace(b"\r", b"\n")
    assert hold.done == (b"\ndata: [DONE]" in whole)
    assert b"[DONE]" not in flowed or b"\ndata: [DONE]" not in b"\n" + flowed.replace(b"\r", b"\n")


@given(text=st.binary(min_size=1), cuts=st.lists(st.integers(min_value=0)))
def test_a_reply_with_a_length_flows_up_to_its_last_byte(text: bytes, cuts: list[int]) -> None:
    hold = HoldBack(length=len(text), events=False)

    flowed = b"".join(map(hold.take, pieces(text, cuts)))

    assert flowed == text[:-1]
    assert hold.release() == text[-1:]
    assert hold.held == b""


@pytest.mark.parametrize(
    ("raw", "run", "path"),
    [
        ("/v1/x?y=1", "default", "/v1/x?y=1"),
        ("/run/T/v1/x", "T", "/v1/x"),
        ("/run/T", "T", "/"),
        ("/run/T?x=1", "T", "/?x=1"),
        ("/run/T//v1", "T", "//v1"),
        ("/run/a%2Fb/x", "a/b", "/x"),
        ("/run/T/run/U/x", "T", "/run/U/x"),
        ("/run//v1", "default", "/run//v1"),
        ("/running/v1", "default", "/running/v1"),
    ],
)
def test_the_tag_is_the_first_segment_after_run(raw: str, run: str, path: str) -> None:
    target = split_target(raw, "default")

    assert (target.run, target.path) == (run, path)


@pytest.mark.parametrize(
    ("url", "origin", "path"),
    [
        ("https://api.example.test/v1", "https://api.example.test", "/v1"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000", ""),
        ("http://[::1]:8000/", "http://[::1]:8000", ""),
    ],
)
def test_an_upstream_is_an_origin_and_a_path(url: str, origin: str, path: str) -> None:
    upstream = parse_upstream(url)

    assert (upstream.origin, upstream.path) == (origin, path)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("localhost:8000/v1", "has no scheme: write http:// or https://"),
        ("ftp://h/x", "scheme 'ftp' is not http or https"),
        ("http:///v1", "names no server"),
        ("http://h:99999", "is not a URL: Port out of range"),
        ("http://h/v1?key=1", "holds a query or a fragment"),
    ],
)
def test_an_upstream_that_cannot_be_used_is_refused_in_words(url: str, says: str) -> None:
    with pytest.raises(ProxyError, match=says):
        parse_upstream(url)


def test_credentials_in_an_upstream_are_refused_and_not_repeated() -> None:
    with pytest.raises(ProxyError, match="holds credentials") as caught:
        parse_upstream("https://me:sesame@h/v1")

    assert "sesame" not in str(caught.value)


RECORD = ExchangeRecord(
    run="T",
    method="POST",
    path="/x",
    upstream="http://h",
    request_headers=(),
    request_body=b"",
    status=200,
    response_headers=(),
    response_body=b"",
    started=1.0,
    first_byte=1.5,
    ended=2.0,
)


class FullLedger:
    """A ledger on a full disk that can still take a short note."""

    def __init__(self) -> None:
        self.faults: list[tuple[str, str, float]] = []

    def add_exchange(
        self, record: ExchangeRecord, *, report: Callable[[str], None] | None = None
    ) -> int:
        raise OSError(f"no room for {record.path}")

    def add_fault(self, run: str, what: str, at: float) -> None:
        self.faults.append((run, what, at))


def test_a_record_that_the_ledger_refuses_is_noted_and_passed_on() -> None:
    ledger = FullLedger()
    recorder = LedgerRecorder(ledger)

    with pytest.raises(OSError, match="no room"):
        asyncio.run(recorder(RECORD))
    recorder.close()

    assert ledger.faults == [("T", "POST /x was not recorded: no room for /x", 2.0)]
