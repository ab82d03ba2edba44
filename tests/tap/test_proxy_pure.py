"""The proxy's decisions that need no socket."""

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from blake3 import blake3
from hypothesis import assume, given
from hypothesis import strategies as st

from ullage.errors import ProxyError
from ullage.ledger.records import LeftOut
from ullage.tap.proxy.copies import BodyCopy
from ullage.tap.proxy.exposition import Metric, exposition
from ullage.tap.proxy.hold import HoldBack
from ullage.tap.proxy.meters import Histogram, RunCounts
from ullage.tap.proxy.settings import ProxySettings, parse_mount, parse_upstream
from ullage.tap.proxy.switch import Switch
from ullage.tap.proxy.target import split_target

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    ("raw", "agent", "prefix", "path"),
    [
        ("/run/T/agent/w/v1/x?y=1", "w", "", "/v1/x?y=1"),
        ("/run/T/agent/w%20x/b/v1", "w x", "/b", "/v1"),
        ("/run/T/agent/w", "w", "", "/"),
        ("/run/T/agent//v1", None, "", "/agent//v1"),
        ("/agent/w/v1", None, "", "/agent/w/v1"),
        ("/run/T/agents/v1", None, "", "/agents/v1"),
        ("/b/v1/x", None, "/b", "/v1/x"),
        ("/b", None, "/b", "/"),
        ("/b?x=1", None, "/b", "/?x=1"),
        ("/b/c/v1", None, "/b/c", "/v1"),
        ("/bc/v1", None, "", "/bc/v1"),
        ("/b//v1/%2F", None, "/b", "//v1/%2F"),
        ("/token/abc/v1", None, "", "/token/abc/v1"),
    ],
)
def test_the_agent_and_the_upstream_are_taken_off_the_path(
    raw: str, agent: str | None, prefix: str, path: str
) -> None:
    target = split_target(raw, "default", prefixes=["/b/c", "/b"])

    assert (target.agent, target.prefix, target.path) == (agent, prefix, path)


@pytest.mark.parametrize(
    ("raw", "token", "own", "run", "path"),
    [
        ("/token/abc/run/T/v1", "abc", False, "T", "/v1"),
        ("/token/a%2Fc/v1", "a/c", False, "default", "/v1"),
        ("/token/abc/_ullage/metrics", "abc", True, "default", "/_ullage/metrics"),
        ("/_ullage", None, True, "default", "/_ullage"),
        ("/_ullage_of_mine/x", None, False, "default", "/_ullage_of_mine/x"),
        ("/run/T/_ullage/metrics", None, False, "T", "/_ullage/metrics"),
    ],
)
def test_the_token_and_the_own_pages_are_told_from_the_rest(
    raw: str, token: str | None, own: bool, run: str, path: str
) -> None:
    target = split_target(raw, "default", with_token=True)

    assert (target.token, target.own, target.run, target.path) == (token, own, run, path)


TAGS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1)
PATHS = st.from_regex(r"(/[a-z%]{0,4}){1,4}(\?[a-z=/?]{0,6})?", fullmatch=True)


@given(run=TAGS, agent=st.none() | TAGS, path=PATHS)
def test_any_tag_and_agent_come_back_and_the_rest_is_not_touched(
    run: str, agent: str | None, path: str
) -> None:
    named = "" if agent is None else f"/agent/{quote(agent, safe='')}"
    assume(agent is not None or not re.match(r"/agent/[^/?]", path))

    target = split_target(f"/run/{quote(run, safe='')}{named}{path}", "default")

    assert (target.run, target.agent, target.path) == (run, agent, path)


@pytest.mark.parametrize(
    ("text", "prefix", "origin"),
    [
        ("https://h/v1", "", "https://h"),
        ("/b=https://h/v1", "/b", "https://h"),
        ("/127.0.0.1:8000=http://127.0.0.1:8000", "/127.0.0.1:8000", "http://127.0.0.1:8000"),
    ],
)
def test_an_upstream_may_have_a_prefix(text: str, prefix: str, origin: str) -> None:
    found, upstream = parse_mount(text)

    assert (found, upstream.origin) == (prefix, origin)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("/=http://h", "'/' is not a plain path: write /NAME=URL"),
        ("/a?b=http://h", "is not a plain path"),
        ("/run=http://h", "'/run' has a meaning of its own"),
        ("/_ullage/x=http://h", "has a meaning of its own"),
        ("/b", "upstream '' has no scheme"),
    ],
)
def test_a_prefix_that_cannot_be_used_is_refused_in_words(text: str, says: str) -> None:
    with pytest.raises(ProxyError, match=re.escape(says)):
        parse_mount(text)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.9", "::1", "localhost"])
def test_this_machine_needs_no_token(host: str) -> None:
    assert ProxySettings(upstream=parse_upstream("http://h"), host=host).token is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "box.example"])
def test_an_address_that_others_reach_is_refused_without_a_token(host: str) -> None:
    with pytest.raises(ProxyError, match="name that with --token-env"):
        ProxySettings(upstream=parse_upstream("http://h"), host=host)


@pytest.mark.parametrize("token", ["", "sh0rt", "x" * 15, "with a space in it", "a/b" * 9])
def test_a_token_that_can_be_guessed_or_not_be_sent_is_refused(token: str) -> None:
    with pytest.raises(ProxyError, match="too short or holds characters") as caught:
        ProxySettings(upstream=parse_upstream("http://h"), token=token)

    assert not token or token not in str(caught.value)


def test_a_token_is_not_shown_with_the_settings() -> None:
    settings = ProxySettings(upstream=parse_upstream("http://h"), token="s" * 20)

    assert "ssss" not in repr(settings)


def test_settings_without_an_upstream_are_refused() -> None:
    with pytest.raises(ProxyError, match="there is no upstream"):
        ProxySettings()


@given(text=st.binary(), cuts=st.lists(st.integers(min_value=0)), limit=st.integers(0, 40))
def test_a_body_is_kept_whole_or_as_size_and_hash(text: bytes, cuts: list[int], limit: int) -> None:
    copy = BodyCopy(limit)
    for piece in pieces(text, cuts):
        copy.add(piece)

    assert copy.size == len(text)
    left_out = copy.left_out()
    if len(text) <= limit:
        assert (copy.content(), left_out) == (text, None)
    else:
        assert copy.content() == b""
        assert left_out == LeftOut(size=len(text), digest=blake3(text).digest(), limit=limit)


def test_a_body_over_a_megabyte_is_kept_below_the_limit_and_hashed_over_it() -> None:
    piece = bytes(range(256)) * 2_000
    kept, dropped = BodyCopy(4 * len(piece)), BodyCopy(4 * len(piece) - 1)
    for _ in range(4):
        kept.add(piece)
        dropped.add(piece)

    assert (kept.content(), kept.left_out()) == (piece * 4, None)
    left_out = dropped.left_out()
    assert left_out is not None
    assert left_out.digest == blake3(piece * 4).digest()


def test_a_switch_counts_what_goes_by_while_it_is_off() -> None:
    said: list[str] = []
    noted: list[Mapping[str, int]] = []
    switch = Switch(on=True, report=said.append, missed=noted.append)

    wanted = [switch.wanted("a")]
    switch.turn(on=False)
    wanted += [switch.wanted("a"), switch.wanted("b"), switch.wanted("a")]
    switch.turn(on=True)
    wanted += [switch.wanted("a")]
    switch.turn(on=True)
    switch.settle()

    assert wanted == [True, False, False, False, True]
    assert switch.passed_by == 3
    assert noted == [{"a": 2, "b": 1}]
    assert said == [
        "recorder off: requests go through and are not recorded",
        "recorder on; while it was off 3 exchanges went through unrecorded",
    ]


def test_what_went_by_up_to_the_end_is_noted_then() -> None:
    noted: list[Mapping[str, int]] = []
    switch = Switch(on=False, report=print, missed=noted.append)
    switch.wanted("a")

    switch.settle()

    assert noted == [{"a": 1}]


def test_only_the_runs_that_asked_last_are_counted() -> None:
    runs = RunCounts(most=2)
    for run in ["a", "b", "a", "c"]:
        runs.add(run)

    assert runs.counts() == {"a": 2, "c": 1}


def test_metrics_are_written_as_prometheus_reads_them() -> None:
    added = Histogram()
    for value in (0.00005, 0.0001, 0.003, 9.0):
        added.add(value)

    text = exposition(
        [
            Metric(
                name="x_total",
                kind="counter",
                help="Some.",
                values=[({"tool": 'a"b\\c\nd', "agent": ""}, 3), ({}, 0.5)],
            ),
            Metric(name="s", kind="histogram", help="Seconds.", histogram=added),
        ]
    )

    lines = text.split("\n")
    assert lines[:4] == [
        "# HELP x_total Some.",
        "# TYPE x_total counter",
        'x_total{tool="a\\"b\\\\c\\nd",agent=""} 3',
        "x_total 0.5",
    ]
    assert 's_bucket{le="0.0001"} 2' in lines
    assert 's_bucket{le="0.0025"} 2' in lines
    assert 's_bucket{le="0.005"} 3' in lines
    assert 's_bucket{le="2.5"} 3' in lines
    assert 's_bucket{le="+Inf"} 4' in lines
    assert "s_count 4" in lines
    assert text.endswith("\n")


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
